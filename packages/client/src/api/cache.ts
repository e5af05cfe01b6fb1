/** An answer that was read before, and its entity tag. */
export interface CachedAnswer {
  tag: string
  /** JSON. */
  body: string
}

/**
 * Keeps answers by address. Each use of one is a conditional request: the service says whether it is still the answer
 * for this token. If `get` or `set` rejects, the call rejects with the same reason; return undefined for what cannot be
 * read.
 */
export interface AnswerCache {
  get(address: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  set(address: string, answer: CachedAnswer): void | Promise<void>
}

/** Keeps the most recently used answers in memory, up to `maxBytes` of text (64 MB unless given). */
export function createMemoryCache({ maxBytes = 64 * 1024 * 1024 } = {}): AnswerCache {
  // A Map keeps the order of insertion: the first one was used longest ago.
  const answers = new Map<string, CachedAnswer>()
  let bytes = 0
  /** JavaScript stores each character of a text in one or two bytes. */
  const sizeOf = (address: string, { body }: CachedAnswer) => 2 * (address.length + body.length)
  function remove(address: string): CachedAnswer | undefined {
    const answer = answers.get(address)
    if (answer && answers.delete(address)) bytes -= sizeOf(address, answer)
    return answer
  }
  function add(address: string, answer: CachedAnswer): void {
    answers.set(address, answer)
    bytes += sizeOf(address, answer)
  }
  return {
    get(address) {
      const answer = remove(address)
      if (answer) add(address, answer)
      return answer
    },
    set(address, answer) {
      remove(address)
      if (sizeOf(address, answer) > maxBytes) return
      add(address, answer)
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
