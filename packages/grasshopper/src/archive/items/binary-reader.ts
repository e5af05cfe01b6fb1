import { constants, isUtf8 } from 'node:buffer'
import { Fault } from '../tree/grasshopper-error.ts'

/**
 * A cursor over the inflated bytes of an archive. All numbers are little-endian.
 * Each read checks the remaining bytes before it allocates. After a failed read, `offset` is where it started.
 */
export class BinaryReader {
  readonly #bytes: Buffer
  readonly #view: DataView
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get offset(): number {
    return this.#offset
  }

  get bytesLeft(): number {
    return this.#bytes.length - this.#offset
  }

  readUint8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  readInt32(): number {
    return this.#view.getInt32(this.#take(4), true)
  }

  readUint32(): number {
    return this.#view.getUint32(this.#take(4), true)
  }

  readInt64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true)
  }

  readFloat32(): number {
    return this.#view.getFloat32(this.#take(4), true)
  }

  readFloat64(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }

  /**
   * Reads an int32 that counts elements of at least `smallest` bytes each, which have to fit into the remaining bytes.
   */
  readCount(smallest: number, things: string): number {
    const count = this.readInt32()
    if (count < 0) throw this.#reject(4, new Fault('malformed', `A count of ${things} is negative`))
    if (count * smallest > this.bytesLeft) {
      const what = `${count} ${things} are announced, but only ${this.bytesLeft} bytes are left`
      throw this.#reject(4, new Fault('truncated', what))
    }
    return count
  }

  /** Returns a copy, which neither keeps the whole archive in memory nor changes with its bytes. */
  readBytes(length: number): Uint8Array<ArrayBuffer> {
    const start = this.#take(length)
    return new Uint8Array(this.#bytes.subarray(start, start + length))
  }

  readHex(length: number): string {
    const start = this.#take(length)
    return this.#bytes.toString('hex', start, start + length)
  }

  /** Reads text, preceded by its length in bytes. */
  readString(): string {
    const length = this.#readVarint()
    const start = this.#take(length)
    if (length > constants.MAX_STRING_LENGTH) {
      throw this.#reject(length, new Fault('too_large', 'A text is too long to be held'))
    }
    const text = this.#bytes.toString('utf8', start, start + length)
    // Decoding replaces invalid UTF-8 by U+FFFD, which a valid text may contain too.
    if (text.includes('\ufffd') && !isUtf8(this.#bytes.subarray(start, start + length))) {
      throw this.#reject(length, new Fault('malformed', 'A text is not valid UTF-8'))
    }
    return text
  }

  /**
   * Reads an unsigned 32-bit number in groups of seven bits, the low group first. The high bit is set if more follow.
   */
  #readVarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.readUint8()
      value += (byte & 0x7f) * 2 ** shift
      if (byte === 0 && shift > 0) break
      if (byte < 0x80) return value
    }
    throw new Fault('malformed', 'The length of a text is not written in the shortest way')
  }

  #take(length: number): number {
    const start = this.#offset
    if (length > this.bytesLeft) {
      throw new Fault('truncated', `${length} bytes are expected, but only ${this.bytesLeft} are left`)
    }
    this.#offset += length
    return start
  }

  #reject(length: number, fault: Fault): Fault {
    this.#offset -= length
    return fault
  }
}
