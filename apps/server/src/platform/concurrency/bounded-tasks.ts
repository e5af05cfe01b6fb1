/** Runs tasks concurrently, up to a maximum count and a maximum sum of sizes. Disposing waits for running tasks. */
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

  /**
   * Starts `work` when there is room, and resolves then. A single task may exceed the size. Throws when a task failed.
   */
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

  /** Resolves when all tasks are done. Throws when one failed. */
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
