import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type IsAssigned, startHourly } from '../../platform/cluster/singleton-jobs.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { SolveStore } from './solves.store.ts'

/**
 * How long an obsolete solve and its blobs are retained: far longer than any response takes to be sent, and than the hour
 * for which a download link is valid.
 */
const RETENTION_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/** Deletes obsolete solves now and every hour. Returns a function that stops this. */
export function collectGarbageHourly(
  database: Pick<Database, 'read'>,
  store: SolveStore,
  blobs: BlobStore,
  isAssigned: IsAssigned,
  log: Log,
): () => Promise<void> {
  const collect = async () => {
    const count = await deleteObsoleteSolves(store, blobs, (await steadyTime(database.read)) - RETENTION_MS)
    if (count > 0) log.info({ count }, 'obsolete solves were deleted')
  }
  return startHourly(isAssigned, collect, (err) => log.error({ err }, 'obsolete solves could not be deleted'))
}

/**
 * Deletes the solves that became obsolete before `before` (milliseconds since 1970), and returns their number. Blobs
 * are removed before their rows, so that an interrupted run can be repeated.
 */
export async function deleteObsoleteSolves(
  store: SolveStore,
  blobs: BlobStore,
  before: number,
): Promise<number> {
  let count = 0
  for (;;) {
    const solves = await store.listObsolete(before, BATCH)
    if (solves.length === 0) return count
    for (const digest of solves.flatMap((solve) => solve.blobs)) await blobs.remove(digest)
    await store.delete(solves)
    count += solves.length
  }
}
