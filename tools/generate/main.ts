import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeContract } from '@meadow/contract/description'
import type { Output } from './output.ts'
import { OUTPUTS } from './outputs.ts'

/*
 * Writes every file that follows from packages/contract and other declarations.
 *
 *   npm run generate             writes those that have changed
 *   npm run generate -- --check  changes nothing, and fails when one is stale
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const contract = describeContract()

const stale: string[] = []
for (const output of OUTPUTS) {
  const path = join(root, output.file)
  const current = readText(path)
  const text = await output.write(contract, current)
  if (text !== current) stale.push(await replace(output, path, text))
}
report(stale, process.argv.includes('--check'))

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function replace({ file }: Output, path: string, text: string): string {
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return file
}

function report(files: readonly string[], isCheck: boolean): void {
  if (files.length === 0) return
  process.exitCode = isCheck ? 1 : 0
  const verb = isCheck ? 'Stale: run npm run generate, and commit' : 'Written:'
  process.stderr.write(`${verb}\n${files.map((file) => `  ${file}\n`).join('')}`)
}
