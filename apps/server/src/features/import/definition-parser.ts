import type { Node } from '@meadow/contract'
import type { FileFacts, FileKind, LibraryKind, SavedView } from '@meadow/contract/web'
import type { StoredFacts } from '@meadow/document'
import type { Note } from '@meadow/grasshopper'
import { isKilled, JobFailure } from '@meadow/processes'
import type { Unsolvable } from '@meadow/solver'
import type { StoredJson } from '../../content/content.store.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import type { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import {
  CONTENT_MEMORY,
  DEFAULT_POOL_LIMITS,
  type PoolLimits,
  toPoolOptions,
} from '../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { findSystemReason } from '../../platform/system-errors.ts'
import type { NewContent } from '../../team/content-blobs.ts'
import type { SourceFacts } from '../../team/document-writes.ts'
import { ImportError } from './import-result.ts'

/**
 * The bytes of a file, or the digest of the blob that holds them; or a document, and the digest of its file. With `kind`
 * the file is not a definition.
 */
export type ParseRequest =
  | { bytes: Uint8Array; kind?: FileKind }
  | { digest: string; kind?: FileKind }
  | { content: StoredJson; original: string | undefined }
  | { digest: string; contentsOf: LibraryKind }
  | { digest: string; place: LibraryKind }
  | { placedIn: StoredJson }
  | { storedIn: string; content: StoredJson | undefined }

/** `reason` completes "…: it is not a definition". */
export type ParseResult =
  | ParsedDocument
  | StoredDocument
  | ParsedFile
  | { unsolvable: Unsolvable[] }
  | FileContents
  | { node: Node }
  | { stored: StoredFacts }
  | { reason: string }

/** The UTF-8 bytes of the answer of `readFileContents` or `readPlacedClusters`. */
interface FileContents {
  contents: Uint8Array<ArrayBuffer>
}

/** What a model file or library item says about itself. */
export interface ParsedFile {
  facts: FileFacts
  /** The bytes of a PNG file. */
  thumbnail?: Uint8Array<ArrayBuffer>
  /** The ids of a model's objects, as UUIDs in lower case; at most 200,000. */
  objectIds: string[]
}

/** What a definition says beside its graph: `SourceFacts`, before its clusters are stored. */
export interface ParsedFacts {
  file: string
  clusters: Uint8Array<ArrayBuffer>
}

/** The document of a definition. */
export interface ParsedDocument {
  /** The UTF-8 bytes of a `GraphContent` as JSON. */
  content: Uint8Array<ArrayBuffer>
  facts: ParsedFacts
  /** The ids of the objects in Rhino models that its values refer to, in lower case; each once. */
  references: string[]
  notes: Note[]
  /** The nodes that cannot be solved, at most `MAX_UNSOLVABLE`. */
  unsolvable: Unsolvable[]
  /** The view that it was saved at. */
  view?: SavedView | undefined
}

/** The document of a definition, with a large content in the blob store. */
export interface StoredDocument {
  content: NewContent
  facts: SourceFacts
  /** The ids of objects in Rhino models, as in a `ParsedDocument`. */
  references: string[]
  notes: Note[]
  unsolvable: Unsolvable[]
  view?: SavedView | undefined
}

export interface ParserOptions {
  /** Aborts the file that is being parsed, and those that wait. */
  signal?: AbortSignal
  /** The blob store, for `parseBlob`. */
  blobs?: BlobsLocation
  limits?: PoolLimits
}

