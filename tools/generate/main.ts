import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import { findStale, writeFiles } from './generate.ts'
import { OUTPUTS } from './outputs.ts'

/*
 * Writes every file that follows from packages/contract, and the pages that follow from other declarations.
 *
 *   npm run generate             writes those that are stale
 *   npm run generate -- --check  changes nothing, and fails when one is stale
 *   npm run -s generate -- --openapi  prints the OpenAPI description, which is a file of each release
 *
 * The pages of the command and of the tools are made of code that imports generated files. A process has imported them
 * before it writes them, so that another one looks again, until nothing is stale. Where that code does not fit the
 * contract any more, its page is named, with the reason; everything else is written.
 */

/**
 * The maximum number of rounds: one for the files, one for the pages that are made from them, and one that finds
 * nothing more.
 */
const MAX_ROUNDS = 3

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    openapi: { type: 'boolean', default: false },
    round: { type: 'string', default: '1' },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))

if (values.openapi)
  process.stdout.write(`${JSON.stringify(describeApi(describeContract(), undefined), null, 1)}\n`)
else await generate()

async function generate(): Promise<void> {
  const { stale, failed } = await findStale(root, describeContract(), OUTPUTS)
  if (stale.length > 0) {
    const title = values.check ? 'Stale. Run npm run generate, and commit' : 'Written'
    process.stderr.write(`${title}:\n${stale.map(({ file }) => `  ${file}\n`).join('')}`)
    process.exitCode = values.check ? 1 : writeAndRepeat(stale)
  }
  if (failed.length === 0 || (!values.check && stale.length > 0)) return
  const lines = failed.map(({ file, reason }) => `  ${file}: ${reason}\n`)
  process.stderr.write(
    `Cannot be written. Change the code that it is made of (npm run types shows where):\n${lines.join('')}`,
  )
  process.exitCode = 1
}

/** Returns the exit code of the last round. */
function writeAndRepeat(stale: Parameters<typeof writeFiles>[1]): number {
  const round = Number(values.round)
  writeFiles(root, stale)
  if (round === MAX_ROUNDS) throw new Error('Generated files change each time that they are written.')
  const next = [fileURLToPath(import.meta.url), '--round', String(round + 1)]
  return spawnSync(process.execPath, next, { stdio: 'inherit' }).status ?? 1
}
