import { createHash } from 'node:crypto'
import type { AuditAction } from '@meadow/contract/terms'
import type { Selectable } from 'kysely'
import { beforeCommit } from '../platform/database/commit-hooks.ts'
import type { Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { AuditEventTable, TeamKey } from '../platform/database/tables.ts'
import { currentContext, type RequestContext } from './request-context.ts'

/** The id of the chain of events that belong to no team. */
export const SERVICE_CHAIN = 'service'

/** The hash before the first event of a chain. */
export const FIRST_HASH = '0'.repeat(64)

/** What happened, from the current context unless it says otherwise. */
export interface AuditEvent extends Partial<RequestContext> {
  action: AuditAction
  /**
   * The team whose owners read the event; undefined for no team. A team that is gone at the end of the transaction does
   * not count.
   */
  team?: TeamKey | undefined
  target?: AuditTarget | undefined
  /** Further facts, without secrets. */
  details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>> | undefined
}

/** What an event happened to, with its name at that time. */
export interface AuditTarget {
  kind: string
  id?: string | undefined
  name?: string | undefined
}

export type AuditRow = Selectable<AuditEventTable>

interface Noted extends AuditEvent {
  context: RequestContext
}

const noted = new WeakMap<Write, Noted[]>()

/**
 * Records an event in the audit log, in the transaction of the change that it is about: both are committed, or neither.
 * The rows are written when the transaction has done everything else, since others that record in the same chain wait
 * from then on.
 */
export function recordEvent(write: Write, event: AuditEvent): void {
  const entry = { ...event, context: currentContext() }
  const earlier = noted.get(write)
  if (earlier) return void earlier.push(entry)
  const events = [entry]
  beforeCommit(write, () => append(write, events))
  noted.set(write, events)
}

async function append(write: Write, events: readonly Noted[]): Promise<void> {
  noted.delete(write)
  const teams = new Set(events.map(({ team }) => team).filter((team) => team !== undefined))
  const ids = await findChains(write, [...teams])
  const chains = Map.groupBy(events, ({ team }) => (team && ids.get(team)) ?? SERVICE_CHAIN)
  // The chains are locked in one order, so that two transactions cannot deadlock.
  for (const id of [...chains.keys()].sort()) await appendTo(write, id, chains.get(id)!)
}

/** Finds the ids of the chains of teams, which are the public ids of the teams. */
async function findChains(write: Write, teams: readonly TeamKey[]): Promise<Map<TeamKey, string>> {
  if (teams.length === 0) return new Map()
  const rows = await write
    .selectFrom('team')
    .where('id', 'in', teams)
    .select(['id', 'public_id as publicId'])
    .execute()
  return new Map(rows.map(({ id, publicId }) => [id, publicId]))
}

async function appendTo(write: Write, chain: string, events: readonly Noted[]): Promise<void> {
  let { seq, hash } = await lockChain(write, chain)
  const now = timeOf(write)
  const rows: AuditRow[] = events.map((event) => {
    const row = { ...toRow(event), chain, seq: ++seq, at: now }
    hash = hashRow(hash, row)
    return { ...row, hash }
  })
  for (const some of inBatches(rows)) await write.insertInto('audit_event').values(some).execute()
  await write.updateTable('audit_chain').set({ seq, hash }).where('id', '=', chain).execute()
}

/** Reads and locks the end of the chain, so that no other transaction can append to it until this one ends. */
async function lockChain(write: Write, id: string): Promise<{ seq: number; hash: string }> {
  // An update that changes nothing takes the lock in both databases.
  return write
    .insertInto('audit_chain')
    .values({ id, seq: 0, hash: FIRST_HASH, purged_at: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({ seq: ref('audit_chain.seq') })),
    )
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow()
}

function toRow({
  context,
  action,
  target,
  details,
  ...given
}: Noted): Omit<AuditRow, 'chain' | 'seq' | 'at' | 'hash'> {
  const { actor, address, session, token, request, command } = { ...context, ...withoutUndefined(given) }
  const facts = command === undefined ? details : { ...details, command }
  return {
    action,
    actor_kind: actor.kind,
    actor_id: toText(actor.id),
    actor_name: toText(actor.name),
    address: toText(address),
    session: toText(session),
    token: toText(token),
    request: toText(request),
    thing_kind: toText(target?.kind),
    thing_id: toText(target?.id),
    thing_name: toText(target?.name),
    details: facts === undefined ? null : JSON.stringify(facts),
  }
}

const withoutUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

const MAX_TEXT = 500

/** Returns a text as both databases return it, which store neither NUL nor half a surrogate pair. */
function toText(text: string | undefined): string | null {
  if (text === undefined) return null
  const stored = text.slice(0, MAX_TEXT).toWellFormed()
  return stored.includes('\0') ? stored.replaceAll('\0', '') : stored
}

/** The columns that a hash covers, in this order. A new column goes into `details`: old hashes have to stay true. */
const HASHED = [
  'chain',
  'seq',
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'actor_name',
  'address',
  'session',
  'token',
  'request',
  'thing_kind',
  'thing_id',
  'thing_name',
  'details',
] as const satisfies readonly (keyof AuditRow)[]

/** Computes the hash of an event from the JSON array of the previous hash and the columns of the event. */
export function hashRow(previous: string, row: Pick<AuditRow, (typeof HASHED)[number]>): string {
  const text = JSON.stringify([previous, ...HASHED.map((column) => row[column])])
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Removes the events of a team that is deleted for good. The end of its chain stays, and the chain of the service says
 * what was removed.
 */
export async function purgeAuditLog(write: Write, team: { id: string; name: string }): Promise<void> {
  const { seq, hash } = await lockChain(write, team.id)
  await write
    .updateTable('audit_chain')
    .set({ purged_at: timeOf(write) })
    .where('id', '=', team.id)
    .execute()
  await write.deleteFrom('audit_event').where('chain', '=', team.id).execute()
  recordEvent(write, {
    action: 'audit.purged',
    target: { kind: 'team', ...team },
    details: { events: seq, lastHash: hash },
  })
}
