import fc from 'fast-check'

/**
 * The module that tests get in place of fast-check, with the seed and the share of the runs (see
 * tools/seed-properties.ts).
 */
export * from 'fast-check'
export default { ...fc, assert }

const DEFAULT_RUNS = 100

/** The number of runs that any share leaves of a property. */
const FEWEST = 5

const { searchParams } = new URL(import.meta.url)
const share = Number(searchParams.get('share'))

// Shrinking is off: it can take hours, during which the property blocks the thread.
fc.configureGlobal({ seed: Number(searchParams.get('seed')), endOnFailure: true })

/** Checks a property like fast-check's `assert`, with the share of the runs. */
export function assert<Values>(
  property: fc.IRawProperty<Values>,
  { numRuns = DEFAULT_RUNS, ...parameters }: fc.Parameters<Values> = {},
): Promise<void> | void {
  const runs = Math.max(Math.min(numRuns, FEWEST), Math.ceil(numRuns * share))
  return fc.assert(property, { ...parameters, numRuns: runs })
}
