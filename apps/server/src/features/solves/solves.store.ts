import type { DocumentId, SolutionId, Unit } from '@meadow/contract'
import type { SolveCause } from '@meadow/contract/web/terms'
import type { ExpressionBuilder } from 'kysely'
import { type Actor, checkActor } from '../../access/current-roles.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { type StoredThumbnail, saveThumbnail } from '../../content/save-thumbnail.ts'
import { publishSolves, type SolveChange } from '../../content/solve-notifications.ts'
import type { SolveCompleteness } from '../../library/completeness.ts'
import { isBackupRunning } from '../../platform/blobs/backup-runs.ts'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import {
  type DocumentKey,
  SOLVE_BLOB_COLUMNS,
  type SolveKey,
  type SolveState,
  type Tables,
  type TeamKey,
  type TeamSolver,
} from '../../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../../platform/public-ids.ts'
import { GIVEN_UP, isHeld, type Lease, openQueue, UNLEASED } from '../../platform/queue.ts'
import { raiseVersion } from '../../team/raise-version.ts'
import { enqueueEvent, type WebhookEvent } from '../../team/webhook-events.ts'
import { type LeaseTerms, prepareFindNext, QUEUED, type SolveLease, takeLease } from './solve-leases.store.ts'

/**
 * Every SQL statement about the queue of solves, in the order of a solve's life: it is requested, leased to a solver,
 * renewed while that works, and completed or abandoned; once a newer one succeeded it is obsolete, and deleted later.
 * The JOB rules of SPEC.md describe it.
 */
export interface SolveStore {
  /** Finds the documents that exist, in the order of `ids`, which may be anything that a caller sent. */
  findDocuments(ids: readonly string[]): Promise<SolvableDocument[]>
  /** A page of a team's documents in order of creation; `after` is the last one of the previous page. */
  listDocuments(team: TeamKey, after: DocumentKey | undefined, limit: number): Promise<SolvableDocument[]>
  /** The solves with these ids, oldest first; cancelled ones do not exist any more. */
  listSolves(ids: readonly SolutionId[]): Promise<SolveRecord[]>
  /** The digest of the file that a document was imported from; undefined when it was created here. */
  findOriginal(document: DocumentKey): Promise<string | undefined>
  /** Resolves with undefined when the team was deleted. */
  findTeamSettings(team: TeamKey): Promise<SolveSettings | undefined>

  /** Finds how many solves wait for a solver, and for how long the first of them has waited. */
  findQueue(): Promise<{ length: number; oldestMs: number }>

  /**
   * Requests a solve of each of these documents of a team, in this order; some dozens at a time. Documents that do not
   * exist are skipped. A document that has a queued solve keeps it: it will solve the document as it is by then.
   * Throws an `AccessEndedError` when `actor`, on whose behalf it is requested, has lost the right to. What somebody
   * asked for, which is the default, is in the audit log; an automatic solve is not, and becomes one that was asked for
   * when somebody asks while it is queued.
   */
  request(
    team: TeamKey,
    documents: readonly DocumentKey[],
    options?: { actor?: Actor | undefined; cause?: SolveCause },
  ): Promise<RequestedSolves>
  /**
   * Leases the next solve to the caller; undefined when there is none. Solves with an expired lease come first, then
   * the oldest solve of the team that was served longest ago.
   */
  lease(terms: LeaseTerms & { exceptTeam?: TeamKey | undefined }): Promise<SolveLease | undefined>
  /** Extends a lease by `leaseMs` from now. False when the lease is lost: another solver may have the solve. */
  renew(lease: SolveLease, leaseMs: number): Promise<boolean>
  /** Completes a solve and charges its team, in one transaction. False when the lease is lost: nothing is charged. */
  complete(lease: SolveLease, outcome: Outcome): Promise<boolean>
  /** Returns a solve to the queue: the next solver takes it over. By default this attempt is not counted. */
  abandon(lease: SolveLease, options?: { isCounted: boolean }): Promise<void>
  /**
   * Lists some solves that became obsolete before `before` (milliseconds since 1970), with the blobs that they own;
   * none while a backup or a move runs, which may still copy those.
   */
  listObsolete(before: number, limit: number): Promise<ObsoleteSolve[]>
  /** Deletes obsolete solves, after their blobs were removed. */
  delete(solves: readonly ObsoleteSolve[]): Promise<void>
}

