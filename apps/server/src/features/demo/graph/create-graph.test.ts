import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '@meadow/contract'
import type { Canvas } from './canvas.ts'
import { createGraph } from './create-graph.ts'
import { degrees, flatten, formula, graft, vector } from './feed.ts'

const draw = (steps: (canvas: Canvas) => void) =>
  createGraph('Test', (canvas) => {
    canvas.group('All', 'inputs')
    steps(canvas)
  })

function getNode(content: ReturnType<typeof draw>, nickName: string): Node {
  const node = Object.values(content.nodes).find((it) => it.nickName === nickName)
  assert.ok(node, nickName)
  return node
}

/** A node's inputs by name: the facts of the port, and what reaches it. */
function readInput(node: Node, name: string) {
  const id = Object.keys(node.inputs).find((it) => node.ports[it]?.name === name)
  assert.ok(id, name)
  return {
    port: node.ports[id],
    senders: node.sources[id]?.map(({ nodeInstanceId }) => nodeInstanceId),
    values: node.values[id]?.branches[0]?.values.map((value) => value?.value),
  }
}

test('[DEMO-1] given nodes of one name, when they are drawn, then their ids differ and are UUIDs', () => {
  const content = draw(({ add }) => {
    add('Series', [], 'Twice')
    add('Series', [], 'Twice')
  })
  const ids = Object.values(content.nodes).flatMap((node) => [node.instanceId, ...Object.keys(node.ports)])
  assert.equal(new Set(ids).size, 10)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('[DEMO-1] given another name, when the same drawing is made, then no id is the same', () => {
  const ids = (name: string) =>
    Object.keys(
      createGraph(name, ({ group, add }) => {
        group('All', 'inputs')
        add('Series', [])
      }).nodes,
    )
  assert.notDeepEqual(ids('A'), ids('B'))
})

test('[DEMO-2] given something that is not in the catalogue, when it is drawn, then the error names it', () => {
  assert.throws(() => draw(({ add }) => add('Serie', [])), /no "Serie"/)
  assert.throws(() => draw(({ add }) => add('Rotate', [])), /several "Rotate"/)
  assert.throws(() => draw(({ add }) => add('Series', { Length: 3 })), /Series has no input "Length"/)
  assert.throws(() => draw(({ add }) => add('Series', [0, 1, 2, 3])), /Series has no input "3"/)
  assert.throws(() => draw(({ add }) => add('Series', []).out('List')), /Series has no output "List"/)
  assert.throws(() => draw(({ add }) => add('Series', { Count: 2.5 })), /type Integer cannot hold 2.5/)
  assert.throws(() => draw(({ add }) => add('Move', { Motion: 4 })), /type Vector cannot hold 4/)
  assert.throws(() => draw(({ valueList }) => valueList('List', { a: 1 }, 'b')), /no choice "b"/)
  assert.throws(() => createGraph('Test', ({ add }) => add('Series', [])), /before the first group/)
})

test('[DEMO-3] given inputs by order, name or nickname, when a component is drawn, then they reach the same ports', () => {
  const content = draw(({ add }) => {
    add('Series', [1, 2, 3], 'by order')
    add('Series', { Start: 1, Step: 2, Count: 3 }, 'by name')
    add('Series', { S: 1, N: 2, C: 3 }, 'by nickname')
  })
  for (const nickName of ['by order', 'by name', 'by nickname']) {
    const node = getNode(content, nickName)
    assert.deepEqual(
      ['Start', 'Step', 'Count'].map((name) => readInput(node, name).values),
      [[1], [2], [3]],
    )
  }
})

test('[DEMO-3] given a wire, when it is drawn, then the port keeps its default too', () => {
  const content = draw(({ slider, add }) => {
    add('Move', { Motion: slider('Far', 3, { from: 0, to: 9 }), Geometry: vector(1, 2, 3) })
  })
  const { senders, values } = readInput(getNode(content, 'Move'), 'Motion')
  assert.deepEqual(senders, [getNode(content, 'Far').instanceId])
  assert.deepEqual(values, [[0, 0, 10]])
})

test('[DEMO-3] given adjusted inputs, when they are drawn, then the ports carry flags, expression and options', () => {
  const content = draw(({ slider, add }) => {
    const angle = slider('Angle', 30, { from: 0, to: 90 })
    add('Transform/Rotate', { Geometry: graft(angle), Angle: degrees(formula('x/2', flatten(angle))) })
  })
  const node = getNode(content, 'Rotate')
  assert.deepEqual(readInput(node, 'Geometry').port?.flags, ['graft'])
  const { flags, expression, options } = readInput(node, 'Angle').port ?? {}
  assert.deepEqual(
    { flags, expression, options },
    { flags: ['flatten'], expression: 'x/2', options: ['degrees'] },
  )
})

test('[DEMO-3] given a slider of whole numbers, then its value is an integer, otherwise a number', () => {
  const content = draw(({ slider }) => {
    slider('Whole', 3, { from: 0, to: 9 })
    slider('Real', 3, { from: 0, to: 9, decimals: 1 })
  })
  const typeOf = ({ instanceId, values }: Node) => values[instanceId]?.branches[0]?.values[0]?.type
  assert.equal(typeOf(getNode(content, 'Whole')), 'integer')
  assert.equal(typeOf(getNode(content, 'Real')), 'number')
})

test('[DEMO-4] given a component and a preview of it, then only the preview is shown', () => {
  const content = draw(({ add, paint }) => paint('Glass', '#8fc1d966', add('Circle', [], 'Round')))
  assert.equal(getNode(content, 'Round').status.isPreviewed, false)
  assert.equal(getNode(content, 'Show Glass').status.isPreviewed, true)
})
