import { crc32 } from 'node:zlib'
import { ModelFault } from './model-fault.ts'
import { hasChecksum } from './type-codes.ts'
import { toUuidBytes } from './uuid-bytes.ts'

/** A chunk being written: `checksum` does not yet include its own bytes from `segmentStart` on. */
interface OpenChunk {
  segmentStart: number
  checksum: number
}

/**
 * Writes little-endian values and chunks of openNURBS, as in archives from version 50 on (lengths of eight
 * bytes). Fails: `ModelFault` for doubles that are not finite, which models must not contain.
 */
export class ChunkWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0
  #open: OpenChunk | undefined

  /** Writes a chunk with the body that `write` writes; sets its length and checksum. */
  chunk(typeCode: number, write: () => void): void {
    const outer = this.#open
    if (outer) this.#sum(outer)
    this.uint32(typeCode)
    const lengthAt = this.#reserve(8)
    const inner: OpenChunk = { segmentStart: this.#length, checksum: 0 }
    this.#open = inner
    write()
    if (hasChecksum(typeCode)) {
      this.#sum(inner)
      this.uint32(inner.checksum)
    }
    this.#int64(this.#length - lengthAt - 8, lengthAt)
    this.#open = outer
    if (outer) outer.segmentStart = this.#length
  }

  #sum(chunk: OpenChunk): void {
    chunk.checksum = crc32(this.#bytes.subarray(chunk.segmentStart, this.#length), chunk.checksum)
    chunk.segmentStart = this.#length
  }

  /** Writes a chunk without a body. */
  short(typeCode: number, value: number): void {
    this.uint32(typeCode)
    const at = this.#reserve(8)
    this.#int64(value, at)
  }

  #int64(value: number, at: number): void {
    this.#bytes.writeUInt32LE(value % 2 ** 32, at)
    this.#bytes.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4)
  }

  byte(value: number): void {
    const at = this.#reserve(1)
    this.#bytes.writeUInt8(value, at)
  }

  int32(value: number): void {
    const at = this.#reserve(4)
    this.#bytes.writeInt32LE(value, at)
  }

  uint32(value: number): void {
    const at = this.#reserve(4)
    this.#bytes.writeUInt32LE(value, at)
  }

  float32(...values: readonly number[]): void {
    let at = this.#reserve(4 * values.length)
    for (const value of values) at = this.#bytes.writeFloatLE(value, at)
  }

  float64(...values: readonly number[]): void {
    this.#doubles(values)
  }

  #doubles(values: readonly number[]): void {
    let at = this.#reserve(8 * values.length)
    for (const value of values) {
      if (!Number.isFinite(value)) throw new ModelFault(`no place for the number ${value}`)
      at = this.#bytes.writeDoubleLE(value, at)
    }
  }

  /** Writes a count, then the numbers. */
  int32Array(values: readonly number[]): void {
    this.int32(values.length)
    for (const value of values) this.int32(value)
  }

  /** Writes a count, then the numbers. */
  float64Array(values: readonly number[]): void {
    this.int32(values.length)
    this.#doubles(values)
  }

  uuid(id: string): void {
    this.bytes(toUuidBytes(id))
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** A copy of the bytes written so far. */
  toBytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  /** Makes room, which may replace the buffer: read `#bytes` only afterwards. */
  #reserve(size: number): number {
    const at = this.#length
    this.#length += size
    if (this.#length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, at)
      this.#bytes = grown
    }
    return at
  }
}
