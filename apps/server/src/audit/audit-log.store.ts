import type { TokenId } from '@meadow/contract'
import type { AuditAction } from '@meadow/contract/terms'
import type { AuditEntry } from '@meadow/contract/web'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { toTimestamp } from '../platform/database/times.ts'
import { type AuditRow, FIRST_HASH, hashRow, SERVICE_CHAIN } from './record-event.ts'

export interface AuditFilter {
  /** The id of a user or token, or the e-mail address of a user. Selects what they did and what was done to them. */
  person?: string | undefined
  action?: AuditAction | undefined
  /** Selects events at `since` or later and before `until`, in milliseconds since 1970. */
  since?: number | undefined
  until?: number | undefined
}

/** The place of an event in a list: the next page begins after it. */
export type AuditPlace = Pick<AuditRow, 'at' | 'chain' | 'seq'>

export interface AuditPage {
  entries: AuditEntry[]
  /** The place of the last entry, if there are more entries. */
  next: AuditPlace | undefined
}

/** The result of the examination of a chain. */
export interface ChainReport {
  chain: string
  events: number
  /** The first event that is not what it was, or that is missing; undefined when the chain is whole. */
  broken: { seq: number; reason: string } | undefined
  /** When the events were removed with their team; null when they were not. */
  purgedAt: number | null
}

/** How often a token read through an endpoint in a day (UTC). */
interface ReadsOfToken {
  token: { id: TokenId; name: string }
  day: string
  endpoint: string
  reads: number
}

/** Reads the audit log. Events are appended by `recordEvent`. */
export interface AuditLog {
  /** Lists what the owners of a team read, newest first: its events, and those of its members' accounts. */
  listOfTeam(
    team: { key: TeamKey; id: string },
    filter: AuditFilter,
    page: { after?: AuditPlace | undefined; limit: number },
  ): Promise<AuditPage>
  /** Lists the newest events of all chains, or of one, newest first. */
  listNewest(filter: AuditFilter & { chain?: string | undefined }, limit: number): Promise<AuditEntry[]>
  /** Lists the ends of all chains, in the order of their ids. */
  listChains(): Promise<{ id: string; seq: number; hash: string; purgedAt: number | null }[]>
  /** Reads the events of a chain after a number, in order. */
  readChain(chain: string, after: number, filter: AuditFilter, limit: number): Promise<AuditEntry[]>
  /** Lists how often the tokens of a team read, by day and endpoint, the newest day first. */
  listReads(team: TeamKey): Promise<ReadsOfToken[]>
  /** Computes the hashes of a chain again, or only those of its `last` events. */
  verify(chain: string, options?: { last?: number }): Promise<ChainReport>
}

/** The events of accounts, which belong to no team. The owners of each team that the person is in read them. */
const OF_ACCOUNTS = [
  'sign\\_%',
  'session.%',
  'password.%',
  'user.%',
  'second\\_factor.%',
  'recovery\\_codes.%',
]

const PORTION = 1000

