import type { Readable } from 'node:stream'

/** The SHA-256 of a blob's bytes in lower-case hex: its name in the store. */
export type Digest = string & { readonly __brand: 'Digest' }

export interface StoredBlob {
  digest: Digest
  /** In bytes. */
  size: number
}

/** An open blob. Pouring it, reading or destroying its stream, or closing it releases the file. */
export interface OpenBlob {
  /** In bytes. */
  readonly size: number
  /** The bytes in the range, or the whole blob. Call it once. */
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
 * Content-addressed storage: the same bytes put twice are stored once. A blob is durable and complete when `put` resolves,
 * also when it is written concurrently. Any text is accepted as a digest; a malformed one matches no blob.
 */
export interface BlobStore {
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob>
  open(digest: string): Promise<OpenBlob | undefined>
  /** The whole blob; only for blobs that are small enough for memory. */
  read(digest: string): Promise<Buffer | undefined>
  has(digest: string): Promise<boolean>
  /** In bytes. */
  size(digest: string): Promise<number | undefined>
  /**
   * Removes a blob if it exists. A writer that puts the same bytes now relies on them: remove only blobs that no record
   * refers to and that were not put for longer than a write can take.
   */
  remove(digest: string): Promise<void>
  /**
   * Removes a blob that was not put since `before` (milliseconds since 1970). False when it was: a record that refers to
   * it may be about to be written.
   */
  removeUnlessPut(digest: string, before: number): Promise<boolean>
  /**
   * An address that gives the blob with this name and type to whoever has it, for `seconds`; undefined when the blob is
   * not there. Stores without such addresses have no such function.
   */
  createAddress?(blob: LinkedBlob, seconds: number): Promise<string | undefined>
  /** All blobs, in no particular order, at constant memory. One that is put or removed meanwhile may be missing. */
  list(): AsyncIterable<ListedBlob>
  /**
   * The number of blobs that began to be put before `before` (milliseconds since 1970) and are incomplete. Undefined when
   * the store does not know.
   */
  countUnfinished(before: number): Promise<number | undefined>
  /** Resolves when blobs can be put; otherwise rejects with the reason. */
  checkWritable(): Promise<void>
  /** The text of a mark: a small text beside the blobs under a name of `a` to `z`, `0` to `9` and `-`, at most 80. */
  readMark(name: string): Promise<string | undefined>
  /** The names of the marks that begin with `prefix`, in no particular order. */
  listMarks(prefix: string): Promise<string[]>
  /** Durable when it resolves. The last of several writers wins. */
  writeMark(name: string, text: string): Promise<void>
  /** Removes a mark if it exists. */
  removeMark(name: string): Promise<void>
}

/** A blob as it is downloaded. */
export interface LinkedBlob {
  digest: string
  mediaType: string
  /** The value of `Content-Disposition`. */
  disposition: string
}

export interface ListedBlob extends StoredBlob {
  /** When it was put last, by the clock of the store, in milliseconds since 1970. */
  putAt: number
}

const DIGEST = /^[0-9a-f]{64}$/

const MARK_NAME = /^[a-z0-9-]{1,80}$/

/** Throws unless it is the name of a mark: such a name is safe as that of a file. */
export function checkMarkName(name: string): string {
  if (!MARK_NAME.test(name)) throw new Error(`"${name}" is not the name of a mark.`)
  return name
}

export const isDigest = (text: string): text is Digest => DIGEST.test(text)
