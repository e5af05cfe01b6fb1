import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { measureContents } from './measure-contents.ts'
import { KEPT_DISCARDED_MS, sweepDiscarded, sweepUnusedValues } from './sweep-discarded.ts'

const EVERY_MS = 60 * 60 * 1000

/** Clears away, from now on and every hour, the blobs that nothing names any more. Returns what ends it. */
export function startSweepingDiscarded(database: Database, blobs: BlobStore, log: Log): () => Promise<void> {
  let sweeping = Promise.resolve()
  async function sweep(): Promise<void> {
    try {
      await measureContents(database, blobs)
      const before = Date.now() - KEPT_DISCARDED_MS
      await sweepUnusedValues(database, before)
      const count = await sweepDiscarded(database, blobs, before)
      if (count > 0) log.info({ count }, 'removed blobs of what was deleted')
    } catch (err) {
      log.error({ err }, 'blobs of what was deleted could not be removed')
    }
  }
  const sweepNext = () => {
    sweeping = sweeping.then(sweep)
  }
  sweepNext()
  const timer = setInterval(sweepNext, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await sweeping
  }
}
