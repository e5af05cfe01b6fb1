export interface Mutex {
  /** Waits for the callers before; resolves to a function that releases the mutex. */
  acquire(): Promise<() => void>
}

/** Creates a mutex that serves its callers in order of arrival. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve()
  return {
    async acquire() {
      const before = last
      const turn = Promise.withResolvers<void>()
      last = turn.promise
      await before
      return turn.resolve
    },
  }
}
