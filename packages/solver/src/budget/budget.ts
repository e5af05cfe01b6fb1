import { SolveError } from './solve-error.ts'

export interface BudgetOptions {
  /** Wall clock from now, in milliseconds. */
  deadlineMs?: number
  /** The clock that the deadline is read from, in milliseconds. */
  now?: () => number
  signal?: AbortSignal
  /** How many values may be gathered and made, all nodes together. */
  maxValues?: number
  /** Memory for values and texts, all nodes together, as estimated by the solver. Unlimited unless set. */
  maxBytes?: number
}

/** What a solve may still spend. All methods fail with `SolveError` when there is nothing left. */
export interface Budget {
  /** Counts steps of work. Cheap: it reads the clock once in about a thousand steps. */
  spend(steps?: number): void
  /** Counts values before they are made, `bytesEach` of memory for each. The memory is held until `settle`. */
  reserve(count?: number, bytesEach?: number): void
  /** Counts a text before it is made, by its length in characters. A text is held until the end of the solve. */
  reserveText(length: number): void
  /** Replaces what was reserved since the last call by `bytes`, the memory of what a node gives. */
  settle(bytes: number): void
}

/** A number in an array or a reference, with a copy of it on its way through a port. */
export const VALUE_BYTES = 16
/** An object with three coordinates, which V8 keeps as objects of their own, and the reference to it. */
export const POINT_BYTES = 112
/** A branch of a tree, with its path and an array for its values. */
export const BRANCH_BYTES = 128
const BYTES_PER_CHARACTER = 2

const DEFAULT_MAX_VALUES = 50_000_000
const LOOK_EVERY = 1024
/** The longest text that V8 makes, in characters. */
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
      const made = count > 1 ? count : 1
      reservedBytes += made * bytesEach
      checkBytes()
      values += made
      if (values > maxValues) throw new SolveError('too_many_values')
      spend(made)
    },
    reserveText(length) {
      if (length > MAX_TEXT_LENGTH) throw new Error(TEXT_TOO_LONG)
      heldBytes += length * BYTES_PER_CHARACTER
      checkBytes()
      // As many characters as an engine copies in the time of one step.
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
 * Runs a solve under a budget, which `checkpoint` and `reserveText` count against until it returns. A solve is
 * synchronous, so there is only one at a time in a thread (decision 0025).
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
 * To be called in every loop whose length depends on input: ends the solve when its time is up. `steps` is how many
 * passes of an inner loop follow. Does nothing outside a solve.
 */
export function checkpoint(steps = 1): void {
  current?.spend(steps)
}

/** To be called before many values are made, where no `KindContext` is at hand. Does nothing outside a solve. */
export function reserveValues(count: number, bytesEach?: number): void {
  current?.reserve(count, bytesEach)
}

/** To be called before a text is made, where no `KindContext` is at hand. Does nothing outside a solve. */
export function reserveText(length: number): void {
  current?.reserveText(length)
}
