import type { Readable } from 'node:stream'

/** The SHA-256 of a blob's bytes in lower-case hex: its name in the store. */
export type Digest = string & { readonly __brand: 'Digest' }

export interface StoredBlob {
  digest: Digest
  /** The size of the blob in bytes. */
  size: number
}

/** An open blob. Pouring it, reading or destroying its stream, or closing it releases the file. */
export interface OpenBlob {
  /** The size of the blob in bytes. */
  readonly size: number
  /** Streams the bytes in the range, or the whole blob. Call it once. */
  stream(range?: ByteRange): Readable
  /**
   * Passes the bytes to `take` chunk by chunk, in order: the cheapest way to send them. A chunk is overwritten when its
   * promise has resolved. Rejects when `take` does. Call it once.
   */
  pour(take: (chunk: Uint8Array) => Promise<void>, range?: ByteRange): Promise<void>
  close(): Promise<void>
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Content-addressed storage: the same bytes put twice are stored once. A blob is durable and complete when `put`
 * resolves, also when it is written concurrently. Any text is accepted as a digest; a malformed one matches no blob.
 */
export interface BlobStore {
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob>
  open(digest: string): Promise<OpenBlob | undefined>
  /** Reads the whole blob, which has to be small enough for memory. */
  read(digest: string): Promise<Buffer | undefined>
  has(digest: string): Promise<boolean>
  /** Resolves with the size of a blob in bytes; undefined when the blob is not there. */
  size(digest: string): Promise<number | undefined>
  /**
   * Removes a blob if it exists. A writer that puts the same bytes now relies on them: remove only blobs that no record
   * refers to and that were not put for longer than a write can take.
   */
  remove(digest: string): Promise<void>
  /**
   * Removes a blob that was not put since `before` (milliseconds since 1970). Resolves to false when it was put, since
   * a record that refers to it may be about to be written.
   */
  removeUnlessPut(digest: string, before: number): Promise<boolean>
  /**
   * Creates an address at which anybody can get the blob with this name and type for `seconds`; undefined when the blob
   * is not there. Stores without such addresses do not have this function.
   */
  createAddress?(blob: LinkedBlob, seconds: number): Promise<string | undefined>
  /**
   * Lists all blobs in no particular order, at constant memory. A blob that is put or removed meanwhile may be missing.
   */
  list(): AsyncIterable<ListedBlob>
  /**
   * Counts the incomplete blobs that began to be put before `before` (milliseconds since 1970). Resolves to undefined
   * when the store does not know.
   */
  countUnfinished(before: number): Promise<number | undefined>
  /** Resolves when blobs can be put; otherwise rejects with the reason. */
  checkWritable(): Promise<void>
  /**
   * Reads metadata of the store: a small text kept with the blobs, under a name of at most 80 characters of `a` to `z`,
   * `0` to `9` and `-`.
   */
  readMetadata(name: string): Promise<string | undefined>
  /** Lists the names of the metadata that begin with `prefix`, in no particular order. */
  listMetadata(prefix: string): Promise<string[]>
  /** Writes metadata, which is durable when the promise resolves. The last of several writers wins. */
  writeMetadata(name: string, text: string): Promise<void>
  /** Removes metadata if it exists. */
  removeMetadata(name: string): Promise<void>
}

/** A blob as it is downloaded. */
export interface LinkedBlob {
  digest: string
  mediaType: string
  /** The value of `Content-Disposition`. */
  disposition: string
}

export interface ListedBlob extends StoredBlob {
  /** When the blob was last put, by the clock of the store, in milliseconds since 1970. */
  putAt: number
}

const DIGEST = /^[0-9a-f]{64}$/

const METADATA_NAME = /^[a-z0-9-]{1,80}$/

/** Returns the name of metadata, which is safe as the name of a file. Throws when it is not one. */
export function checkMetadataName(name: string): string {
  if (!METADATA_NAME.test(name)) throw new Error(`"${name}" is not a name of metadata.`)
  return name
}

export const isDigest = (text: string): text is Digest => DIGEST.test(text)