/** Parses definitions in child processes: a file that exhausts time or memory costs its process, and nothing else. */
export interface DefinitionParser extends AsyncDisposable {
  /** The queue of the files that are being parsed, or wait to be. */
  readonly queue: FairSemaphore
  /** Throws an {@link ImportError} when the file is not a valid definition. */
  parse(bytes: Uint8Array): Promise<ParsedDocument>
  /** Does what `parse` does, for a file in the blob store. Groups are served in turn. */
  parseBlob(digest: string, group: string): Promise<StoredDocument>
  /** Reads a file of another kind. Throws an {@link ImportError} when it is not one, or is damaged. */
  readFile(bytes: Uint8Array, kind: FileKind): Promise<ParsedFile>
  /** Does what `readFile` does, for a file in the blob store. */
  readBlobFile(digest: string, kind: FileKind, group: string): Promise<ParsedFile>
  /**
   * The JSON of the graph that a library item in the blob store places, and of the clusters in it. Throws an
   * {@link ImportError} when it takes too much time or memory, or cannot be read.
   */
  readContents(digest: string, kind: LibraryKind, group: string): Promise<Uint8Array>
  /** Reads the node that a library item in the blob store places. Throws an {@link ImportError} like `readContents`. */
  readPlacedNode(digest: string, kind: LibraryKind, group: string): Promise<Node>
  /** The JSON of the clusters of a document that were placed from library items. Throws an {@link ImportError}. */
  readPlacedClusters(content: StoredJson, group: string): Promise<Uint8Array>
  /**
   * Digests of what a file in the blob store stores, as far as it goes for a document of it: what was edited since is left
   * out. Null when the file cannot be read.
   */
  readStored(digest: string, content: StoredJson | undefined, group: string): Promise<StoredFacts | null>
  /**
   * What of a document cannot be solved; null when it takes too much time or memory to find out. `original` is the
   * digest of the file that holds its clusters.
   */
  listUnsolvable(
    content: StoredJson,
    original: string | undefined,
    group: string,
  ): Promise<Unsolvable[] | null>
}

/** Opens a parser. The worst malicious file took 15 s and 2.5 GB, real ones take 0.2 s and 0.1 GB at most. */
export function openDefinitionParser({
  signal,
  blobs,
  limits = DEFAULT_POOL_LIMITS.definitions,
}: ParserOptions = {}): DefinitionParser {
  const pool = openProcessPool<ParseRequest, ParseResult>({
    name: 'definition',
    module: new URL('./definition-job.ts', import.meta.url),
    blobs,
    ...toPoolOptions(limits, CONTENT_MEMORY),
  })

  async function run<T extends ParseResult>(request: ParseRequest, group: string): Promise<T> {
    try {
      const result = await pool.run(request, { group, ...(signal && { signal }) })
      if ('reason' in result) throw new ImportError(result.reason)
      return result as T
    } catch (error) {
      throw toImportError(error, limits)
    }
  }

  return {
    queue: pool.queue,
    parse: (bytes) => run<ParsedDocument>({ bytes }, ''),
    parseBlob: (digest, group) => run<StoredDocument>({ digest }, group),
    readFile: (bytes, kind) => run<ParsedFile>({ bytes, kind }, ''),
    readBlobFile: (digest, kind, group) => run<ParsedFile>({ digest, kind }, group),
    readContents: async (digest, contentsOf, group) =>
      (await run<FileContents>({ digest, contentsOf }, group)).contents,
    readPlacedNode: async (digest, place, group) =>
      (await run<{ node: Node }>({ digest, place }, group)).node,
    readPlacedClusters: async (placedIn, group) => (await run<FileContents>({ placedIn }, group)).contents,
    async readStored(storedIn, content, group) {
      try {
        return (await run<{ stored: StoredFacts }>({ storedIn, content }, group)).stored
      } catch (error) {
        if (error instanceof ImportError) return null
        throw error
      }
    },
    async listUnsolvable(content, original, group) {
      try {
        return (await run<{ unsolvable: Unsolvable[] }>({ content, original }, group)).unsolvable
      } catch (error) {
        if (error instanceof ImportError && !isKilled(error)) return null
        throw error
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** A failure of the process is attributed to the file, unless Meadow's own storage failed. */
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
    case 'killed':
      return new ImportError(
        'the process that read it was ended from outside, as by a system whose memory is used up: import again',
        { cause: error },
      )
    case 'threw':
      return error
  }
}
