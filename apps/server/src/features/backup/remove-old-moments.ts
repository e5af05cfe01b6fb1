import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import { readChunks } from './line-chunks.ts'
import { listMoments, readManifest, removeMoment } from './moments.ts'

export interface RemovedMoments {
  moments: number
  /** Blobs that no moment names any more, also those of runs that were interrupted. */
  blobs: number
}

/**
 * Removes all moments but the newest `keep`, and then every blob that none of those names. To be called while
 * `lockBackup` is held. Removes nothing when the manifest of one that stays is damaged.
 */
export async function removeOldMoments(store: BlobStore, keep: number): Promise<RemovedMoments> {
  const moments = await listMoments(store)
  const kept = moments.slice(-keep)
  const old = moments.slice(0, -keep)
  const named = new DigestSet()
  for (const moment of kept) {
    const { tables, blobs } = await readManifest(store, moment)
    for (const { digest } of [...tables.flatMap(({ rows }) => rows), ...blobs]) named.add(digest)
    named.add(moment.manifest)
    for await (const digests of readChunks(store, blobs)) for (const digest of digests) named.add(digest)
  }
  for (const moment of old) await removeMoment(store, moment)
  return { moments: old.length, blobs: await removeUnnamed(store, named) }
}

async function removeUnnamed(store: BlobStore, named: DigestSet): Promise<number> {
  let count = 0
  for await (const { digest } of store.list()) {
    if (named.has(digest)) continue
    await store.remove(digest)
    count++
  }
  return count
}
