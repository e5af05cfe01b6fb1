import type { Milliseconds } from './column-types.ts'

/**
 * `current`: has all blobs of the service. `next`: they are being moved there. `former`: they were moved away from it.
 * There is one current store, and at most one next one.
 */
export type BlobStoreState = 'current' | 'next' | 'former'

/** A store that has or had the blobs of the service. */
export interface BlobStoreTable {
  /** A UUID, which is also in the store's mark `store`. */
  id: string
  state: BlobStoreState
  /** The location, without keys, at which the process that registered the store reaches it. */
  location: string
  /** The machine of the process that registered the store: only this machine may have the folder. */
  host: string
  created_at: Milliseconds
}
