/** Lends out things of which there are few, to one after the other. */
export interface Turns<T> {
  /**
   * Resolves when it is this caller's turn. Of several groups that wait each is served in turn, so that many of one do
   * not hold up another. Fails with the signal's reason when that is raised first, and the turn goes to the next.
   */
  take(group: unknown, signal: AbortSignal): Promise<Turn<T>>
}

/** To be disposed of by whoever has it: then it is the next one's. */
export interface Turn<T> extends Disposable {
  readonly lent: T
}

export function createTurns<T>(things: readonly T[]): Turns<T> {
  const free = [...things]
  /** Those that wait, by group; the group whose turn it is stands first. */
  const waiting = new Map<unknown, Set<(turn: Turn<T>) => void>>()

  function lend(lent: T): Turn<T> {
    let isOver = false
    return {
      lent,
      [Symbol.dispose]() {
        if (!isOver) giveOn(lent)
        isOver = true
      },
    }
  }

  function giveOn(thing: T): void {
    const [first] = waiting
    if (!first) return void free.push(thing)
    const [group, callers] = first
    const [call] = callers
    leave(group, call!)
    // To the end of the line.
    if (waiting.delete(group)) waiting.set(group, callers)
    call!(lend(thing))
  }

  function leave(group: unknown, call: (turn: Turn<T>) => void): void {
    const callers = waiting.get(group)
    callers?.delete(call)
    if (callers?.size === 0) waiting.delete(group)
  }

  return {
    async take(group, signal) {
      signal.throwIfAborted()
      const thing = free.pop()
      if (thing !== undefined) return lend(thing)
      const { promise, resolve, reject } = Promise.withResolvers<Turn<T>>()
      const callers = waiting.get(group) ?? new Set()
      waiting.set(group, callers.add(resolve))
      const giveUp = () => {
        leave(group, resolve)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
    },
  }
}
