import type { DocumentId, SolutionId } from '@meadow/contract'
import { type Expression, sql } from 'kysely'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { CLOCK_MARGIN_MS } from '../../platform/database/database-clock.ts'
import type { DocumentKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { type Lease, type Queue, UNLEASED } from '../../platform/queue.ts'
import { raiseVersion } from '../../team/raise-version.ts'
import { enqueueEvent } from '../../team/webhook-events.ts'

// A solver leases a solve in two steps: it finds the next entry of the queue, and takes it if no other was faster.

export interface LeaseTerms {
  leaseMs: number
  /** The most that one solve can be charged, in tenths of a credit. */
  maxTenths: number
}

/** The exclusive right to complete a solve. */
export interface SolveLease extends Lease<SolveKey> {
  id: SolutionId
  team: TeamKey
  document: DocumentKey
  documentId: DocumentId
  maxTenths: number
  /** 1 for the first solver. */
  attempt: number
}

// Conditions. States are literals rather than parameters, so that databases recognize that a partial index applies.

export const QUEUED = sql.lit('queued' as const)
const RUNNING = sql.lit('running' as const)

const isRunning = (document: Expression<DocumentKey>) =>
  sql<boolean>`exists (select 1 from solve as running where state = ${RUNNING} and document_id = ${document})`

/** The most that the running solves of a team can be charged together, in tenths of a credit. */
const reservedBy = (team: Expression<TeamKey>) =>
  sql<number>`(select coalesce(sum(credit_tenths), 0) from solve as spending where state = ${RUNNING} and team_id = ${team})`

/** The solve to be leased next. */
export interface QueueEntry {
  key: SolveKey
  team: TeamKey
  /** A solver began it and did not renew its lease, or abandoned it. */
  isExpired: boolean
}

interface FindNextParameters {
  now: number
  /** A lease that expires later was taken by a clock that was ahead. */
  latest: number
  exceptTeam: TeamKey
}

const NO_TEAM = 0 as TeamKey

/** Prepares the search for the next solve, which runs without a transaction, because idle solvers look every second. */
export function prepareFindNext(database: Database) {
  const findExpired = database.prepare((read, { now, latest, exceptTeam }: FindNextParameters) =>
    read
      .selectFrom('solve')
      .where('state', '=', RUNNING)
      .where(({ or, eb }) => or([eb('lease_until', '<', now), eb('lease_until', '>', latest)]))
      .where('team_id', '<>', exceptTeam)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('team')
              .whereRef('team.id', '=', 'solve.team_id')
              .where('team.deleted_at', 'is not', null)
              .select('team.id'),
          ),
        ),
      )
      .orderBy('lease_until')
      // Abandoned solves all have the same: the oldest of them first.
      .orderBy('id')
      .select(['id as key', 'team_id as team'])
      .limit(1),
  )
  const findQueued = database.prepare(selectNextQueued)
  return async (now: number, leaseMs: number, exceptTeam = NO_TEAM): Promise<QueueEntry | undefined> => {
    const expired = await findExpired.first({ now, latest: now + leaseMs + CLOCK_MARGIN_MS, exceptTeam })
    if (expired) return { ...expired, isExpired: true }
    const queued = await findQueued.first({ exceptTeam })
    return queued && { ...queued, isExpired: false }
  }
}

/**
 * The oldest queued solve of the team that was served longest ago, so that a thousand solves of one team do not delay
 * another team's. Teams without credits are included: their solves are cancelled when they come up.
 */
const selectNextQueued = (read: Select, { exceptTeam }: Pick<FindNextParameters, 'exceptTeam'>) =>
  read
    .selectFrom('solve as waiting')
    .innerJoin('team', 'team.id', 'waiting.team_id')
    .where('waiting.state', '=', QUEUED)
    .where('team.id', '<>', exceptTeam)
    .where('team.deleted_at', 'is', null)
    .where(({ not, ref }) => not(isRunning(ref('waiting.document_id'))))
    .where(({ eb, or, ref }) =>
      or([eb('team.credit_tenths', '<=', 0), eb('team.credit_tenths', '>', reservedBy(ref('team.id')))]),
    )
    .groupBy('team.id')
    .select(({ fn }) => [fn.min('waiting.id').as('key'), 'team.id as team'])
    .orderBy(({ selectFrom, fn, val }) =>
      fn.coalesce(
        selectFrom('solve as served')
          .select(({ fn }) => fn.max('served.started_at').as('at'))
          .whereRef('served.team_id', '=', 'team.id'),
        val(0),
      ),
    )
    .orderBy('key')
    .limit(1)

