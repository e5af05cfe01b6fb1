/** A growing buffer. All numbers are little-endian. Callers check that values fit their type. */
export class BinaryWriter {
  #bytes = Buffer.alloc(64 * 1024)
  #view = viewOf(this.#bytes)
  #length = 0

  /** Returns the written bytes without copying them: do not use the writer afterwards. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  writeUint8(value: number): void {
    const start = this.#extend(1)
    this.#view.setUint8(start, value)
  }

  writeInt32(value: number): void {
    const start = this.#extend(4)
    this.#view.setInt32(start, value, true)
  }

  writeUint32(value: number): void {
    const start = this.#extend(4)
    this.#view.setUint32(start, value, true)
  }

  writeInt64(value: bigint): void {
    const start = this.#extend(8)
    this.#view.setBigInt64(start, value, true)
  }

  writeFloat32(value: number): void {
    const start = this.#extend(4)
    this.#view.setFloat32(start, value, true)
  }

  writeFloat64(value: number): void {
    const start = this.#extend(8)
    this.#view.setFloat64(start, value, true)
  }

  writeBytes(value: Uint8Array): void {
    const start = this.#extend(value.length)
    this.#bytes.set(value, start)
  }

  writeHex(value: string): void {
    const start = this.#extend(value.length / 2)
    this.#bytes.write(value, start, 'hex')
  }

  /** Writes text in UTF-8, preceded by its length in bytes. */
  writeString(value: string): void {
    const length = Buffer.byteLength(value)
    this.#writeVarint(length)
    const start = this.#extend(length)
    this.#bytes.write(value, start)
  }

  /** Writes text in UTF-8 without a length. */
  writeText(value: string): void {
    const start = this.#extend(Buffer.byteLength(value))
    this.#bytes.write(value, start)
  }

  #writeVarint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.writeUint8((rest & 0x7f) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.writeUint8(rest)
  }

  /** Reserves bytes and returns their offset. The buffer may be replaced. */
  #extend(length: number): number {
    const start = this.#length
    this.#length += length
    if (this.#length > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(this.#length, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, start))
      this.#bytes = grown
      this.#view = viewOf(grown)
    }
    return start
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
