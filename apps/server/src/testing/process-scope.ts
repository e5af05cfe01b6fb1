import { after } from 'node:test'
import type { TestScope } from './at-end.ts'

const works: (() => Promise<void>)[] = []

/**
 * For what all tests of a process share: one file of tests, or many. Importing this module makes a process a run of
 * tests, which prints their results.
 */
export const processScope: TestScope = { after: (work) => void works.push(work) }

/** Ends what is registered. */
export async function endProcessScope(): Promise<void> {
  for (const work of works) await work()
}

// With many files in a process, Node.js runs this hook after the first of them, so that tools/test-worker.ts ends the scope.
if (!process.argv[1]?.endsWith('test-worker.ts')) after(endProcessScope)
