/** Runs pieces of work side by side, within a number and a sum of sizes. None runs any more when they are disposed of. */
export class BoundedTasks implements AsyncDisposable {
  readonly #maxCount: number
  readonly #maxSize: number
  readonly #running = new Set<Promise<void>>()
  readonly #failures: unknown[] = []
  #size = 0

  constructor(maxCount: number, maxSize: number) {
    this.#maxCount = maxCount
    this.#maxSize = maxSize
  }

  /** Starts `work` when there is room, and resolves then. One piece alone may be larger than all. Throws when one failed. */
  async start(size: number, work: () => Promise<void>): Promise<void> {
    while (this.#running.size > 0 && !this.#hasRoom(size)) await Promise.race(this.#running)
    this.#throwFailure()
    this.#size += size
    const running = work()
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => {
        this.#running.delete(running)
        this.#size -= size
      })
    this.#running.add(running)
  }

  /** Resolves when all that was started is done. Throws when one failed. */
  async finish(): Promise<void> {
    await Promise.all(this.#running)
    this.#throwFailure()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }

  #hasRoom(size: number): boolean {
    return this.#running.size < this.#maxCount && this.#size + size <= this.#maxSize
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}
