import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/*
 * Loaded before each test file with `--import`, by tools/run-tests.ts, when several run that start a server. A server has
 * more than 2,000 modules, and to find each one, Node.js looks into folders and package.json files: half a second of
 * processor time in each of hundreds of processes. So one process of the run finds them (`known-modules.ts?record`) and
 * writes to the file MEADOW_TEST_MODULES_FILE what the others read there. What it lacks is found as usual.
 */

/** The address and format of each module, by the module that imports it and the specifier that it is imported by. */
type Known = Record<string, Record<string, [url: string, format: string | null | undefined]>>

const file = process.env.MEADOW_TEST_MODULES_FILE
if (file) {
  if (import.meta.url.endsWith('?record')) record(file)
  else useKnown(JSON.parse(readFileSync(file, 'utf8')))
}

function record(file: string): void {
  const known: Known = {}
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const { parentURL, conditions } = context
      if (parentURL && conditions.includes('import') && found.url.startsWith('file:')) {
        known[parentURL] ??= {}
        known[parentURL][specifier] = [found.url, found.format]
      }
      return found
    },
  })
  process.on('exit', () => writeFileSync(file, JSON.stringify(known)))
}

function useKnown(known: Known): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL, conditions } = context
      const found = parentURL && conditions.includes('import') && known[parentURL]?.[specifier]
      return found ? { url: found[0], format: found[1], shortCircuit: true } : next(specifier, context)
    },
  })
}
