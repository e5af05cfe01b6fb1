/** Work that several want at once and that is done once. */
export interface SingleFlight<T> {
  /**
   * What comes of the work with this key, which is begun unless it is under way. Fails with the signal's reason when
   * that is raised first; when nobody waits for it any more, the work is told so.
   */
  run(key: string, signal: AbortSignal, work: (unwanted: AbortSignal) => Promise<T>): Promise<T>
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

interface UnderWay<T> {
  result: Promise<T>
  unwanted: AbortController
  waiting: number
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, UnderWay<T>>()
  /** Also what nobody waits for. */
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
      const { promise: gone, reject } = Promise.withResolvers<never>()
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave)
      try {
        return await Promise.race([shared.result, gone])
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