export function createAuditLog({ read }: Pick<Database, 'read'>): AuditLog {
  const select = ({ person, action, since, until }: AuditFilter) => {
    let events = read.selectFrom('audit_event').selectAll()
    if (person !== undefined)
      events = events.where(({ or, eb }) =>
        or([
          eb('actor_id', '=', person),
          eb('thing_id', '=', person),
          ...(person.includes('@') ? [eb('actor_name', '=', person), eb('thing_name', '=', person)] : []),
        ]),
      )
    if (action !== undefined) events = events.where('action', '=', action)
    if (since !== undefined) events = events.where('at', '>=', since)
    if (until !== undefined) events = events.where('at', '<', until)
    return events
  }
  const readRows = (chain: string, after: number, limit: number) =>
    read
      .selectFrom('audit_event')
      .where('chain', '=', chain)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .selectAll()
      .execute()

  /**
   * Finds an event that was not recorded: one before the first or after the last event of its chain, or any event of a
   * chain that was removed. It takes one statement, since events are recorded meanwhile.
   */
  async function findStray(chain: string): Promise<number | undefined> {
    const found = await read
      .selectFrom('audit_event')
      .innerJoin('audit_chain', 'audit_chain.id', 'audit_event.chain')
      .where('audit_chain.id', '=', chain)
      .where(({ or, eb, ref }) =>
        or([
          eb('audit_event.seq', '<', 1),
          eb('audit_event.seq', '>', ref('audit_chain.seq')),
          eb('audit_chain.purged_at', 'is not', null),
        ]),
      )
      .orderBy('audit_event.seq')
      .select('audit_event.seq')
      .executeTakeFirst()
    return found?.seq
  }

  /**
   * Whether `purgeAuditLog`, whose own event is in another chain, removed the events of a chain that ended with this
   * hash.
   */
  async function isPurgeRecorded(chain: string, lastHash: string): Promise<boolean> {
    const rows = await read
      .selectFrom('audit_event')
      .where('chain', '=', SERVICE_CHAIN)
      .where('action', '=', 'audit.purged')
      .where('thing_id', '=', chain)
      .select('details')
      .execute()
    return rows.some(({ details }) => details !== null && JSON.parse(details).lastHash === lastHash)
  }

  return {
    async listOfTeam({ key, id }, filter, { after, limit }) {
      const older = () => {
        const events = select(filter).orderBy('at', 'desc').orderBy('chain', 'desc').orderBy('seq', 'desc')
        return after === undefined
          ? events
          : events.where(sql<boolean>`(at, chain, seq) < (${after.at}, ${after.chain}, ${after.seq})`)
      }
      const members = read.selectFrom('membership').where('team_id', '=', key).select('user_id')
      const [ofTeam, ofMembers] = await Promise.all([
        older()
          .where('chain', '=', id)
          .limit(limit + 1)
          .execute(),
        older()
          .where('chain', '=', SERVICE_CHAIN)
          .where(({ or, eb }) => or([eb('actor_id', 'in', members), eb('thing_id', 'in', members)]))
          .where(({ or }) =>
            or(OF_ACCOUNTS.map((pattern) => sql<boolean>`action like ${pattern} escape '\\'`)),
          )
          .limit(limit + 1)
          .execute(),
      ])
      const rows = [...ofTeam, ...ofMembers].sort(compareNewest).slice(0, limit)
      const hasMore = ofTeam.length + ofMembers.length > limit
      return { entries: rows.map(toEntry), next: hasMore ? rows.at(-1) : undefined }
    },
    async listNewest({ chain, ...filter }, limit) {
      let events = select(filter)
      if (chain !== undefined) events = events.where('chain', '=', chain)
      const rows = await events
        .orderBy('at', 'desc')
        .orderBy('chain', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toEntry)
    },
    listChains: () =>
      read
        .selectFrom('audit_chain')
        .select(['id', 'seq', 'hash', 'purged_at as purgedAt'])
        .orderBy('id')
        .execute(),
    async readChain(chain, after, filter, limit) {
      const rows = await select(filter)
        .where('chain', '=', chain)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute()
      return rows.map(toEntry)
    },
    async listReads(team) {
      const rows = await read
        .selectFrom('token_reads')
        .innerJoin('token', 'token.id', 'token_reads.token_id')
        .where('token.team_id', '=', team)
        .orderBy('day', 'desc')
        .orderBy('token.id')
        .orderBy('endpoint')
        .select(['token.public_id as id', 'token.name', 'day', 'endpoint', 'reads'])
        .execute()
      return rows.map(({ id, name, ...counted }) => ({ token: { id, name }, ...counted }))
    },
    async verify(chain, { last } = {}) {
      const end = await read.selectFrom('audit_chain').where('id', '=', chain).selectAll().executeTakeFirst()
      const report = { chain, events: 0, broken: undefined, purgedAt: end?.purged_at ?? null }
      if (!end) return report
      const broken = (at: number, reason: string) => ({ ...report, broken: { seq: at, reason } })
      const isStray = 'it is not a part of the chain'
      if (end.purged_at !== null) {
        const stray = await findStray(chain)
        if (stray !== undefined) return broken(stray, isStray)
        if (await isPurgeRecorded(chain, end.hash)) return report
        return broken(1, 'it was removed, and the chain of the service does not say so')
      }
      let seq = last === undefined ? 0 : Math.max(0, end.seq - last)
      let hash: string | undefined = seq === 0 ? FIRST_HASH : (await readRows(chain, seq - 1, 1))[0]?.hash
      if (hash === undefined) return broken(seq, 'it is missing')
      const first = seq
      while (seq < end.seq) {
        const rows = await readRows(chain, seq, PORTION)
        for (const row of rows) {
          // Events after the end were recorded meanwhile.
          if (row.seq > end.seq) break
          if (row.seq !== seq + 1) return broken(seq + 1, 'it is missing')
          if (row.hash !== hashRow(hash, row)) return broken(row.seq, 'it was changed, or one before it')
          seq = row.seq
          hash = row.hash
        }
        if (rows.length === 0) return broken(seq + 1, 'it is missing')
      }
      if (hash !== end.hash) return broken(seq, 'it is not the one that the chain ended with')
      const stray = await findStray(chain)
      return stray === undefined ? { ...report, events: end.seq - first } : broken(stray, isStray)
    },
  }
}

const compareNewest = (a: AuditPlace, b: AuditPlace): number => {
  if (a.at !== b.at) return b.at - a.at
  if (a.chain !== b.chain) return a.chain < b.chain ? 1 : -1
  return b.seq - a.seq
}

const toEntry = (row: AuditRow): AuditEntry => ({
  chain: row.chain,
  seq: row.seq,
  at: toTimestamp(row.at),
  action: row.action,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  address: row.address,
  session: row.session,
  token: row.token,
  request: row.request,
  thing: row.thing_kind === null ? null : { kind: row.thing_kind, id: row.thing_id, name: row.thing_name },
  details: row.details === null ? null : JSON.parse(row.details),
  hash: row.hash,
})
