import type { FolderId, MirrorId, TeamId } from '@meadow/contract'
import type { MirrorCounts, MirrorRunState } from '@meadow/contract/web'
import { FOLDER_OF_ITEM_COLUMNS, toFolderOfItem } from '../../library/listing.ts'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { hasEnded, timeOf } from '../../platform/database/database-clock.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { FolderKey, MirrorKey, MirrorRunKey, TeamKey } from '../../platform/database/tables.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'
import { createPublicId, isPublicId } from '../../platform/public-ids.ts'
import { isHeld, type Lease, openQueue, type Queue, UNLEASED } from '../../platform/queue.ts'
import { sortByName } from '../../platform/sort-by-name.ts'
import type { RecordedChange } from './mirror-changes.ts'

/**
 * Every SQL statement about mirrors. A mirror is leased by the process that runs it, which records the run; the lease of
 * a process that was killed expires. Times are milliseconds since 1970.
 */
export interface MirrorStore {
  /** Throws a {@link MirrorError} when the folder of the team has a mirror already. */
  add(mirror: NewMirror): Promise<MirrorId>
  /** Lists mirrors by name, those of all teams if `team` is not given. */
  list(team?: TeamKey): Promise<MirrorRecord[]>
  find(id: string): Promise<MirrorRecord | undefined>
  /** Removes a mirror and its runs; what was imported stays. */
  remove(mirror: MirrorKey): Promise<void>
  /** Takes the exclusive right to run a mirror, until it is completed, and records a run. */
  lease(mirror: MirrorKey): Promise<MirrorLease | OtherLease>
  /** Renews a lease; false when it is lost: another process may run the mirror, or it was removed. */
  renew(lease: MirrorLease): Promise<boolean>
  /** Ends the lease and records how the run ended. False when the lease is lost. */
  complete(lease: MirrorLease, ended: EndedRun): Promise<boolean>
  /** Says whether this process follows the folder's changes; to be repeated within {@link WATCHED_MS}. */
  setWatched(mirror: MirrorKey, isWatched: boolean): Promise<void>
  /** Lists the runs that have ended, the newest first. */
  listRuns(mirror: MirrorKey): Promise<RecordedRun[]>
  /** Lists which of these documents and files the team has, outside of its bin. */
  listThere(team: TeamKey, ids: readonly string[]): Promise<ReadonlySet<string>>
}

export interface NewMirror {
  team: TeamKey
  folder: FolderKey
  name: string
  /** An absolute path. */
  path: string
  gone: GoneChoice
  onConflict: string
}

/** What happens to what belongs to files that are deleted. */
export type GoneChoice = 'keep' | 'bin'

export interface MirrorRecord extends Omit<NewMirror, 'folder'> {
  key: MirrorKey
  id: MirrorId
  teamId: TeamId
  /** Undefined when the folder was deleted or is in the bin. The root has the name of the team. */
  folder: { key: FolderKey; id: FolderId; name: string } | undefined
  createdAt: number
  isWatched: boolean
  completedAt: number | null
  lastRun: Omit<RecordedRun, 'changes'> | undefined
}

export interface RecordedRun {
  state: MirrorRunState
  startedAt: number
  endedAt: number | null
  reason: string | null
  counts: MirrorCounts | null
  /** The first ones. */
  changes: readonly RecordedChange[]
}

export interface EndedRun {
  state: Exclude<MirrorRunState, 'running'>
  reason?: string | undefined
  counts?: MirrorCounts | undefined
  changes?: readonly RecordedChange[]
}

/** The exclusive right to run a mirror. */
export interface MirrorLease extends Lease<MirrorKey> {
  run: MirrorRunKey
}

/** Another process runs the mirror, or was killed while it did. */
export interface OtherLease {
  expiresInMs: number
}

/** A mirror cannot be registered. The message is a sentence. */
export class MirrorError extends Error {
  override readonly name: string = 'MirrorError'
}

/** How long a lease outlives the process that holds it. */
export const MIRROR_LEASE_MS = lengthOf('mirror.lease_until')

/** How long it counts that a process has said that it follows a folder. */
export const WATCHED_MS = lengthOf('mirror.watched_until')

/** How many runs of a mirror are retained. */
const MAX_RUNS = 20

const LOST = 'The process that ran it ended before the run did.'

