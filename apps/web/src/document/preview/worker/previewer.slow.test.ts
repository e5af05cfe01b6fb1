import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '@meadow/contract'
import { readScene } from '@meadow/contract/web'
import { createDataTree } from '@meadow/document'
import { createNode, createSliderValues } from '@meadow/document/live'
import { KINDS } from '../../../testing/kinds.ts'
import { createPreviewer, type PreviewOutcome } from './previewer.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'

const at = (x: number) => ({ position: { x, y: 0 } })
const slide = (node: Node, value: number): Node => ({
  ...node,
  values: { ...node.values, [node.instanceId]: createSliderValues(node, value) },
})
const out = (node: Node) => ({
  nodeInstanceId: node.instanceId,
  portInstanceId: Object.keys(node.outputs)[0] ?? node.instanceId,
})

/** A slider that sets the radius of a sphere, and a panel that shows it. */
function createGraph() {
  const slider = createNode(KINDS.slider, at(0))
  const sphere = createNode(KINDS.sphere, at(200))
  const panel = createNode(KINDS.panel, at(400))
  sphere.sources[Object.keys(sphere.inputs)[1]!] = [out(slider)]
  panel.sources[panel.instanceId] = [out(slider)]
  return { slider, sphere, panel }
}

type Solved = Extract<PreviewOutcome, { scene: unknown }>

async function solved(outcome: Promise<PreviewOutcome>): Promise<Solved> {
  const result = await outcome
  assert.ok('scene' in result, JSON.stringify(result))
  return result
}

const whole = (...nodes: Node[]) => ({ isWhole: true, nodes, removedIds: [] })
const changed = (...nodes: Node[]) => ({ isWhole: false, nodes, removedIds: [] })

async function sizeOf({ scene }: Solved): Promise<number> {
  const { boundingBox } = readScene(await new Blob([...scene]).arrayBuffer())
  return boundingBox ? boundingBox[1][0] - boundingBox[0][0] : 0
}

test('[WEB-50] given a slider with a sphere and a panel, when its value changes, then geometry and panel follow', async () => {
  const { slider, sphere, panel } = createGraph()
  const previewer = createPreviewer()
  const first = await solved(previewer.solve(whole(slide(slider, 0.5), sphere, panel)))
  assert.ok(Math.abs((await sizeOf(first)) - 1) < 0.01)
  assert.equal(first.summary?.nodes[sphere.instanceId]?.state, 'solved')
  const second = await solved(previewer.solve(changed(slide(slider, 1))))
  assert.ok(Math.abs((await sizeOf(second)) - 2) < 0.01)
  assert.deepEqual(second.panels.get(panel.instanceId)?.tree.branches, [
    { path: '{0}', values: [{ type: 'string', value: '1' }] },
  ])
  assert.equal(second.summary, undefined, 'the structure is the same')
})

test('[WEB-203] given a sphere, when it is drawn roughly, plainly and as usual, then it is the same one, in more and more pieces', async () => {
  const { slider, sphere, panel } = createGraph()
  const previewer = createPreviewer()
  await previewer.solve(whole(slider, sphere, panel))
  const sizes: number[] = []
  for (const style of ['rough', 'plain', 'usual'] as const) {
    const drawn = await solved(previewer.solve(changed(slide(slider, 1)), { style }))
    assert.ok(Math.abs((await sizeOf(drawn)) - 2) < 0.01)
    sizes.push(drawn.scene.reduce((sum, { length }) => sum + length, 0))
  }
  assert.ok(sizes[0]! < sizes[1]! / 3 && sizes[1]! < sizes[2]!, sizes.join())
})

test('[WEB-50] given a node whose preview is off, then it is drawn only while it is selected', async () => {
  const { slider, sphere } = createGraph()
  const hidden = { ...sphere, status: { ...sphere.status, isPreviewed: false } }
  const previewer = createPreviewer()
  assert.equal(await sizeOf(await solved(previewer.solve(whole(slider, hidden)))), 0)
  assert.ok(
    (await sizeOf(await solved(previewer.solve(changed(), { selectedIds: [sphere.instanceId] })))) > 0,
  )
})

test('[WEB-51] given a document with a cluster, when it is previewed, then it is one for the server', async () => {
  const cluster = { ...createNode(KINDS.panel, at(0)), templateId: CLUSTER }
  assert.deepEqual(await createPreviewer().solve(whole(cluster)), { obstacle: 'content' })
})

test('[WEB-51] given a node that uses an object of a Rhino model, when it is previewed, then the document is one for the server', async () => {
  const panel = createNode(KINDS.panel, at(0))
  const value = {
    type: 'unknown',
    value: { description: 'Point in a Rhino model' },
    referenceId: 'x',
  } as const
  panel.values[panel.instanceId] = { branches: [{ path: '{0}', values: [value] }] }
  assert.deepEqual(await createPreviewer().solve(whole(panel)), { obstacle: 'content' })
})

test('[WEB-51] given a solve that takes too long, too much memory or too many vertices, then the document is one for the server, and a smaller one has a preview', async () => {
  const count = createNode(KINDS.slider, at(0))
  const series = createNode(KINDS.series, at(200))
  const sphere = createNode(KINDS.sphere, at(400))
  series.sources[Object.keys(series.inputs)[2]!] = [out(count)]
  sphere.sources[Object.keys(sphere.inputs)[1]!] = [out(series)]
  const holding = (value: number): Node => ({
    ...count,
    values: { [count.instanceId]: createDataTree([{ path: [0], values: [{ type: 'number', value }] }]) },
    state: { ...count.state, kind: 'slider', minimum: 0, maximum: 1e12 },
  })
  const limits = { deadlineMs: 1e6, maxBytes: 2 ** 28, maxVertices: 10_000 }
  for (const [many, limit] of [
    // Far above what three spheres need on a busy machine, and far below what 20 million need on any.
    [2e7, { deadlineMs: 1000, maxBytes: 1e12 }],
    [1e6, { maxBytes: 2 ** 20 }],
    [1000, {}],
  ] as const) {
    const previewer = createPreviewer({ ...limits, ...limit })
    assert.deepEqual(await previewer.solve(whole(holding(many), series, sphere)), { obstacle: 'size' })
    await solved(previewer.solve(changed(holding(3))))
  }
})

test('[WEB-33] given a port of a preview, when it is read in pages, then they have its values in order', async () => {
  const count = slide(createNode(KINDS.slider, at(0)), 1)
  const series = createNode(KINDS.series, at(200))
  const number = createDataTree([{ path: [0], values: [{ type: 'integer', value: 250 }] }])
  series.values[Object.keys(series.inputs)[2]!] = number
  const previewer = createPreviewer()
  await solved(previewer.solve(whole(count, series)))
  const page = previewer.readPort(out(series), 200, 100)!
  assert.deepEqual(
    [page.values, page.firstIndex, page.next, page.tree.branches[0]!.values.length],
    [250, 200, null, 50],
  )
  assert.equal(previewer.readPort(out(series), 0, 100)!.next, 100)
})
