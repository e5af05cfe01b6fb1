import fc from 'fast-check'

/** What tests get for fast-check: the same, with the seed and the share of the runs (see tools/seed-properties.ts). */
export * from 'fast-check'
export default { ...fc, assert }

const DEFAULT_RUNS = 100

/** A share leaves at least so many runs of a property. */
const FEWEST = 5

const { searchParams } = new URL(import.meta.url)
const share = Number(searchParams.get('share'))

// To look for a smaller example can take hours, in which the property does not let go of the thread.
fc.configureGlobal({ seed: Number(searchParams.get('seed')), endOnFailure: true })

/** As the one of fast-check, with the share of the runs. */
export function assert<Values>(
  property: fc.IRawProperty<Values>,
  { numRuns = DEFAULT_RUNS, ...parameters }: fc.Parameters<Values> = {},
): Promise<void> | void {
  const runs = Math.max(Math.min(numRuns, FEWEST), Math.ceil(numRuns * share))
  return fc.assert(property, { ...parameters, numRuns: runs })
}