/** A solve as the operator's command shows it. */
export interface SolveRecord {
  id: SolutionId
  documentId: DocumentId
  documentName: string
  state: SolveState
  durationMs: number | null
  reason: string | null
  /** What was charged, in tenths of a credit; while it runs, the most that can be charged. */
  tenths: number | null
  /** Null while the document is not solved, and in solutions made before this was counted. */
  completeness: SolveCompleteness | null
}

export interface SolvableDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  team: TeamKey
}

export type RequestedSolves = { error: 'no_credits' } | { solves: RequestedSolve[] }
type RequestedSolve = { id: SolutionId; document: DocumentKey }

/** What of a team's settings a solve depends on. */
export type SolveSettings = { solver: TeamSolver; units: Unit }

/** What a solve left. `durationMs`: how long it took, in real time. */
export type SolveResult =
  | {
      state: 'solved'
      seq: number
      endedAt: number
      durationMs: number
      completeness?: SolveCompleteness
      files: SolveFiles
    }
  | { state: 'failed'; durationMs: number; reason: string }

/** How a solve ended. `chargedMs`: processor time and that of Rhino.Compute (JOB-8), in whole milliseconds begun. */
export type Outcome = SolveResult & { chargedMs: number }

/** The blobs that a solve leaves, by their digests. Lengths in bytes. */
export interface SolveFiles {
  valuesGzip: string
  valuesZstd: string
  /** Uncompressed. */
  valuesBytes: number
  /** The JSON of a `SolutionSummary`, for the editor. */
  summary?: string | undefined
  /** `fingerprintWithFile` of the content that was solved. */
  fingerprint?: string | undefined
  /** Undefined when there is no geometry, or no file could be written of it. */
  model: ModelFile | undefined
  /** The unit of lengths; by default `none`. */
  units?: Unit | undefined
  /** Why there is geometry but no model file. */
  modelFault?: string | undefined
  /** Undefined when the picture takes long, and is made when somebody looks at the document. */
  thumbnail?: StoredThumbnail | undefined
}

export interface ModelFile {
  digest: string
  bytes: number
  objects: number
}

/** A solve that a newer one has replaced. */
export interface ObsoleteSolve {
  key: SolveKey
  /** Digests. No other record names them, because each blob contains the solution's own id. */
  blobs: string[]
}

/** Bounds how often a solver looks again after others were faster. */
const MAX_LEASE_TRIES = 50

