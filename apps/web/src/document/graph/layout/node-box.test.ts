import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import { createChain } from '../../../testing/chain.ts'
import { KINDS } from '../../../testing/kinds.ts'
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

test('[WEB-241] given a component, when its box is computed, then it is the one that files have', () => {
  const at = { x: 100, y: 50 }
  // As in files: the box of a component is not around its position, which is the middle of its name.
  const sum = boxOf(createNode(KINDS.addition, { position: at, nickName: 'A+B' }))
  assert.deepEqual([sum.x, sum.width, sum.y, sum.height], [69, 65, 28, 44])
})

test('[WEB-241] given a slider with a width and a long name, when its box is computed, then it has that width', () => {
  const slider = createNode(KINDS.slider, {
    position: { x: 0, y: 0 },
    nickName: 'How far the eaves reach out',
  })
  const own = { ...slider, state: { ...slider.state, kind: 'slider', size: { width: 170, height: 20 } } }
  const { width, height } = boxOf(own as Node)
  assert.deepEqual({ width, height }, { width: 170, height: 20 })
})

const SKETCH = '2844fec5-142d-4381-bd5d-4cbcef6d6fed'
const SCRIBBLE = '7f5c6c55-f846-4a08-9c9a-cfdc285cc6fe'

test('[WEB-67] given lines and texts drawn by hand, when their boxes are computed, then they surround the drawing', () => {
  const draw = (kind: string, state: NonNullable<Node['state']>): Node => ({
    ...createNode(kind, { position: { x: 100, y: 50 } }),
    state,
  })
  const lines = [
    [
      [10, 4],
      [60, -20],
    ],
    [[30, 40]],
  ]
  const { shape, x, y, width, height } = boxOf(
    draw(SKETCH, { kind: 'sketch', lines, colour: '#000000ff', width: 4 }),
  )
  assert.deepEqual({ shape, x, y, width, height }, { shape: 'sketch', x: 108, y: 28, width: 54, height: 64 })
  const scribble = {
    kind: 'scribble',
    text: 'Two\nlines',
    font: 'Arial',
    fontSize: 20,
    isBold: false,
    isItalic: false,
  }
  const corners = [
    [0, 0],
    [90, 0],
    [90, 40],
    [0, 40],
  ]
  const note = boxOf(draw(SCRIBBLE, { ...scribble, corners }))
  assert.deepEqual([note.shape, note.x, note.y, note.width, note.height], ['scribble', 100, 50, 90, 40])
  const bare = boxOf(draw(SCRIBBLE, { ...scribble, corners: [] }))
  assert.ok(bare.width > 20 && bare.width < 80 && bare.height === 40, JSON.stringify(bare))
})
