import type { Note } from '@meadow/grasshopper'
import type { NewContent } from '../../catalogue/catalogue.ts'
import type { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { JobFailure } from '../../platform/processes/job-process.ts'
import { DEFAULT_POOL_LIMITS, type PoolLimits, toPoolOptions } from '../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { findSystemReason } from '../../platform/system-errors.ts'
import { ImportError } from './import-error.ts'
import type { MadeDocument } from './make-document.ts'

/** What the process is given when it starts. */
export interface ReaderSetup {
  /** The folder of the blob store, for a reader that reads from there. */
  blobsFolder: string | undefined
}

/** The bytes of a file, or the digest of the blob that holds them. */
export type ReadRequest = { bytes: Uint8Array } | { digest: string }

export type ReadAnswer = MadeDocument | StoredDocument | { reason: string }

/** A document that was made of a file in the blob store; a large content is there too. */
export interface StoredDocument {
  content: NewContent
  notes: Note[]
}

export interface ReaderOptions {
  /** When it is raised, the file that is being read is given up, and so are all that wait. */
  signal?: AbortSignal
  blobsFolder?: string
  limits?: PoolLimits
}

/**
 * Reads definitions in child processes: a file that would take all time or all memory costs the process, not the import.
 * Groups are served in turn.
 */
export interface DefinitionReader extends AsyncDisposable {
  /** Of the files that are read, or wait to be. */
  readonly queue: FairSemaphore
  /** The document of a file. Throws an {@link ImportError} that tells what is wrong with the file. */
  read(bytes: Uint8Array): Promise<MadeDocument>
  /** The same of a file in the blob store. Those of several groups are read in turn. */
  readBlob(digest: string, group: string): Promise<StoredDocument>
}

/**
 * The worst file that was made on purpose took 15 s and 2.5 GB, real ones take 0.2 s and 0.1 GB at most. A content of
 * 256 MB lies outside of the heap twice: as it is written, and as it is sent or stored. After a large file the process
 * is ended, since starting one takes less than reading such a file.
 */
const BESIDE_HEAP = { otherMb: 768, keptMb: 128 }

export function openDefinitionReader({
  signal,
  blobsFolder,
  limits = DEFAULT_POOL_LIMITS.definitions,
}: ReaderOptions = {}): DefinitionReader {
  const pool = openProcessPool<ReadRequest, ReadAnswer>({
    script: new URL('./definition.worker.ts', import.meta.url),
    setup: { blobsFolder } satisfies ReaderSetup,
    folder: blobsFolder,
    ...toPoolOptions(limits, BESIDE_HEAP),
  })

  async function ask(request: ReadRequest, group: string): Promise<Exclude<ReadAnswer, { reason: string }>> {
    try {
      const answer = await pool.run(request, { group, ...(signal && { signal }) })
      if ('reason' in answer) throw new ImportError(answer.reason)
      return answer
    } catch (error) {
      throw toImportError(error, limits)
    }
  }

  return {
    queue: pool.queue,
    read: async (bytes) => (await ask({ bytes }, '')) as MadeDocument,
    readBlob: async (digest, group) => (await ask({ digest }, group)) as StoredDocument,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** What the process died of is the file's doing, unless our own storage failed. */
function toImportError(error: unknown, { cpuMs }: PoolLimits): unknown {
  if (!(error instanceof JobFailure) || findSystemReason(error)) return error
  switch (error.kind) {
    case 'memory':
      return new ImportError('it takes too much memory to read', { cause: error })
    case 'time':
    case 'hung':
      return new ImportError(`it takes more than ${cpuMs / 1000} s to read`, { cause: error })
    case 'crashed':
      return new ImportError('it cannot be read: the process that read it ended', { cause: error })
    case 'threw':
      return error
  }
}
