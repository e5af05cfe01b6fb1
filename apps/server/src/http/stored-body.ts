/**
 * An answer, JSON unless it says so, that lies compressed in the blob store, whatever its size: sent as it lies there, never held in
 * memory as a whole. For callers that take neither encoding it is unpacked on its way.
 */
export class StoredBody {
  /** The entity tag, with its quotes, of the bytes before they were compressed. */
  readonly tag: string
  /** The length of those, in bytes. */
  readonly size: number
  /** The digests of the compressed forms. */
  readonly digests: Readonly<Record<StoredEncoding, string>>

  readonly type: string

  constructor(
    tag: string,
    size: number,
    digests: Record<StoredEncoding, string>,
    type = 'application/json; charset=utf-8',
  ) {
    this.type = type
    this.tag = tag
    this.size = size
    this.digests = digests
  }
}

export type StoredEncoding = 'gzip' | 'zstd'