/** The solves of documents. */
type Solves = { document: DocumentKey }[]

/**
 * Leases a solve. `lease` is undefined when another solver was faster, when the team has no credits, or after too many
 * attempts; solves are then cancelled or failed (`ended`), so that the next search finds another one.
 */
export async function takeLease(
  write: Write,
  entry: QueueEntry,
  { maxTenths }: LeaseTerms,
  queue: Queue,
  now: number,
): Promise<{ lease: SolveLease | undefined; ended: Solves }> {
  await raiseVersion(write, entry.team)
  const ended = await (entry.isExpired
    ? failAfterLastAttempt(write, entry, queue, now)
    : cancelWithoutCredits(write, entry.team))
  if (ended.length > 0) return { lease: undefined, ended }
  const taken = queue.take()
  const [leased] = await (entry.isExpired ? updateExpired(write, entry, queue) : updateQueued(write, entry))
    .set(({ eb }) => ({
      state: 'running',
      ...taken,
      started_at: now,
      attempts: eb('attempts', '+', 1),
      credit_tenths: maxTenths,
    }))
    .returning([
      'solve.id as key',
      'public_id as id',
      'team_id as team',
      'document_id as document',
      'attempts as attempt',
    ])
    .execute()
  if (!leased) return { lease: undefined, ended }
  const { documentId } = await write
    .selectFrom('document')
    .where('id', '=', leased.document)
    .select('public_id as documentId')
    .executeTakeFirstOrThrow()
  return { lease: { ...leased, documentId, leaseId: taken.claimed_by, maxTenths }, ended }
}

const updateExpired = (write: Write, { key }: QueueEntry, queue: Queue) =>
  write.updateTable('solve').where('id', '=', key).where('state', '=', RUNNING).where(queue.isFree())

/** Updates a solve while its team can pay for it beside the running ones, and no other one of its document runs. */
const updateQueued = (write: Write, { key, team }: QueueEntry) =>
  write
    .updateTable('solve')
    .where('id', '=', key)
    .where('state', '=', QUEUED)
    .where(({ not, ref }) => not(isRunning(ref('solve.document_id'))))
    .where(
      ({ selectFrom }) => selectFrom('team').select('credit_tenths').where('id', '=', team),
      '>',
      ({ val }) => reservedBy(val(team)),
    )

const MAX_ATTEMPTS = 3

async function failAfterLastAttempt(
  write: Write,
  entry: QueueEntry,
  queue: Queue,
  now: number,
): Promise<Solves> {
  const reason = `The solve was interrupted ${MAX_ATTEMPTS} times: its process was ended from outside, as by a system whose memory is used up.`
  const failed = await updateExpired(write, entry, queue)
    .where('attempts', '>=', MAX_ATTEMPTS)
    .set({
      state: 'failed',
      ended_at: now,
      credit_tenths: 0,
      reason,
      ...UNLEASED,
    })
    .returning(['document_id as document', 'public_id as id'])
    .execute()
  for (const { document, id } of failed)
    enqueueEvent(write, { type: 'document.failed', team: entry.team, document, solution: { id, reason } })
  return failed
}

/** Decision 32: without credits there is no solve, and the documents return to their previous state. */
function cancelWithoutCredits(write: Write, team: TeamKey): Promise<Solves> {
  return write
    .deleteFrom('solve')
    .where('team_id', '=', team)
    .where('state', '=', QUEUED)
    .where(({ selectFrom }) => selectFrom('team').select('credit_tenths').where('id', '=', team), '<=', 0)
    .returning('document_id as document')
    .execute()
}
