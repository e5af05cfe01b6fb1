/**
 * Bytes to which arrays of numbers are appended, each at a multiple of four. Numbers are little-endian, as in memory.
 */
export interface GrowingBytes {
  /** Returns the next array, which the caller must fill before it requests another one. */
  floats(length: number): Float32Array<ArrayBuffer>
  shorts(length: number): Uint16Array<ArrayBuffer>
  integers(length: number): Uint32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

const FIRST_BYTES = 65_536

/** Creates growing bytes. `expected` is their final number, if it is known. */
export function createGrowingBytes(expected = FIRST_BYTES): GrowingBytes {
  let buffer = new ArrayBuffer(expected)
  let used = 0

  /** Returns the offset of the next `byteLength` bytes. */
  function reserve(byteLength: number): number {
    const start = used
    used += (byteLength + 3) & ~3
    if (used > buffer.byteLength) {
      const larger = new ArrayBuffer(Math.max(2 * buffer.byteLength, used))
      new Uint8Array(larger).set(new Uint8Array(buffer, 0, start))
      buffer = larger
    }
    return start
  }

  return {
    floats(length) {
      const start = reserve(4 * length)
      return new Float32Array(buffer, start, length)
    },
    shorts(length) {
      const start = reserve(2 * length)
      return new Uint16Array(buffer, start, length)
    },
    integers(length) {
      const start = reserve(4 * length)
      return new Uint32Array(buffer, start, length)
    },
    get bytes() {
      return new Uint8Array(buffer, 0, used)
    },
  }
}