/** `now` in milliseconds since 1970, by default by the clock of the database. */
export function createSolveStore(
  database: Database,
  now: () => number = () => timeOf(database.read),
): SolveStore {
  const { read } = database
  const findNext = prepareFindNext(database)
  const openSolves = (leaseMs: number) => openQueue(database, 'solve', { leaseMs, now })
  const publish = (write: Write, change: SolveChange, solves: readonly { document: DocumentKey }[]) =>
    publishSolves(
      database,
      write,
      change,
      solves.map(({ document }) => document),
    )
  return {
    async findDocuments(ids) {
      const found = await findSolvable(read, ids)
      return ids.flatMap((id) => found.find((document) => document.id === id) ?? [])
    },
    listDocuments: (team, after, limit) => listSolvable(read, team, after, limit),
    async listSolves(ids) {
      if (ids.length === 0) return []
      const rows = await selectSolves(read).where('solve.public_id', 'in', ids).orderBy('solve.id').execute()
      return rows.map(({ completeness: json, ...row }) => ({
        ...row,
        completeness: json === null ? null : JSON.parse(json),
      }))
    },
    async findOriginal(document) {
      const row = await read
        .selectFrom('document')
        .where('id', '=', document)
        .select('source_blob')
        .executeTakeFirst()
      return row?.source_blob ?? undefined
    },
    findTeamSettings: (team) =>
      read.selectFrom('team').where('id', '=', team).select(['solver', 'units']).executeTakeFirst(),

    async findQueue() {
      const { length, askedAt } = await read
        .selectFrom('solve')
        .where('state', '=', QUEUED)
        .select((row) => [row.fn.countAll<number>().as('length'), row.fn.min('asked_at').as('askedAt')])
        .executeTakeFirstOrThrow()
      return { length, oldestMs: askedAt === null ? 0 : Math.max(0, now() - askedAt) }
    },

    request: (team, documents, { actor, cause = 'asked' } = {}) =>
      database.transaction(async (write) => {
        if (!(await hasCredits(write, team))) return { error: 'no_credits' }
        if (documents.length === 0) return { solves: [] }
        await raiseVersion(write, team)
        if (actor) await checkActor(database, write, actor)
        const solves = await insertQueued(write, team, documents, { cause, now: now() })
        await publish(write, 'queued', solves)
        return { solves }
      }),
    async lease({ exceptTeam, ...terms }) {
      for (let tries = 0; tries < MAX_LEASE_TRIES; tries++) {
        const entry = await findNext(now(), terms.leaseMs, exceptTeam)
        if (!entry) return undefined
        const { lease } = await database.transaction(async (write) => {
          const taken = await takeLease(write, entry, terms, openSolves(terms.leaseMs), now())
          if (taken.lease) await publish(write, 'running', [taken.lease])
          await publish(write, 'ended', taken.ended)
          return taken
        })
        if (lease) return lease
      }
      return undefined
    },
    renew: (lease, leaseMs) => openSolves(leaseMs).renew(lease),
    complete: (lease, outcome) =>
      database.transaction(async (write) => {
        const isDone = await complete(write, lease, outcome, now())
        if (isDone) await publish(write, 'ended', [lease])
        return isDone
      }),
    abandon: (lease, { isCounted } = { isCounted: false }) =>
      database.transaction(async (write) => {
        await updateLeased(write, lease)
          .set(({ eb }) => ({
            ...GIVEN_UP,
            attempts: eb('attempts', '-', isCounted ? 0 : 1),
          }))
          .execute()
        await publish(write, 'queued', [lease])
      }),
    listObsolete: async (before, limit) =>
      (await isBackupRunning(database)) ? [] : listObsolete(read, before, limit),
    delete: (solves) =>
      database.transaction(async (write) => {
        const keys = solves.map(({ key }) => key)
        if (keys.length > 0) await write.deleteFrom('solve').where('id', 'in', keys).execute()
      }),
  }
}

// Documents and records.

const selectDocuments = (read: Select) =>
  read
    .selectFrom('document')
    .where('document.bin_id', 'is', null)
    .select(['document.id as key', 'document.public_id as id', 'document.name', 'document.team_id as team'])

async function findSolvable(read: Select, ids: readonly string[]): Promise<SolvableDocument[]> {
  const valid = ids.filter((id): id is DocumentId => isPublicId('doc', id))
  return valid.length === 0 ? [] : selectDocuments(read).where('document.public_id', 'in', valid).execute()
}

const listSolvable = (read: Select, team: TeamKey, after: DocumentKey | undefined, limit: number) =>
  selectDocuments(read)
    .where('document.team_id', '=', team)
    .where('document.id', '>', after ?? (0 as DocumentKey))
    .orderBy('document.id')
    .limit(limit)
    .execute()

/** Selects solves as `SolveRecord`s, with the JSON of their completeness. */
const selectSolves = (read: Select) =>
  read
    .selectFrom('solve')
    .innerJoin('document', 'document.id', 'solve.document_id')
    .select([
      'solve.public_id as id',
      'document.public_id as documentId',
      'document.name as documentName',
      'solve.state',
      'solve.duration_ms as durationMs',
      'solve.reason',
      'solve.credit_tenths as tenths',
      'solve.completeness',
    ])

/** The row of a lease, to be updated; no row when the lease is lost. */
const updateLeased = (write: Write, lease: Lease) => write.updateTable('solve').where(isHeld('solve', lease))

// Request.

async function hasCredits(write: Write, team: TeamKey): Promise<boolean> {
  const { credit_tenths } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select('credit_tenths')
    .executeTakeFirstOrThrow()
  return credit_tenths > 0
}

