import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document } from '@meadow/contract'
import { createGraph } from '../../../../apps/server/src/testing/graph/create-graph.ts'
import { solutionOf, solveGraph } from '../testing/solve-graph.ts'
import { type DrawOptions, drawModel } from './draw-model.ts'

/** A ball that passes a parameter and is painted, and a ring that nothing is done with. All previews are off. */
const { document, solution } = solveGraph(
  createGraph('Ball and ring', ({ group, add, paint, parameter }) => {
    group('All', 'geometry')
    add('Circle', { Radius: 3 }, 'Ring')
    const ball = add('Sphere', { Radius: 2 }, 'Ball')
    const passed = parameter('Surface', 'Passed', ball)
    paint('Red', '#ff000080', passed)
  }),
)

const idOf = (nickName: string): string =>
  Object.values(document.nodes).find((node) => node.nickName === nickName)!.instanceId

/** The document with the previews of these nodes on. */
function show(...nickNames: string[]): Document {
  const nodes = Object.entries(document.nodes).map(([id, node]) => {
    const isPreviewed = nickNames.includes(node.nickName) || node.status.isPreviewed
    return [id, { ...node, status: { ...node.status, isPreviewed } }]
  })
  return { ...document, nodes: Object.fromEntries(nodes) }
}

const draw = (options: DrawOptions) => drawModel(solution, options)
const listNames = (options: DrawOptions) => draw(options).nodes.map(({ name }) => name)

test('[GLB-6, GLB-5] given a document, when its solution is drawn, then hidden nodes are left out but for what is painted', () => {
  assert.deepEqual(listNames({ document }), ['Ball'])
  assert.deepEqual(listNames({ document: show('Ring') }), ['Ring', 'Ball'])
  assert.deepEqual(listNames({ document, hidden: true }), ['Ring', 'Ball'])
  assert.deepEqual(listNames({ document, nodeInstanceIds: [idOf('Ring')] }), ['Ring'])
  assert.deepEqual(listNames({}).length, 2)

  const [ball] = draw({ document }).nodes[0]!.ports[0]!.values
  assert.deepEqual(ball?.material?.diffuse, { type: 'colour', red: 255, green: 0, blue: 0, alpha: 128 })
})

const hex = (value: string) => ({ type: 'colour', value }) as const

test('[GLB-5] given a material that nodes compute, when geometry is painted with it, then it has that', () => {
  const painted = solveGraph(
    createGraph('Mirror', ({ group, add }) => {
      group('All', 'geometry')
      const ball = add('Sphere', { Radius: 2 }, 'Ball')
      const material = add(
        'Create Material',
        [hex('#102030ff'), hex('#ffffffff'), hex('#000000ff'), 0.25, 80],
        'Material',
      )
      add('Custom Preview', [ball, material], 'Shown')
    }),
  )
  const document = { ...painted.document, nodes: { ...painted.document.nodes } }
  for (const [id, node] of Object.entries(document.nodes))
    document.nodes[id] = { ...node, status: { isEnabled: true, isPreviewed: true } }
  const [ball] = drawModel(painted.solution, { document }).nodes[0]!.ports[0]!.values
  const { diffuse, transparency, shine } = ball!.material!
  assert.deepEqual([diffuse.red, diffuse.blue, transparency, shine], [16, 48, 0.25, 80])
})

test('[GLB-6] given a port whose preview is off, when its node is shown, then it is left out', () => {
  const shown = show('Ring')
  const ring = shown.nodes[idOf('Ring')]!
  for (const port of Object.values(ring.ports)) port.options = ['hidden']
  assert.deepEqual(listNames({ document: shown }), ['Ball'])
})

test('[GLB-7] given geometry that several ports hold, when it is drawn, then once, where a shown node has it first', () => {
  const [first] = draw({ document: show('Ball', 'Passed') }).nodes[0]!.ports[0]!.values
  assert.equal(first?.nodeInstanceId, idOf('Ball'))
  assert.deepEqual(
    first?.alsoAt.map(({ nodeInstanceId }) => nodeInstanceId),
    [idOf('Passed')],
  )
  assert.deepEqual(listNames({ document: show('Passed') }), ['Passed'])
  assert.deepEqual(listNames({ document: show('Ball', 'Passed'), repeats: true }), ['Ball', 'Passed'])
})

