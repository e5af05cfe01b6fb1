import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { Cluster, GraphContent } from '@meadow/contract'
import { diffDocuments } from '@meadow/diff'
import { KINDS } from '../../testing/kinds.ts'
import { countDifference, listChanges } from './list-changes.ts'
import { listMarks } from './list-marks.ts'
import { locateChange } from './locate-change.ts'

const at = (kind: keyof typeof KINDS, id: string, x: number, state?: Node['state']): Node => {
  const node = createNode(KINDS[kind], { position: { x, y: 0 }, nickName: id })
  return JSON.parse(JSON.stringify({ ...node, ...(state && { state }) }).replaceAll(node.instanceId, id))
}
const graph = (...nodes: Node[]): GraphContent => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
})
const wire = (from: Node, to: Node): Node => ({
  ...to,
  sources: {
    [Object.keys(to.inputs)[0]!]: [
      { nodeInstanceId: from.instanceId, portInstanceId: Object.keys(from.outputs)[0]! },
    ],
  },
})
const marksOf = (before: GraphContent, after: GraphContent) => {
  const { changes, layout } = diffDocuments(before, after)
  return (side: 'before' | 'after') => {
    const marks = listMarks([...changes, ...layout], [], side)
    return { nodes: Object.fromEntries(marks.nodes), wires: marks.wires.map(({ mark }) => mark) }
  }
}

const width = at('slider', 'width', 0)
const height = at('slider', 'height', 10)
const sum = at('addition', 'sum', 300)

test('[WEB-140] given nodes that were added, removed, moved and renamed, when they are marked, then each is marked in the graphs that it is in', () => {
  const moved = { ...sum, position: { x: 400, y: 0 } }
  const marks = marksOf(graph(width, sum), graph({ ...moved, nickName: 'Total' }, height))
  assert.deepEqual(marks('before').nodes, { width: 'removed', sum: 'changed' })
  assert.deepEqual(marks('after').nodes, { height: 'added', sum: 'changed' })
  const onlyMoved = marksOf(graph(sum), graph(moved))
  assert.deepEqual(onlyMoved('before').nodes, { sum: 'moved' })
})

test('[WEB-140] given wires that were added, removed and replaced, when they are marked, then each is marked where it is, and not its nodes', () => {
  const all = [width, height] as const
  const [without, withWidth, withHeight] = [sum, wire(width, sum), wire(height, sum)]
  const added = marksOf(graph(...all, without), graph(...all, withWidth))
  assert.deepEqual([added('before').wires, added('after').wires], [[], ['added']])
  assert.deepEqual(added('after').nodes, {})
  const removed = marksOf(graph(...all, withWidth), graph(...all, without))
  assert.deepEqual([removed('before').wires, removed('after').wires], [['removed'], []])
  const replaced = marksOf(graph(...all, withWidth), graph(...all, withHeight))
  assert.deepEqual([replaced('before').wires, replaced('after').wires], [['removed'], ['added']])
})

test('[WEB-140] given a node that has another id, when it is marked, then each graph has its own id', () => {
  const renamed = at('addition', 'other', 300)
  const [change] = diffDocuments(graph(sum), graph({ ...renamed, nickName: 'sum' })).layout
  const { before, after } = locateChange(change!)
  assert.deepEqual([before.nodeIds, after.nodeIds], [['sum'], ['other']])
})

test('[WEB-142] given a change inside a cluster, when the graph around it is shown, then the cluster is marked, and inside it the node', () => {
  const cluster = at('addition', 'box', 0, { kind: 'cluster', isProtected: false })
  const inside = (node: Node): Record<string, Cluster> => ({
    box: { ports: {}, nodes: { [node.instanceId]: node }, groups: [] },
  })
  const { changes } = diffDocuments(
    { ...graph(cluster), clusters: inside(sum) },
    { ...graph(cluster), clusters: inside({ ...sum, nickName: 'Total' }) },
  )
  assert.deepEqual([...listMarks(changes, [], 'after').nodes], [['box', 'changed']])
  const path = changes[0]!.clusters!
  assert.deepEqual([...listMarks(changes, path, 'after').nodes], [['sum', 'changed']])
})

test('[WEB-141] given changes of several kinds, when they are listed, then they stand by category, and those of the layout last and only if they are asked for', () => {
  const difference = diffDocuments(
    graph(width, sum),
    graph({ ...sum, nickName: 'Total', position: { x: 350, y: 0 } }, height),
  )
  const list = listChanges(difference, false)
  assert.deepEqual(
    list.map(({ category, index }) => [category, index]),
    [
      ['added', 0],
      ['removed', 1],
      ['nodes', 2],
    ],
  )
  assert.deepEqual(listChanges(difference, true).at(-1)!.category, 'layout')
  for (const { text } of list) assert.match(text, /\w/)
})

test('[WEB-244] given two graphs, when what differs is counted, then nodes, values, wires and moves are told apart, and what is zero is not said', () => {
  const said = (before: GraphContent, after: GraphContent) => countDifference(diffDocuments(before, after))
  const slid = { ...width, state: { ...width.state, value: 7 } } as Node
  const moved = { ...sum, position: { x: 400, y: 0 } }
  assert.equal(said(graph(width, sum), graph(width, sum)), '')
  assert.equal(said(graph(width, sum), graph(slid, wire(width, sum))), '1 value, 1 wire')
  assert.equal(said(graph(sum), graph(moved, width, height)), '+2 nodes, 1 node moved')
  assert.equal(said(graph(sum, width), graph({ ...sum, nickName: 'Total' })), '−1 node, 1 other change')
})
