import { fileURLToPath } from 'node:url'
import { describeContract } from '@meadow/contract/description'
import { findStale, writeFiles } from './generate.ts'
import { OUTPUTS } from './outputs.ts'

/*
 * Writes every file that follows from packages/contract, and the pages that follow from other declarations.
 *
 *   npm run generate             writes those that are stale
 *   npm run generate -- --check  changes nothing, and fails when one is stale
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const isCheck = process.argv.includes('--check')
const stale = await findStale(root, describeContract(), OUTPUTS)
const names = stale.map(({ file }) => `  ${file}\n`).join('')

if (!isCheck) writeFiles(root, stale)
if (isCheck && stale.length > 0) process.exitCode = 1
if (stale.length > 0)
  process.stderr.write(`${isCheck ? 'Stale. Run npm run generate, and commit' : 'Written'}:\n${names}`)
