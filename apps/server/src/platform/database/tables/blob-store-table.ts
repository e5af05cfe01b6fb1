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
  /** Without keys; as the process that registered it reaches it. */
  location: string
  /** The machine of that process: a folder may be its own. */
  host: string
  created_at: Milliseconds
}
