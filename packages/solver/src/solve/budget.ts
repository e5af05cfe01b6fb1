import { SolveError } from './solve-error.ts'

export interface BudgetOptions {
  /** Wall clock from now. */
  deadlineMs?: number
  signal?: AbortSignal
  /** How many values may be gathered and made, all nodes together. */
  maxValues?: number
}

/** What a solve may still spend. */
export interface Budget {
  /**
   * Counts work before it is done. Fails: `SolveError` when there is too much of it, or the time is up. Cheap: it
   * looks at the clock once in a thousand.
   */
  reserve(count?: number): void
}

const DEFAULT_MAX_VALUES = 50_000_000
const LOOK_EVERY = 1024

export function createBudget({ deadlineMs, signal, maxValues = DEFAULT_MAX_VALUES }: BudgetOptions): Budget {
  const end = deadlineMs === undefined ? Infinity : performance.now() + deadlineMs
  let spent = 0
  let nextLook = 0
  return {
    reserve(count = 1) {
      spent += count > 1 ? count : 1
      if (spent > maxValues) throw new SolveError('too_many_values')
      if (spent < nextLook) return
      nextLook = spent + LOOK_EVERY
      if (signal?.aborted) throw new SolveError('aborted')
      if (performance.now() > end) throw new SolveError('deadline_exceeded')
    },
  }
}
