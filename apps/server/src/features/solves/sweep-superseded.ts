import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { SolveStore } from './solves.store.ts'

/**
 * How long what a solve left is kept once a newer one took its place. Far longer than any answer takes to be sent,
 * and than the hour for which a link works: nobody who began with it finds it gone.
 */
export const KEPT_SUPERSEDED_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/**
 * Removes what solves left that were superseded before `before` (milliseconds since 1970); returns how many solves
 * that were. Blobs go first, so that one that is cut off finds the rest again.
 */
export async function sweepSuperseded(store: SolveStore, blobs: BlobStore, before: number): Promise<number> {
  let count = 0
  for (;;) {
    const solves = await store.listSuperseded(before, BATCH)
    if (solves.length === 0) return count
    for (const digest of solves.flatMap((solve) => solve.blobs)) await blobs.remove(digest)
    await store.drop(solves)
    count += solves.length
  }
}
