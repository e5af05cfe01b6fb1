import { parseArgs } from 'node:util'
import { runScript } from '../bench/src/harness/processes.ts'
import { median, time } from '../bench/src/harness/statistics.ts'
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
    const figures = await runScript<string>(new URL(import.meta.url), '--nodes', values.nodes, '--case', name)
    process.stdout.write(`${nodes} nodes, ${name}: ${figures}\n`)
  }
} else process.stdout.write(JSON.stringify(measure(values.case as keyof typeof CASES)))

function measure(name: keyof typeof CASES): string {
  const before = createLargeDocument(nodes)
  const after = CASES[name](before)
  const diffs = listTimes(() => diffDocuments(before, after))
  const patches = listTimes(() => createPatch(before, after))
  const { changes, layout } = diffDocuments(before, after)
  return `diff ${describe(diffs)}, patch ${describe(patches)}; ${changes.length} changes, ${layout.length} of layout`
}

function listTimes(work: () => unknown): number[] {
  return Array.from({ length: CALLS }, () => time(work).cpuMs)
}

function describe([first, ...others]: readonly number[]): string {
  return `${median(others).toFixed(1)} ms (first ${first!.toFixed(1)} ms)`
}
