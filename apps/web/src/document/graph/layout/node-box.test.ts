import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain } from '../../../testing/chain.ts'
import { boxOf } from './node-box.ts'

test('given nodes, when their boxes are computed, then ports are at the edges in order', () => {
  const { reader } = createChain(3)
  for (const node of Object.values(reader.read().nodes)) {
    const { width, height, inputs, outputs } = boxOf(node)
    assert.deepEqual(
      inputs.map(({ x }) => x),
      [0, 0],
    )
    assert.ok(inputs[0]!.y < inputs[1]!.y && inputs[1]!.y < height)
    assert.ok(outputs.every(({ x }) => x === width))
  }
})