/** `now` in milliseconds since 1970, by default by the clock of the database. */
export function createMirrorStore(
  database: Database,
  now: () => number = () => timeOf(database.read),
): MirrorStore {
  const { read } = database
  const queue = openQueue(database, 'mirror', { now })
  return {
    add: (mirror) => database.transaction((write) => addMirror(write, mirror, now())),
    async list(team) {
      const rows = await selectMirrors(read)
        .$if(team !== undefined, (query) => query.where('mirror.team_id', '=', team!))
        .execute()
      return sortByName(rows.map((row) => toRecord(row, now())))
    },
    async find(id) {
      if (!isPublicId('mir', id)) return undefined
      const row = await selectMirrors(read).where('mirror.public_id', '=', id).executeTakeFirst()
      return row && toRecord(row, now())
    },
    remove: (mirror) =>
      database.transaction(async (write) => {
        await write.deleteFrom('mirror').where('id', '=', mirror).execute()
      }),
    lease: (mirror) => database.transaction((write) => leaseMirror(write, mirror, queue, now())),
    renew: queue.renew,
    complete: (lease, ended) => database.transaction((write) => completeRun(write, lease, ended, now())),
    setWatched: (mirror, isWatched) =>
      database.transaction(async (write) => {
        const watched_until = isWatched ? now() + WATCHED_MS : null
        await write.updateTable('mirror').set({ watched_until }).where('id', '=', mirror).execute()
      }),
    async listRuns(mirror) {
      const rows = await selectRuns(read, mirror).where('state', '!=', 'running').execute()
      return rows.map(({ key: _, changes, ...row }) => ({
        ...toRun(row, false),
        changes: JSON.parse(changes ?? '[]'),
      }))
    },
    async listThere(team, ids) {
      const there = new Set<string>()
      for (const batch of inBatches([...new Set(ids)])) {
        for (const table of ['document', 'team_file'] as const) {
          const rows = await read
            .selectFrom(table)
            .where('team_id', '=', team)
            .where('public_id', 'in', batch as never[])
            .where('bin_id', 'is', null)
            .select('public_id')
            .execute()
          for (const { public_id } of rows) there.add(public_id)
        }
      }
      return there
    },
  }
}

async function addMirror(write: Write, { team, folder, onConflict, ...rest }: NewMirror, now: number) {
  const other = await write
    .selectFrom('mirror')
    .where('folder_id', '=', folder)
    .select(['path', 'public_id as id'])
    .executeTakeFirst()
  if (other) {
    throw new MirrorError(
      `The folder receives the contents of "${other.path}" (${other.id}) already: give each mirror a folder of its own.`,
    )
  }
  const id = createPublicId('mir')
  const values = { ...rest, team_id: team, folder_id: folder, on_conflict: onConflict }
  await write
    .insertInto('mirror')
    .values({ ...values, public_id: id, created_at: now })
    .execute()
  return id
}

const selectMirrors = (read: Select) =>
  read
    .selectFrom('mirror')
    .innerJoin('team', 'team.id', 'mirror.team_id')
    .leftJoin('folder', (join) =>
      join.onRef('folder.id', '=', 'mirror.folder_id').on('folder.bin_id', 'is', null),
    )
    .leftJoin('mirror_run as run', (join) =>
      join.on('run.id', '=', ({ selectFrom }) =>
        selectFrom('mirror_run as last')
          .whereRef('last.mirror_id', '=', 'mirror.id')
          .select(({ fn }) => fn.max('last.id').as('id')),
      ),
    )
    .select([
      'mirror.id as key',
      'mirror.public_id as id',
      'mirror.team_id as team',
      'team.public_id as teamId',
      'team.name as teamName',
      'folder.id as folder',
      ...FOLDER_OF_ITEM_COLUMNS,
      'mirror.name',
      'mirror.path',
      'mirror.gone',
      'mirror.on_conflict as onConflict',
      'mirror.created_at as createdAt',
      'mirror.watched_until as watchedUntil',
      'mirror.lease_until as leaseUntil',
      'mirror.completed_at as completedAt',
      'run.state',
      'run.started_at as startedAt',
      'run.ended_at as endedAt',
      'run.reason',
      'run.counts',
    ])

type MirrorRow = Awaited<ReturnType<ReturnType<typeof selectMirrors>['execute']>>[number]

