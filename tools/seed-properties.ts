import { registerHooks } from 'node:module'

/*
 * Loaded before each test file with `--import tools/seed-properties.ts?seed=1`, by tools/run-tests.ts. Only files that
 * use fast-check load it, since it takes ten milliseconds in each of hundreds of processes.
 */

const { search } = new URL(import.meta.url)
const seeded = new URL(`seeded-fast-check.ts${search}`, import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fast-check' && context.parentURL !== seeded
      ? { url: seeded, shortCircuit: true }
      : next(specifier, context),
})
