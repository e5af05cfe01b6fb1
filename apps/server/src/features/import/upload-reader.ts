import type { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { PoolLimits } from '../../platform/processes/pool-limits.ts'
import { openDefinitionReader, type StoredDocument } from './definition-reader.ts'

/** Reads uploaded files, few at a time, so that memory does not grow with their number. Teams take turns. */
export interface UploadReader extends AsyncDisposable {
  /** The document of a file in the blob store, where a large content is put too. Throws an `ImportError`. */
  read(digest: string, team: TeamKey): Promise<StoredDocument>
  /** Of the files that are read, or wait to be. */
  readonly queue: FairSemaphore
}

export function openUploadReader(blobsFolder: string, limits: PoolLimits): UploadReader {
  const reader = openDefinitionReader({ blobsFolder, limits })
  return {
    queue: reader.queue,
    read: (digest, team) => reader.readBlob(digest, String(team)),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
