import fc from 'fast-check'

/** What tests get for fast-check: the same, with the seed of the run (see tools/seed-properties.ts). */
export * from 'fast-check'
export { default } from 'fast-check'

/**
 * A property that fails looks for a smaller example, which can take hours. It does not let go of the thread meanwhile, so
 * that the limit for tests does not end it. In milliseconds.
 */
const LONGEST = 300_000

fc.configureGlobal({
  seed: Number(new URL(import.meta.url).searchParams.get('seed')),
  interruptAfterTimeLimit: LONGEST,
  markInterruptAsFailure: true,
})
