import { SolveError } from './solve-error.ts'

export interface BudgetOptions {
  /** The time from now until the solve must end, in milliseconds by the wall clock. */
  deadlineMs?: number
  /** The clock that the deadline is read from, in milliseconds. */
  now?: () => number
  signal?: AbortSignal
  /** The limit of values that all nodes together collect and create. */
  maxValues?: number
  /**
   * The limit of memory for values and texts of all nodes together, as estimated by the solver. No limit by
   * default.
   */
  maxBytes?: number
}

/** The remaining budget of a solve. All methods throw `SolveError` when it is exhausted. */
export interface Budget {
  /** Counts steps of work. Cheap: the clock is read about once in a thousand steps. */
  spend(steps?: number): void
  /**
   * Counts values before they are created, with `bytesEach` of memory each. The memory stays reserved until
   * `settle`.
   */
  reserve(count?: number, bytesEach?: number): void
  /**
   * Counts the characters of a text before it is created. Its memory stays reserved until the end of the
   * solve.
   */
  reserveText(length: number): void
  /** Replaces the memory reserved since the last call by `bytes`, the memory of a node's outputs. */
  settle(bytes: number): void
}

/** A number in an array or a reference, and its copy in a port. */
export const VALUE_BYTES = 16
/** An object with three coordinates, which V8 stores as separate objects, and the reference to it. */
export const POINT_BYTES = 112
/** A branch of a tree, with its path and an array for its values. */
export const BRANCH_BYTES = 128
const BYTES_PER_CHARACTER = 2

const DEFAULT_MAX_VALUES = 50_000_000
const LOOK_EVERY = 1024
/** The length of the longest text that V8 supports, in characters. */
const MAX_TEXT_LENGTH = 2 ** 29 - 24

export function createBudget(options: BudgetOptions): Budget {
  const { deadlineMs, signal, maxValues = DEFAULT_MAX_VALUES, maxBytes = Infinity } = options
  const now = options.now ?? (() => performance.now())
  const end = deadlineMs === undefined ? Infinity : now() + deadlineMs
  let steps = 0
  let nextLook = 0
  let values = 0
  let heldBytes = 0
  let reservedBytes = 0

  function spend(count = 1): void {
    steps += count > 1 ? count : 1
    if (steps < nextLook) return
    nextLook = steps + LOOK_EVERY
    if (signal?.aborted) throw new SolveError('aborted')
    if (now() > end) throw new SolveError('deadline_exceeded')
  }
  function checkBytes(): void {
    if (heldBytes + reservedBytes > maxBytes) throw new SolveError('too_much_memory')
  }

  return {
    spend,
    reserve(count = 1, bytesEach = VALUE_BYTES) {
      const counted = count > 1 ? count : 1
      reservedBytes += counted * bytesEach
      checkBytes()
      values += counted
      if (values > maxValues) throw new SolveError('too_many_values')
      spend(counted)
    },
    reserveText(length) {
      if (length > MAX_TEXT_LENGTH) throw new Error(TEXT_TOO_LONG)
      heldBytes += length * BYTES_PER_CHARACTER
      checkBytes()
      // An engine copies about as many characters in the time of one step.
      spend(length / 64)
    },
    settle(bytes) {
      heldBytes += bytes
      reservedBytes = 0
      checkBytes()
    },
  }
}

const TEXT_TOO_LONG = `The text would be longer than ${MAX_TEXT_LENGTH} characters`

let current: Budget | undefined

/**
 * Runs a solve within a budget. Until it returns, `checkpoint`, `reserveValues` and `reserveText` use that
 * budget. A solve is synchronous, so a thread runs only one at a time (decision 0025).
 */
export function runWithin<T>(budget: Budget, run: () => T): T {
  const outer = current
  current = budget
  try {
    return run()
  } finally {
    current = outer
  }
}

/**
 * Call this in every loop whose length depends on input: it ends the solve when its time is up. `steps` is the
 * length of an inner loop that follows. Does nothing outside a solve.
 */
export function checkpoint(steps = 1): void {
  current?.spend(steps)
}

/** Call this before creating many values where there is no `KindContext`. Does nothing outside a solve. */
export function reserveValues(count: number, bytesEach?: number): void {
  current?.reserve(count, bytesEach)
}

/** Call this before creating a text where there is no `KindContext`. Does nothing outside a solve. */
export function reserveText(length: number): void {
  current?.reserveText(length)
}
