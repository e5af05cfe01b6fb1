import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SolveSummary } from '@meadow/contract/web'
import { describeGap, describePreview, describeSolve } from './describe-solve.ts'

const solved = (counts: Partial<NonNullable<SolveSummary['completeness']>>): SolveSummary => {
  const { solved = 0, failed = 0, unsupported = 0, unknown = 0 } = counts
  const nodes = solved + failed + unsupported + unknown
  const isComplete = unsupported + unknown === 0
  const { valuesComplete = isComplete } = counts
  return {
    solve: 'solved',
    completeness: { isComplete, valuesComplete, nodes, solved, failed, unsupported, unknown },
  }
}

test('[WEB-44] given solves of all outcomes, when they are described, then only a complete solution without errors is "Solved"', () => {
  const label = (summary: SolveSummary) => describeSolve(summary).label
  assert.equal(label(solved({ solved: 40 })), 'Solved')
  assert.equal(label(solved({ solved: 38, failed: 2 })), '2 nodes failed')
  assert.equal(label(solved({ solved: 39, failed: 1 })), '1 node failed')
  assert.equal(
    label(solved({ solved: 27, failed: 3, unsupported: 4, unknown: 6 })),
    'Partial: 27 of 40 nodes',
  )
  assert.equal(label(solved({ unsupported: 1 })), 'Partial: 0 of 1 node')
  assert.equal(label({ solve: 'solved', completeness: null }), 'Solved, not checked')
  for (const solve of ['never', 'queued', 'running', 'failed'] as const)
    assert.ok(!label({ solve, completeness: null }).startsWith('Solved'))
})

test('[WEB-44] given a solution that lacks only nodes without outputs, when it is described, then it says that no value is missing', () => {
  const summary = solved({ solved: 40, unsupported: 2, valuesComplete: true })
  const { label, sentence, color } = describeSolve(summary)
  assert.deepEqual([label, color], ['Values solved', 'meadow'])
  assert.equal(
    sentence,
    '40 of 42 nodes are solved. Meadow cannot solve 2, without outputs, so that no value is missing.',
  )
  assert.equal(describeGap(summary), sentence)
  assert.equal(
    describeSolve(solved({ solved: 1, failed: 1, unsupported: 1, valuesComplete: true })).label,
    'Partial: 1 of 3 nodes',
  )
})

test('[WEB-44] given a partial solution, when it is described, then every node is counted once', () => {
  const { sentence } = describeSolve(solved({ solved: 1000, failed: 1, unsupported: 3, unknown: 1 }))
  assert.equal(
    sentence,
    '1,000 of 1,005 nodes are solved. Meadow cannot solve 3. 1 depends on what is not solved. 1 has an error.',
  )
})

test('[WEB-44] given solutions, when what they lack is asked for, then only those that lack nothing say nothing', () => {
  assert.equal(describeGap(solved({ solved: 4 })), undefined)
  assert.match(describeGap(solved({ solved: 3, failed: 1 })) ?? '', /1 has an error/)
  assert.match(describeGap(solved({ solved: 3, unsupported: 1 })) ?? '', /cannot solve 1/)
})

test('[WEB-52] given a preview, when it is described, then it never looks like a solution', () => {
  for (const summary of [
    solved({ solved: 4 }),
    ...(['never', 'queued', 'running', 'failed'] as const).map((solve) => ({ solve, completeness: null })),
  ]) {
    const { label, sentence, color } = describePreview(summary)
    assert.match(label, /^Preview/)
    assert.match(sentence, /not stored/)
    assert.notEqual(color, 'meadow')
  }
})
