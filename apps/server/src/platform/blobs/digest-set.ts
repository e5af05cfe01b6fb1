/** How many bytes of a digest are stored: nobody can find two blobs that have the same 16 bytes. */
const BYTES = 16
const SMALLEST = 1024

/** A set of digests (SHA-256 in hex) that takes 24 to 48 bytes of memory for each, where a `Set` of texts takes 150. */
export class DigestSet {
  #slots = Buffer.alloc(SMALLEST * BYTES)
  #used = new Uint8Array(SMALLEST)
  #count = 0

  get size(): number {
    return this.#count
  }

  has(digest: string): boolean {
    const key = keyOf(digest)
    return this.#used[this.#find(key)] === 1
  }

  add(digest: string): void {
    if (3 * this.#count >= 2 * this.#used.length) this.#grow()
    this.#insert(keyOf(digest))
  }

  #insert(key: Buffer): void {
    const slot = this.#find(key)
    if (this.#used[slot] === 1) return
    key.copy(this.#slots, slot * BYTES)
    this.#used[slot] = 1
    this.#count++
  }

  /** Returns the slot of the key, or the free slot where it belongs. */
  #find(key: Buffer): number {
    const last = this.#used.length - 1
    for (let slot = key.readUInt32LE(0) & last; ; slot = (slot + 1) & last) {
      if (this.#used[slot] === 0) return slot
      if (key.compare(this.#slots, slot * BYTES, (slot + 1) * BYTES) === 0) return slot
    }
  }

  #grow(): void {
    const [slots, used] = [this.#slots, this.#used]
    this.#slots = Buffer.alloc(2 * slots.length)
    this.#used = new Uint8Array(2 * used.length)
    this.#count = 0
    for (const [slot, isUsed] of used.entries()) {
      if (isUsed) this.#insert(slots.subarray(slot * BYTES, (slot + 1) * BYTES))
    }
  }
}

const keyOf = (digest: string): Buffer => Buffer.from(digest.slice(0, 2 * BYTES), 'hex')
