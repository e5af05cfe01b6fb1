import { LRUCache } from 'lru-cache'
import { refuse } from '../../http/refusal.ts'

/** Counts what fails, so that nobody can try on and on. The count is kept in this process. */
export interface Attempts {
  /**
   * Does `work`, unless what it is counted under has failed too often: then refuses with 429. Counts a failure when
   * `isFailure` says that what `work` threw is one.
   */
  run<T>(
    keys: readonly AttemptKey[],
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T>
}

export interface AttemptKey {
  key: string
  /** So many failures within the window are let through. */
  max: number
}

const WINDOW_MS = 15 * 60 * 1000
const MAX_COUNTED = 100_000

export function createAttempts(now: () => number = Date.now): Attempts {
  const failures = new LRUCache<string, { count: number; until: number }>({ max: MAX_COUNTED })

  const current = (key: string) => {
    const found = failures.get(key)
    return found && found.until > now() ? found : undefined
  }

  function check({ key, max }: AttemptKey): void {
    const counted = current(key)
    if (!counted || counted.count < max) return
    const seconds = Math.ceil((counted.until - now()) / 1000)
    throw refuse('too_many_attempts', { headers: { 'retry-after': String(seconds) } })
  }

  function count({ key }: AttemptKey): void {
    const counted = current(key)
    if (counted) counted.count++
    else failures.set(key, { count: 1, until: now() + WINDOW_MS })
  }

  return {
    async run(keys, work, isFailure) {
      keys.forEach(check)
      // Counted before it is known, so that many at once cannot pass together.
      keys.forEach(count)
      const uncount = () => {
        for (const { key } of keys) {
          const counted = current(key)
          if (counted) counted.count--
        }
      }
      try {
        const result = await work()
        uncount()
        return result
      } catch (error) {
        if (!isFailure(error)) uncount()
        throw error
      }
    },
  }
}
