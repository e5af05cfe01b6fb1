import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '@meadow/contract'
import { type Canvas, createGraph } from './create-graph.ts'
import { flatten, formula, graft } from './feed.ts'

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

test('[GRAPH-1] given nodes of one name, when they are drawn, then their ids differ and are UUIDs', () => {
  const content = draw(({ add }) => {
    add('Series', [], 'Twice')
    add('Series', [], 'Twice')
  })
  const ids = Object.values(content.nodes).flatMap((node) => [node.instanceId, ...Object.keys(node.ports)])
  assert.equal(new Set(ids).size, 10)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('[GRAPH-1] given another name, when the same drawing is made, then no id is the same', () => {
  const ids = (name: string) =>
    Object.keys(
      createGraph(name, ({ group, add }) => {
        group('All', 'inputs')
        add('Series', [])
      }).nodes,
    )
  assert.notDeepEqual(ids('A'), ids('B'))
})

test('[GRAPH-2] given something that is not in the catalogue, when it is drawn, then the error names it', () => {
  assert.throws(() => draw(({ add }) => add('Serie', [])), /no "Serie"/)
  assert.throws(() => draw(({ add }) => add('Rotate', [])), /several "Rotate"/)
  assert.throws(() => draw(({ add }) => add('Series', { Length: 3 })), /Series has no input "Length"/)
  assert.throws(() => draw(({ add }) => add('Series', [0, 1, 2, 3])), /Series has no input "3"/)
  assert.throws(() => draw(({ add }) => add('Series', []).out('List')), /Series has no output "List"/)
  assert.throws(() => draw(({ add }) => add('Series', { Count: 2.5 })), /type Integer cannot hold 2.5/)
  assert.throws(() => draw(({ add }) => add('Move', { Motion: 4 })), /type Vector cannot hold 4/)
  assert.throws(() => createGraph('Test', ({ add }) => add('Series', [])), /before the first group/)
})

test('[GRAPH-3] given inputs by order, name or nickname, when a component is drawn, then they reach the same ports', () => {
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

test('[GRAPH-3] given a wire, when it is drawn, then the port keeps its default too', () => {
  const content = draw(({ slider, add }) => {
    add('Move', {
      Motion: slider('Far', 3, { from: 0, to: 9 }),
      Geometry: { type: 'vector', value: [1, 2, 3] },
    })
  })
  const { senders, values } = readInput(getNode(content, 'Move'), 'Motion')
  assert.deepEqual(senders, [getNode(content, 'Far').instanceId])
  assert.deepEqual(values, [[0, 0, 10]])
})

test('[GRAPH-3] given adjusted inputs, when they are drawn, then the ports carry flags and expression', () => {
  const content = draw(({ slider, add }) => {
    const angle = slider('Angle', 30, { from: 0, to: 90 })
    add('Transform/Rotate', { Geometry: graft(angle), Angle: formula('x/2', flatten(angle)) })
  })
  const node = getNode(content, 'Rotate')
  assert.deepEqual(readInput(node, 'Geometry').port?.flags, ['graft'])
  const { flags, expression } = readInput(node, 'Angle').port ?? {}
  assert.deepEqual({ flags, expression }, { flags: ['flatten'], expression: 'x/2' })
})

test('[GRAPH-3] given a slider, then its value is an integer', () => {
  const content = draw(({ slider }) => slider('Whole', 3, { from: 0, to: 9 }))
  const { instanceId, values } = getNode(content, 'Whole')
  assert.deepEqual(values[instanceId]?.branches[0]?.values, [{ type: 'integer', value: 3 }])
})

test('[GRAPH-4] given a component and a preview of it, then only the preview is shown', () => {
  const content = draw(({ add, paint }) => paint('Glass', '#8fc1d966', add('Circle', [], 'Round')))
  assert.equal(getNode(content, 'Round').status.isPreviewed, false)
  assert.equal(getNode(content, 'Show Glass').status.isPreviewed, true)
})
