import type { Replica } from '../../content/replica.ts'

/** So long after the last edit, and so long after the first one that is not folded, the log is folded. */
const QUIET_MS = 3000
const LONGEST_MS = 60_000
/** Folding a large document takes a moment, in which nothing else goes on: at most this share of the time. */
const MAX_SHARE = 0.01

/** Folds the log of an open document now and then. */
export interface Folding {
  /** Something was edited. */
  note(): void
  /** Folds what is left, now. */
  finish(): Promise<void>
  stop(): void
}

export function createFolding(replica: Replica, onError: (error: unknown) => void): Folding {
  let timer: NodeJS.Timeout | undefined
  let firstAt: number | undefined
  let restMs = 0

  async function fold(): Promise<void> {
    clearTimeout(timer)
    firstAt = undefined
    const startedAt = performance.now()
    try {
      await replica.compact()
    } catch (error) {
      // The log has it all: the next time will do.
      onError(error)
    }
    restMs = (performance.now() - startedAt) / MAX_SHARE
  }

  return {
    note() {
      firstAt ??= performance.now()
      const longest = Math.max(LONGEST_MS, restMs) - (performance.now() - firstAt)
      clearTimeout(timer)
      timer = setTimeout(fold, Math.max(0, Math.min(Math.max(QUIET_MS, restMs), longest))).unref()
    },
    finish: fold,
    stop: () => clearTimeout(timer),
  }
}
