import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { BufferGeometry, type Mesh, type Object3D, Vector3 } from 'three'
import { chooseLooks, NO_CHOICES } from '../scene/looks.ts'
import { readValues } from '../scene/scene-values.ts'
import { buildScene, cube, line, point } from '../testing/build-scene.ts'
import { createModelDrawing, type Display, type ModelDrawing } from './model-drawing.ts'
import { toPlane } from './section.ts'

const ALL: Display = { isShaded: true, edges: true, isocurves: true, meshEdges: true }

/** The objects that a frame draws. */
function listDrawn({ object }: ModelDrawing): Mesh[] {
  const drawn: Mesh[] = []
  const visit = (one: Object3D) => {
    if (!one.visible) return
    if ('geometry' in one) drawn.push(one as Mesh)
    for (const child of one.children) visit(child)
  }
  visit(object)
  return drawn
}

const countTriangles = (drawing: ModelDrawing) =>
  listDrawn(drawing)
    .filter(
      ({ type, geometry }) => type === 'Mesh' && geometry.index && !('isLineSegmentsGeometry' in geometry),
    )
    .reduce((sum, { geometry }) => sum + geometry.drawRange.count / 3, 0)

const manyNodes = (count: number, far = 0) =>
  buildScene(
    Array.from({ length: count }, (_, i) => [
      { node: `cube${i}`, geometry: cube(2 * i, far, 0) },
      { node: `line${i}`, geometry: line([2 * i, far, 0], [2 * i, far, 5]) },
      { node: `point${i}`, geometry: point(2 * i, far, 5) },
    ]).flat(),
  )

test('[WEB-63] given hundreds of nodes, when they are drawn, then a frame has few draw calls, also while one is selected', async () => {
  const values = readValues(await manyNodes(300))
  const drawing = createModelDrawing()
  drawing.show(values)
  drawing.paint(chooseLooks(values, NO_CHOICES), ALL)
  assert.equal(listDrawn(drawing).length, 4, 'faces, mesh edges, curves, points')
  assert.equal(countTriangles(drawing), 300 * 12)
  const selectedIds = new Set(['cube7', 'line9'])
  drawing.paint(chooseLooks(values, { ...NO_CHOICES, selectedIds }), ALL)
  assert.ok(listDrawn(drawing).length <= 9, `${listDrawn(drawing).length} calls`)
  // The selected faces are drawn once more, where others hide them.
  assert.equal(countTriangles(drawing), 300 * 12 + 12)
  drawing.paint(chooseLooks(values, { ...NO_CHOICES, previewOff: new Set(['cube1']) }), ALL)
  assert.equal(countTriangles(drawing), 299 * 12)
  drawing.paint(chooseLooks(values, NO_CHOICES), { ...ALL, isShaded: false, meshEdges: false })
  assert.equal(countTriangles(drawing), 0)
  assert.equal(listDrawn(drawing).length, 3, 'without faces, their edges are always drawn')
  drawing.dispose()
})

test('[WEB-63] given scenes of the same shape, when they follow each other, then they use the same buffers', async () => {
  const drawing = createModelDrawing()
  const draw = async (count: number, far: number) => {
    const values = readValues(await manyNodes(count, far))
    drawing.show(values)
    drawing.paint(chooseLooks(values, NO_CHOICES), ALL)
    return listDrawn(drawing).flatMap(({ geometry }) => [
      geometry,
      ...Object.values((geometry as BufferGeometry).attributes),
    ])
  }
  const first = await draw(20, 0)
  const second = await draw(20, 1)
  assert.ok(first.length > 8)
  for (const [i, buffer] of first.entries()) assert.equal(second[i], buffer)
  const fewer = await draw(15, 2)
  for (const [i, buffer] of first.entries()) assert.equal(fewer[i], buffer)
  assert.equal(countTriangles(drawing), 15 * 12)
  await draw(4000, 0)
  assert.equal(countTriangles(drawing), 4000 * 12)
  drawing.dispose()
})

test('[WEB-63] given objects that share vertices, when one of them gets other buffers, then it releases none that is drawn', async () => {
  const drawing = createModelDrawing()
  const released = new Set<unknown>()
  const draw = async (far: number, selected: number) => {
    const values = readValues(await manyNodes(100, far))
    drawing.show(values)
    const selectedIds = new Set(Array.from({ length: selected }, (_, i) => `cube${i}`))
    drawing.paint(chooseLooks(values, { ...NO_CHOICES, selectedIds }), ALL)
    return listDrawn(drawing).map(({ geometry }) => geometry)
  }
  for (const geometry of await draw(0, 1))
    geometry.addEventListener('dispose', () => {
      for (const attribute of Object.values(geometry.attributes)) released.add(attribute)
    })
  const drawn = await draw(1, 80)
  for (const { attributes } of drawn)
    for (const [name, attribute] of Object.entries(attributes)) assert.ok(!released.has(attribute), name)
  drawing.dispose()
})

test('[WEB-60] given a section, when its plane is placed, then the side that it keeps follows its direction', () => {
  const origin = new Vector3(100, 0, 0)
  const keeps = (isFlipped: boolean, x: number) =>
    toPlane({ axis: 'x', offset: 105, isFlipped }, origin).distanceToPoint(new Vector3(x - 100, 3, 4)) > 0
  assert.deepEqual([keeps(false, 104), keeps(false, 106)], [true, false])
  assert.deepEqual([keeps(true, 104), keeps(true, 106)], [false, true])
})

test('[WEB-60] given closed and open bodies, when a section caps them, then only the closed ones that are visible', async () => {
  const open = { ...cube(5, 0, 0), faces: cube(5, 0, 0).faces.slice(1) }
  const values = readValues(
    await buildScene([
      { node: 'closed', geometry: cube(0, 0, 0) },
      { node: 'hidden', geometry: cube(2, 0, 0) },
      { node: 'open', geometry: open },
    ]),
  )
  const drawing = createModelDrawing()
  drawing.show(values)
  const solids = new BufferGeometry()
  drawing.fillSolids(solids, chooseLooks(values, { ...NO_CHOICES, previewOff: new Set(['hidden']) }))
  assert.equal(solids.drawRange.count, 36)
  drawing.fillSolids(solids, new Uint8Array(3))
  assert.equal(solids.drawRange.count, 0)
  drawing.dispose()
})

test('[WEB-59] given a sphere, when it is drawn, then its faces are smooth, and what is switched off is not drawn', async () => {
  const scene = await buildScene([{ node: 'sphere', geometry: createSphere(WORLD_XY, 2) }])
  const values = readValues(scene)
  const faces = values.parts.find(({ role }) => role === 'body')!
  const [at, normal, origin] = [new Vector3(), new Vector3(), new Vector3(...scene.origin)]
  for (let i = 0; i < faces.positions.length; i += 3) {
    at.fromArray(faces.positions, i).add(origin).normalize()
    assert.ok(normal.fromArray(faces.normals!, i).dot(at) > 0.999)
  }
  assert.deepEqual(
    values.parts.map(({ role }) => role),
    ['body', 'edge', 'isocurve'],
  )
  const drawing = createModelDrawing()
  drawing.show(values)
  const count = (display: Partial<Display>) => {
    drawing.paint(chooseLooks(values, NO_CHOICES), { ...ALL, ...display })
    return listDrawn(drawing).length
  }
  assert.equal(count({}), 3)
  assert.equal(count({ isocurves: false }), 2)
  assert.equal(count({ isocurves: false, edges: false }), 1)
  assert.equal(count({ isShaded: false, isocurves: false, edges: false }), 1, 'without faces, edges remain')
  drawing.dispose()
})
