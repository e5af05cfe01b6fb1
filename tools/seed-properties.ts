import { registerHooks } from 'node:module'

/*
 * Loaded before the test files with `--import tools/seed-properties.ts?seed=1&share=0.1`, by tools/run-tests.ts: properties
 * draw the values of that seed, and of their number of runs they make that share. Only files that use fast-check load it.
 */

const { search } = new URL(import.meta.url)
const seeded = new URL(`seeded-fast-check.ts${search}`, import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fast-check' && context.parentURL !== seeded
      ? { url: seeded, shortCircuit: true }
      : next(specifier, context),
})
