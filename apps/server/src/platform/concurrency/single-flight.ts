/** Shares the result of work among all callers that request it at the same time. */
export interface SingleFlight<T> {
  /**
   * Resolves with the result of the work with this key, which is started unless it is running. Rejects with the
   * signal's reason when the signal aborts first. When no caller waits any more, the signal `unwanted` of the work
   * aborts.
   */
  run(key: string, signal: AbortSignal, work: (unwanted: AbortSignal) => Promise<T>): Promise<T>
  /** Resolves when no work is running. */
  settled(): Promise<void>
}

interface UnderWay<T> {
  result: Promise<T>
  unwanted: AbortController
  waiting: number
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, UnderWay<T>>()
  /** All running work, including work that no caller waits for. */
  const running = new Set<Promise<T>>()

  function begin(key: string, work: (unwanted: AbortSignal) => Promise<T>): UnderWay<T> {
    const unwanted = new AbortController()
    const result = work(unwanted.signal)
    const begun = { result, unwanted, waiting: 0 }
    underWay.set(key, begun)
    running.add(result)
    const forget = () => {
      running.delete(result)
      if (underWay.get(key) === begun) underWay.delete(key)
    }
    result.then(forget, forget)
    return begun
  }

  return {
    async run(key, signal, work) {
      signal.throwIfAborted()
      const known = underWay.get(key)
      const shared = known && !known.unwanted.signal.aborted ? known : begin(key, work)
      shared.waiting++
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave)
      try {
        return await Promise.race([shared.result, aborted])
      } finally {
        signal.removeEventListener('abort', leave)
        if (--shared.waiting === 0) shared.unwanted.abort()
      }
    },
    async settled() {
      await Promise.allSettled(running)
    },
  }
}
