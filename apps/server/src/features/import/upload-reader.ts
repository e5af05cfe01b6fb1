import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { DefinitionReader } from './definition-reader.ts'
import type { MadeDocument } from './make-document.ts'

/** Reads uploaded files, one after the other: the memory that it takes is that of one. */
export interface UploadReader extends AsyncDisposable {
  /** The document of a file in the blob store. Throws an `ImportError`, or a `GrasshopperError`'s sentence as one. */
  read(digest: string): Promise<MadeDocument>
}

/** A thread that nobody needed for so long is ended, and gives its memory back. */
const IDLE_MS = 60_000

export function openUploadReader(blobs: BlobStore): UploadReader {
  const stopped = new AbortController()
  let reader: DefinitionReader | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    const ended = reader
    reader = undefined
    await ended?.[Symbol.asyncDispose]()
  }

  async function readNow(digest: string): Promise<MadeDocument> {
    stopped.signal.throwIfAborted()
    clearTimeout(idle)
    reader ??= new DefinitionReader(stopped.signal)
    const bytes = await blobs.read(digest)
    if (!bytes) throw new Error(`The blob ${digest} of an uploaded file is missing.`)
    try {
      // A copy with memory of its own, which goes over to the thread.
      const { document } = await reader.read(new Uint8Array(bytes))
      return document
    } finally {
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }

  return {
    read(digest) {
      const document = turn.then(() => readNow(digest))
      turn = document.catch(() => {})
      return document
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      clearTimeout(idle)
      await end()
    },
  }
}
