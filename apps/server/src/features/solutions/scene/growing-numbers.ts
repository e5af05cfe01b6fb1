type Numbers = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** A list of numbers of four bytes that grows, in a tenth of the memory that an array takes. */
export class GrowingNumbers<T extends Numbers> {
  #numbers: T
  readonly #create: (length: number) => T
  length = 0

  constructor(create: (length: number) => T) {
    this.#create = create
    this.#numbers = create(64)
  }

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = this.#create(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  /** The bytes as they lie in memory, which on every machine that Node runs on is little-endian. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#numbers.buffer, 0, 4 * this.length)
  }
}

export const growingFloats = () => new GrowingNumbers((length) => new Float32Array(length))
export const growingIntegers = () => new GrowingNumbers((length) => new Uint32Array(length))
