import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPatch, diffDocuments } from '../packages/diff/src/index.ts'
import { createLargeDocument, editSome } from '../packages/diff/src/testing/large-document.ts'
import { recreate } from '../packages/diff/src/testing/single-edits.ts'

/*
 * The processor time of comparing two documents of 2,000 nodes, each case in a new process: the first call, and the median
 * of the calls after it.
 *
 *   npm run measure:diff
 *   npm run measure:diff -- --nodes 20000
 */

const CALLS = 31
const EDITS = 50

const CASES = {
  'edited, same ids': (before: ReturnType<typeof createLargeDocument>) => editSome(before, EDITS),
  'edited, all ids new': (before: ReturnType<typeof createLargeDocument>) =>
    recreate(editSome(before, EDITS)),
  'read again': (before: ReturnType<typeof createLargeDocument>) => structuredClone(before),
} as const

const { values } = parseArgs({
  options: { nodes: { type: 'string', default: '2000' }, case: { type: 'string' } },
})
const nodes = Number(values.nodes)

if (values.case === undefined) {
  for (const name of Object.keys(CASES)) {
    const self = fileURLToPath(import.meta.url)
    const output = execFileSync(process.execPath, [self, '--nodes', values.nodes, '--case', name], {
      encoding: 'utf8',
    })
    process.stdout.write(`${nodes} nodes, ${name}: ${output}`)
  }
} else measure(values.case as keyof typeof CASES)

function measure(name: keyof typeof CASES): void {
  const before = createLargeDocument(nodes)
  const after = CASES[name](before)
  const diffs = listTimes(() => diffDocuments(before, after))
  const patches = listTimes(() => createPatch(before, after))
  const { changes, layout } = diffDocuments(before, after)
  process.stdout.write(
    `diff ${describe(diffs)}, patch ${describe(patches)}; ${changes.length} changes, ${layout.length} of layout\n`,
  )
}

function listTimes(work: () => unknown): number[] {
  return Array.from({ length: CALLS }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
}

function describe([first, ...others]: readonly number[]): string {
  const median = others.toSorted((a, b) => a - b)[Math.floor(others.length / 2)]!
  return `${median.toFixed(1)} ms (first ${first!.toFixed(1)} ms)`
}
