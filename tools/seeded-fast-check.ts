import fc from 'fast-check'

/** What tests get for fast-check: the same, with the seed of the run (see tools/seed-properties.ts). */
export * from 'fast-check'
export { default } from 'fast-check'

fc.configureGlobal({ seed: Number(new URL(import.meta.url).searchParams.get('seed')) })
