import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line } from '@meadow/geometry/values/curves'
import { run } from '../../testing/run.ts'

const LINE_DIMENSION = 'd78f026a-0109-4bcc-bf91-d08475711466'
const LINE = line({ x: 0, y: 0, z: 0 }, { x: 3, y: 4, z: 0 })

test('Line Dimension: given a line, a text and a size, when it runs, then it has no outputs and nothing to say', () => {
  const { outputs, messages } = run(LINE_DIMENSION, [LINE, '{0:0.0}', 1])
  assert.deepEqual([outputs, messages], [[], []])
})

test('Line Dimension: given no line, when it runs, then it says so as Grasshopper does', () => {
  assert.deepEqual(run(LINE_DIMENSION, [undefined, '', 1]).messages, [
    'warning: Input parameter I0 failed to collect data',
  ])
})
