import { ModelFault } from './model-fault.ts'
import { hasChecksum, isShort } from './type-codes.ts'
import { toUuid } from './uuid-bytes.ts'

/** The size of chunk lengths: eight bytes in archives from version 50 on, four before. */
export type LengthSize = 4 | 8

export interface Chunk {
  typeCode: number
  /** The value of a short chunk; 0 for others. */
  value: number
  /** The offset of the type code, and the offset after the last byte. */
  start: number
  end: number
  /** The body without its checksum; empty for a short chunk. */
  body: ChunkReader
}

/** The units of a text that become characters at once: one by one takes twice as long, and a call has limited room. */
const MANY_UNITS = 4096

/**
 * Reads little-endian values and chunks of openNURBS from a part of a buffer, without copying.
 * Fails: `ModelFault` for reads beyond that part, and for doubles that are not finite.
 */
export class ChunkReader {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly #end: number
  readonly #lengthSize: LengthSize
  #at: number

  /** `view` is one of `bytes`: making one takes longer than all else of a small chunk. */
  constructor(
    bytes: Uint8Array,
    start = 0,
    end = bytes.length,
    lengthSize: LengthSize = 8,
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ) {
    this.bytes = bytes
    this.view = view
    this.#at = start
    this.#end = end
    this.#lengthSize = lengthSize
  }

  /** The offset in the buffer of the next read. */
  get at(): number {
    return this.#at
  }

  get remaining(): number {
    return this.#end - this.#at
  }

  /** Skips `size` bytes and returns their offset. */
  skip(size: number): number {
    if (size < 0 || size > this.remaining)
      throw new ModelFault(`${size} bytes wanted, ${this.remaining} left`)
    const start = this.#at
    this.#at += size
    return start
  }

  byte(): number {
    return this.bytes[this.skip(1)]!
  }

  bool(): boolean {
    return this.byte() !== 0
  }

  int32(): number {
    return this.view.getInt32(this.skip(4), true)
  }

  uint32(): number {
    return this.view.getUint32(this.skip(4), true)
  }

  float64(): number {
    return toFinite(this.view.getFloat64(this.skip(8), true))
  }

  float64s(count: number): number[] {
    const start = this.skip(8 * count)
    return Array.from({ length: count }, (_, i) => toFinite(this.view.getFloat64(start + 8 * i, true)))
  }

  /** Reads the count of items of at least `itemSize` bytes each, and checks that there is room for them. */
  count(itemSize: number): number {
    const count = this.int32()
    if (count < 0 || count * itemSize > this.remaining) throw new ModelFault(`no room for ${count} items`)
    return count
  }

  int32Array(): number[] {
    return Array.from({ length: this.count(4) }, () => this.int32())
  }

  float64Array(): number[] {
    return this.float64s(this.count(8))
  }

  uuid(): string {
    return toUuid(this.bytes, this.skip(16))
  }

  /** Reads UTF-16 text, preceded by the count including a final NUL; a count of 0 is an empty text. */
  text(): string {
    const units = this.count(2)
    if (units === 0) return ''
    const start = this.skip(2 * units)
    let text = ''
    for (let i = 0; i < units - 1; ) {
      const codes: number[] = []
      for (; i < units - 1 && codes.length < MANY_UNITS; i++)
        codes.push(this.view.getUint16(start + 2 * i, true))
      text += String.fromCharCode.apply(null, codes)
    }
    return text
  }

  /** Reads a version byte: the major version in the upper four bits. */
  version(): { major: number; minor: number } {
    const packed = this.byte()
    return { major: packed >> 4, minor: packed & 15 }
  }

  chunk(): Chunk {
    const start = this.#at
    const typeCode = this.uint32()
    const value = this.#lengthSize === 8 ? this.#int64() : this.int32()
    if (isShort(typeCode))
      return { typeCode, value, start, end: this.#at, body: this.#part(this.#at, this.#at) }
    const from = this.skip(value)
    const to = hasChecksum(typeCode) ? this.#at - 4 : this.#at
    if (to < from) throw new ModelFault('a chunk without room for its checksum')
    return { typeCode, value: 0, start, end: this.#at, body: this.#part(from, to) }
  }

  /** Reads the next chunk, which must have this type. */
  chunkOf(typeCode: number): Chunk {
    const chunk = this.chunk()
    if (chunk.typeCode !== typeCode) throw new ModelFault(`a chunk of another type at ${chunk.start}`)
    return chunk
  }

  #part(start: number, end: number): ChunkReader {
    return new ChunkReader(this.bytes, start, end, this.#lengthSize, this.view)
  }

  /** Lengths above 2^53 are not exact, and too large anyway. */
  #int64(): number {
    const start = this.skip(8)
    return this.view.getInt32(start + 4, true) * 2 ** 32 + this.view.getUint32(start, true)
  }
}

function toFinite(value: number): number {
  if (!Number.isFinite(value)) throw new ModelFault(`no place for the number ${value}`)
  return value
}