test('[GLB-9] given values that have no drawing, when they are drawn, then their places and the reason are named', () => {
  const { skipped, nodes } = drawModel(
    solutionOf({
      a: [1, { type: 'point', x: 0, y: 0, z: 0 }, { type: 'point', x: Number.NaN, y: 0, z: 0 }],
      b: [{ type: 'point', x: 1e31, y: 0, z: 0 }],
    }),
  )
  assert.equal(nodes.length, 1)
  const places = skipped.map(({ nodeInstanceId, path, index, reason }) => [
    nodeInstanceId,
    path,
    index,
    reason,
  ])
  assert.deepEqual(places, [
    ['a', '{0}', 2, 'not_drawn'],
    ['b', '{0}', 0, 'not_drawn'],
  ])
})

test('[GLB-10] given a circle and a ball, when they are drawn, then lines are curves, and edges on request', () => {
  const lines = (options: DrawOptions) =>
    draw(options).nodes.map(({ name, ports }) => [name, ports[0]!.values[0]!.shape.lines.length])
  const all = { document, hidden: true }
  assert.deepEqual(lines(all), [
    ['Ring', 1],
    ['Ball', 0],
  ])
  assert.deepEqual(lines({ ...all, edges: true, curves: false }), [['Ball', 1]])
  const count = (options: DrawOptions) =>
    draw(options).nodes.at(-1)!.ports[0]!.values[0]!.shape.triangles.length
  assert.ok(count({ ...all, detail: 'coarse' }) < count(all))
  const points = solutionOf({ a: [{ type: 'point', x: 0, y: 0, z: 0 }] })
  assert.deepEqual(drawModel(points, { points: false }).nodes, [])
})

test('[GLB-9] given values that no solve has, when they are drawn, then the others still are, and what cannot be is named', () => {
  const plane = { origin: [0, 0, 0], xAxis: [1, 0, 0], yAxis: [0, 1, 0], zAxis: [0, 0, 1] }
  const arc = (endAngle: unknown) => ({ type: 'arc', value: { plane, radius: 1, startAngle: 0, endAngle } })
  const good = { type: 'point', value: [1, 2, 3] }
  const values = [arc(1e9), arc(1e308), arc('Infinity'), { type: 'point', value: ['NaN', 0, 1e308] }, good]
  const tree = { branches: [{ path: '{0}', values }] }
  // Ids that every object has as members.
  const data = JSON.parse(
    JSON.stringify({ solutionId: 'sol_1', proto: { constructor: tree } }).replace('proto', '__proto__'),
  )
  const { nodes, skipped } = drawModel(
    { data, includesGeometry: true },
    { document: { ...document, nodes: {} } },
  )
  assert.deepEqual(
    nodes.map(({ name, ports }) => [name, ports[0]!.name, ports[0]!.values.map(({ index }) => index)]),
    [['__proto__', 'Port', [0, 4]]],
  )
  assert.deepEqual(
    skipped.map(({ index, reason }) => [index, reason]),
    [
      [1, 'not_drawn'],
      [2, 'not_drawn'],
      [3, 'not_drawn'],
    ],
  )
})

test('[GLB-4] given a BIM document with a position that no list has, when it is drawn, then it is refused at once', () => {
  const place = { nodeInstanceId: 'n', portInstanceId: 'p', path: '{0}' }
  const object = { id: 'obj_1', name: 'Point', type: 'point', value: [1, 2, 3], geometry: null, ...place }
  for (const index of [1e15, 2 ** 31, 0.5, Number.NaN]) {
    const objects = { obj_1: { ...object, index } }
    const bim = {
      format: 'bimz',
      documentId: 'doc_1',
      solutionId: 'sol_1',
      units: 'meters',
      objects,
    } as const
    assert.throws(() => drawModel(bim), /The position of the value obj_1 cannot be/)
  }
})