async function insertQueued(
  write: Write,
  team: TeamKey,
  documents: readonly DocumentKey[],
  { cause, now }: { cause: SolveCause; now: number },
): Promise<RequestedSolve[]> {
  const current = await write
    .selectFrom('document')
    .where('team_id', '=', team)
    .where('id', 'in', documents)
    .where('bin_id', 'is', null)
    .select(['id as document_id', 'team_id', 'seq', 'public_id as id', 'name'])
    .execute()
  if (current.length === 0) return []
  const requested = new Map(documents.map((document, position) => [document, position]))
  current.sort((a, b) => requested.get(a.document_id)! - requested.get(b.document_id)!)
  const rows = current.map(({ id: _, name: __, ...document }) => ({
    ...document,
    public_id: createPublicId('sol'),
    state: 'queued' as const,
    asked_at: now,
    cause,
  }))
  const before = await listAskedFor(write, documents)
  const solves = await write
    .insertInto('solve')
    .values(rows)
    // A queued solve keeps its position: it will solve the document as it is by then.
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .where('state', '=', QUEUED)
        .doUpdateSet(({ ref }) => ({ seq: ref('excluded.seq'), ...(cause === 'asked' && { cause }) })),
    )
    .returning(['public_id as id', 'document_id as document'])
    .execute()
  const things = new Map(current.map(({ document_id, id, name }) => [document_id, { id, name }]))
  for (const { id, document } of cause === 'asked' ? solves : []) {
    const target = { kind: 'document', ...things.get(document)! }
    if (!before.has(document))
      recordEvent(write, { action: 'solve.requested', team, target, details: { solution: id } })
  }
  return solves
}

/** Lists the documents that have a queued solve that somebody asked for. */
async function listAskedFor(write: Write, documents: readonly DocumentKey[]): Promise<Set<DocumentKey>> {
  const rows = await write
    .selectFrom('solve')
    .where('state', '=', QUEUED)
    .where('cause', '=', 'asked')
    .where('document_id', 'in', documents)
    .select('document_id')
    .execute()
  return new Set(rows.map(({ document_id }) => document_id))
}

// Complete.

async function complete(write: Write, lease: SolveLease, outcome: Outcome, now: number): Promise<boolean> {
  await raiseVersion(write, lease.team)
  const tenths = Math.min(tenthsFor(outcome.chargedMs), lease.maxTenths)
  const completed = await updateLeased(write, lease)
    .set({
      ...columnsOf(outcome, now),
      credit_tenths: tenths,
      duration_ms: Math.round(outcome.durationMs),
      ...UNLEASED,
    })
    .returning('cause')
    .executeTakeFirst()
  if (!completed) return isCompleted(write, lease, outcome)
  await charge(write, lease, outcome, { tenths, cause: completed.cause, now })
  enqueueEvent(write, describeEnd(lease, outcome))
  await markOlderObsolete(write, lease, outcome, now)
  if (outcome.state === 'solved') {
    const source = { document: lease.document, seq: outcome.seq, solve: lease.key }
    await saveThumbnail(write, source, outcome.files.thumbnail)
  }
  return true
}

/** Returns the event that webhooks get. */
function describeEnd({ id, team, document }: SolveLease, outcome: Outcome): WebhookEvent {
  if (outcome.state === 'failed')
    return { type: 'document.failed', team, document, solution: { id, reason: outcome.reason } }
  const { completeness, durationMs } = outcome
  const isComplete = completeness
    ? completeness.failed + completeness.unsupported + completeness.unknown === 0
    : null
  const solution = { id, durationMs: Math.round(durationMs), isComplete }
  return { type: 'document.solved', team, document, solution }
}

/**
 * Whether the solve already has this outcome: an earlier try may have been committed and its result lost with the
 * connection. The outcome's blobs are then in use.
 */
async function isCompleted(write: Write, { key, attempt }: SolveLease, outcome: Outcome): Promise<boolean> {
  const rows = write.selectFrom('solve').where('id', '=', key).where('state', '=', outcome.state)
  const same =
    outcome.state === 'failed'
      ? rows.where('attempts', '=', attempt).where('reason', '=', outcome.reason)
      : rows.where('values_gzip', '=', outcome.files.valuesGzip)
  return (await same.select('id').executeTakeFirst()) !== undefined
}

/** Decision 44: a credit is a second, and each tenth that was begun counts, the first one always. */
export const tenthsFor = (ms: number): number => Math.max(Math.ceil(ms / 100), 1)

