export interface Mutex {
  /** Waits until all who came before are done; resolves to what ends one's own turn. */
  acquire(): Promise<() => void>
}

/** Lets one at a time through, in the order in which they came. */
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
