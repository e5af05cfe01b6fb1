import type { Readable } from 'node:stream'

/** The SHA-256 of a blob's bytes in lower-case hex: its name in the store. */
export type Digest = string & { readonly __brand: 'Digest' }

export interface StoredBlob {
  digest: Digest
  /** In bytes. */
  size: number
}

/** A blob that was opened. It is poured, or its stream is read (or destroyed), or it is closed: each lets go of it. */
export interface OpenBlob {
  /** In bytes. */
  readonly size: number
  /** The bytes in that range; the whole blob without one. To be called once. */
  stream(range?: ByteRange): Readable
  /**
   * Hands the bytes to `take` piece by piece, in order: the cheapest way to send them on. A piece is overwritten when
   * its promise has resolved. Fails with what `take` fails with. To be called once.
   */
  pour(take: (piece: Uint8Array) => Promise<void>, range?: ByteRange): Promise<void>
  close(): Promise<void>
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Bytes by what they are: the same bytes put twice are kept once. A blob that `put` has answered for is durable and
 * whole, whoever else writes it at the same time. Any text is accepted for a digest; what is none names no blob.
 */
export interface BlobStore {
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob>
  open(digest: string): Promise<OpenBlob | undefined>
  /** The whole blob, for those known to be small enough to be held in memory. */
  read(digest: string): Promise<Buffer | undefined>
  has(digest: string): Promise<boolean>
  /** In bytes. */
  size(digest: string): Promise<number | undefined>
  /**
   * Removes a blob; one that is not there is no mistake. A writer that puts the same bytes now will count on them:
   * remove only what no record names and nobody has put for longer than a write can take.
   */
  remove(digest: string): Promise<void>
  /**
   * Removes a blob that nobody has put since `before` (milliseconds since 1970). False when somebody has: then a record
   * that names it may be about to be written.
   */
  removeUnlessPut(digest: string, before: number): Promise<boolean>
}

const DIGEST = /^[0-9a-f]{64}$/

export const isDigest = (text: string): text is Digest => DIGEST.test(text)
