import { format } from 'dependency-cruiser'
import { cruiseImports, findCycles, readImporters, splitSideBySide } from './imports.ts'

/*
 * Part of `npm run check`: fails when an import breaks a rule of .dependency-cruiser.js, or when folders side by side
 * import from each other in a cycle, which dependency-cruiser has no rule for.
 */

const result = await cruiseImports()
const { output, exitCode } = await format(result, { outputType: 'err' })
const cycles = findCycles(readImporters(result).importers, splitSideBySide)

process.stdout.write(String(output))
for (const lines of cycles) process.stdout.write(`  error folders in a cycle: ${lines.join('\n  ')}\n`)
process.exitCode = exitCode > 0 || cycles.length > 0 ? 1 : 0
