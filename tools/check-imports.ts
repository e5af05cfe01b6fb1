import { fileURLToPath } from 'node:url'
import { IMPORT_RULES } from './import-rules.ts'
import { findCycles, findForbidden, readImporters, readImports, splitSideBySide } from './imports.ts'

/*
 * Part of `npm run check`: fails when an import breaks a rule of import-rules.ts, is not found, or goes round in a circle, and
 * when folders side by side import from each other in a cycle.
 */

const files = readImports(fileURLToPath(new URL('..', import.meta.url)))
const forbidden = findForbidden(files, IMPORT_RULES)
const cycles = findCycles(readImporters(files).importers, splitSideBySide)

for (const line of forbidden) process.stdout.write(`error ${line}\n`)
for (const lines of cycles) process.stdout.write(`error folders in a cycle: ${lines.join('\n  ')}\n`)
process.stdout.write(`${files.length} files, ${forbidden.length + cycles.length} imports that break a rule\n`)
process.exitCode = forbidden.length + cycles.length > 0 ? 1 : 0