function toRecord(row: MirrorRow, now: number): MirrorRecord {
  const { folder, folderId, folderName, folderParent, teamName, watchedUntil, leaseUntil, ...rest } = row
  const { state, startedAt, endedAt, reason, counts, gone, ...mirror } = rest
  const isRunning = leaseUntil !== null && !hasEnded(leaseUntil, MIRROR_LEASE_MS, now)
  return {
    ...mirror,
    gone: gone as GoneChoice,
    folder:
      folder === null
        ? undefined
        : {
            key: folder,
            ...toFolderOfItem({ folderId: folderId!, folderName: folderName!, folderParent }, teamName),
          },
    isWatched: watchedUntil !== null && !hasEnded(watchedUntil, WATCHED_MS, now),
    lastRun:
      state === null
        ? undefined
        : toRun({ state, startedAt: startedAt!, endedAt, reason, counts }, isRunning),
  }
}

interface RunRow {
  state: MirrorRunState
  startedAt: number
  endedAt: number | null
  reason: string | null
  counts: string | null
}

/** A run whose process was killed is stopped, also before another process takes its lease over. */
const toRun = ({ counts, ...run }: RunRow, isRunning: boolean) => ({
  ...run,
  ...(run.state === 'running' && !isRunning && { state: 'stopped' as const, reason: LOST }),
  counts: counts === null ? null : (JSON.parse(counts) as MirrorCounts),
})

/** Takes over an expired lease, and ends the run of the process that held it. */
async function leaseMirror(
  write: Write,
  mirror: MirrorKey,
  queue: Queue,
  now: number,
): Promise<MirrorLease | OtherLease> {
  const taken = queue.take()
  const leased = await write
    .updateTable('mirror')
    .set(taken)
    .where('id', '=', mirror)
    .where(queue.isFree())
    .executeTakeFirst()
  if (leased.numUpdatedRows === 0n) {
    const other = await write
      .selectFrom('mirror')
      .where('id', '=', mirror)
      .select('lease_until as expiresAt')
      .executeTakeFirst()
    if (!other) throw new MirrorError('The mirror was removed.')
    return { expiresInMs: Math.max(0, other.expiresAt! - now) }
  }
  await write
    .updateTable('mirror_run')
    .set({ state: 'stopped', ended_at: now, reason: LOST })
    .where('mirror_id', '=', mirror)
    .where('state', '=', 'running')
    .execute()
  const { run } = await write
    .insertInto('mirror_run')
    .values({ mirror_id: mirror, state: 'running', started_at: now })
    .returning('id as run')
    .executeTakeFirstOrThrow()
  return { key: mirror, run, leaseId: taken.claimed_by }
}

async function completeRun(
  write: Write,
  lease: MirrorLease,
  { state, reason = undefined, counts, changes = [] }: EndedRun,
  now: number,
): Promise<boolean> {
  const isComplete = state === 'done' || state === 'partial'
  const ended = await write
    .updateTable('mirror')
    .set({ ...UNLEASED, ...(isComplete && { completed_at: now }) })
    .where(isHeld('mirror', lease))
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return false
  await write
    .updateTable('mirror_run')
    .set({
      state,
      ended_at: now,
      reason: reason ?? null,
      counts: counts ? JSON.stringify(counts) : null,
      changes: JSON.stringify(changes),
    })
    .where('id', '=', lease.run)
    .execute()
  await deleteOldRuns(write, lease)
  return true
}

/** Deletes the runs beyond the last ones, and the one before when it says the same: a nightly run without changes. */
async function deleteOldRuns(write: Write, { key: mirror }: MirrorLease): Promise<void> {
  const runs = await selectRuns(write, mirror).execute()
  const [last, previous] = runs
  const isRepeated =
    previous?.state === last?.state &&
    previous?.reason === last?.reason &&
    previous?.changes === last?.changes
  const obsolete = [...(isRepeated && previous ? [previous] : []), ...runs.slice(MAX_RUNS)]
  if (obsolete.length === 0) return
  const keys = obsolete.map(({ key }) => key)
  await write.deleteFrom('mirror_run').where('id', 'in', keys).execute()
}

const selectRuns = (read: Select, mirror: MirrorKey) =>
  read
    .selectFrom('mirror_run')
    .where('mirror_id', '=', mirror)
    .orderBy('id', 'desc')
    .select([
      'id as key',
      'state',
      'started_at as startedAt',
      'ended_at as endedAt',
      'reason',
      'counts',
      'changes',
    ])
