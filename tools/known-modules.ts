import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/*
 * Loaded with `--import`, by tools/run-tests.ts, before the test files when several run that start a server, and by tests
 * in the servers that they start (apps/server/src/testing/module-arguments.ts). A server has 1,400 modules, and
 * to find each one, Node.js looks into folders and package.json files: half a second of processor time in each of
 * hundreds of processes. So one process of the run finds them and writes to a file what the others read there, whose
 * paths are in the address: `known-modules.ts?record=PATH` and `known-modules.ts?read=PATH`. What it lacks is found as
 * usual.
 */

/** The address and format of each module, by the module that imports it and the specifier that it is imported by. */
type Known = Record<string, Record<string, [url: string, format: string | null | undefined]>>

const { searchParams } = new URL(import.meta.url)
const [recorded, read] = [searchParams.get('record'), searchParams.get('read')]
if (recorded) record(recorded)
if (read) useKnown(JSON.parse(readFileSync(read, 'utf8')))

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