function columnsOf(outcome: Outcome, now: number) {
  if (outcome.state === 'failed') return { state: outcome.state, reason: outcome.reason, ended_at: now }
  const { state, seq, endedAt, completeness, files } = outcome
  const {
    valuesGzip,
    valuesZstd,
    valuesBytes,
    summary,
    fingerprint,
    model,
    units = 'none',
    modelFault,
  } = files
  return {
    state,
    seq,
    ended_at: endedAt,
    values_gzip: valuesGzip,
    values_zstd: valuesZstd,
    values_bytes: valuesBytes,
    completeness: completeness ? JSON.stringify(completeness) : null,
    summary: summary ?? null,
    fingerprint: fingerprint ?? null,
    model_fault: modelFault ?? null,
    units,
    ...(model && { model: model.digest, model_bytes: model.bytes, model_objects: model.objects }),
  }
}

/** Charges the team, and writes the entry of its credit list, which is retained for longer than solves are. */
async function charge(
  write: Write,
  lease: SolveLease,
  { state, durationMs }: Outcome,
  { tenths, cause, now }: { tenths: number; cause: SolveCause | null; now: number },
): Promise<void> {
  const { name } = await write
    .selectFrom('document')
    .where('id', '=', lease.document)
    .select('name')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('credit_entry')
    .values({
      team_id: lease.team,
      at: now,
      credit_tenths: -tenths,
      solution_id: lease.id,
      state,
      duration_ms: Math.round(durationMs),
      document_id: lease.documentId,
      document_name: name,
      cause,
    })
    .execute()
  await write
    .updateTable('team')
    .set(({ eb }) => ({ credit_tenths: eb('credit_tenths', '-', tenths) }))
    .where('id', '=', lease.team)
    .execute()
}

// Obsolete solves.

/** A failure replaces earlier failures only: exports are made from the last solution (decision 27). */
async function markOlderObsolete(write: Write, lease: SolveLease, { state }: Outcome, now: number) {
  await write
    .updateTable('solve')
    .set({ superseded_at: now })
    .where('document_id', '=', lease.document)
    .where('id', '<', lease.key)
    .where('superseded_at', 'is', null)
    .where('state', 'in', state === 'solved' ? ['solved', 'failed'] : ['failed'])
    .execute()
}

/** How many of the newest versions of a document keep their solutions, beside named and pinned versions. */
const VERSIONS_WITH_SOLUTIONS = 5

/** A version whose solution a solve is: the newest of the solves of its content. */
const keptVersionOf = ({ selectFrom }: ExpressionBuilder<Tables, 'solve'>) =>
  selectFrom('document_version as version')
    .whereRef('version.document_id', '=', 'solve.document_id')
    .whereRef('version.fingerprint', '=', 'solve.fingerprint')
    .where(({ or, eb }) =>
      or([
        eb('version.name', 'is not', null),
        eb('version.is_pinned', '=', 1),
        eb('version.seq', 'in', ({ selectFrom }) =>
          selectFrom('document_version as recent')
            .whereRef('recent.document_id', '=', 'solve.document_id')
            .orderBy('recent.seq', 'desc')
            .limit(VERSIONS_WITH_SOLUTIONS)
            .select('recent.seq'),
        ),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('solve as newer')
            .whereRef('newer.document_id', '=', 'solve.document_id')
            .whereRef('newer.fingerprint', '=', 'solve.fingerprint')
            .where('newer.state', '=', 'solved')
            .whereRef('newer.id', '>', 'solve.id')
            .select('newer.id'),
        ),
      ),
    )
    .select('version.id')

async function listObsolete(read: Select, before: number, limit: number): Promise<ObsoleteSolve[]> {
  const rows = await read
    .selectFrom('solve')
    .where('superseded_at', '<', before)
    .where((where) => where.not(where.exists(keptVersionOf(where))))
    .orderBy('superseded_at')
    .limit(limit)
    .select(['id', ...SOLVE_BLOB_COLUMNS])
    .execute()
  return rows.map(({ id, ...digests }) => ({
    key: id,
    blobs: Object.values(digests).filter((digest) => digest !== null),
  }))
}
