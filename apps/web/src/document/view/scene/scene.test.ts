import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { circle } from '@meadow/geometry/values/curves'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { PerspectiveCamera, Ray, Vector3 } from 'three'
import { toPlane } from '../drawing/section.ts'
import { buildScene, cube, line, point } from '../testing/build-scene.ts'
import { type Choices, chooseLooks, findBox, LOOK, NO_CHOICES } from './looks.ts'
import { formatNumber, measureAngle, measureBox, measureValue } from './measures.ts'
import { createPicker, type PickOptions } from './picker.ts'
import { readValues, type SceneValues } from './scene-values.ts'
import { findSnapPoint, listSnapPoints } from './snap-points.ts'

const value = (node: string, index = 0) => ({
  nodeInstanceId: node,
  portInstanceId: 'out',
  path: '{0}',
  index,
})

const CONTENTS = [
  { node: 'cubes', geometry: cube(0, 0, 0) },
  { node: 'cubes', geometry: cube(4, 0, 0), index: 1 },
  { node: 'lines', geometry: line([0, 0, 3], [4, 0, 3]) },
  { node: 'red', geometry: cube(8, 0, 0), colour: { red: 255, green: 0, blue: 0, alpha: 255 } },
]

const NAMES = Object.entries(LOOK)
const nameLooks = (looks: Uint8Array) =>
  [...looks].map((look) => NAMES.find(([, number]) => number === look)![0])
const read = async (contents: Parameters<typeof buildScene>[0] = CONTENTS) =>
  readValues(await buildScene(contents))
const look = async (choices: Partial<Choices>) =>
  nameLooks(chooseLooks(await read(), { ...NO_CHOICES, ...choices }))

test('[WEB-62] given a scene, when its values are numbered, then each is found by node, port, path and index', async () => {
  const values = await read()
  assert.equal(values.count, 4)
  for (let number = 0; number < values.count; number++)
    assert.equal(values.find(values.describe(number)), number)
  assert.deepEqual(values.describe(1), value('cubes', 1))
  assert.equal(values.find(value('cubes', 2)), undefined)
  assert.equal(values.find(value('gone')), undefined)
  assert.deepEqual([values.typeOf(0), values.isClosed(0), values.typeOf(2)], ['mesh', true, 'line'])
})

test('[WEB-56, WEB-62] given choices, when values are painted, then they are hidden, isolated, selected and revealed', async () => {
  assert.deepEqual(await look({}), ['plain', 'plain', 'plain', 'coloured'])
  const previewOff = new Set(['cubes', 'red'])
  assert.deepEqual(await look({ previewOff }), ['hidden', 'hidden', 'plain', 'coloured'])
  assert.deepEqual(await look({ previewOff, revealed: previewOff }), ['plain', 'plain', 'plain', 'coloured'])
  const selectedIds = new Set(['cubes'])
  const picked = [value('cubes', 1)]
  assert.deepEqual(await look({ previewOff, selectedIds, picked }), [
    'selected',
    'picked',
    'plain',
    'coloured',
  ])
  assert.deepEqual(await look({ hidden: [value('cubes', 1)] }), ['plain', 'hidden', 'plain', 'coloured'])
  assert.deepEqual(await look({ hidden: [{ nodeInstanceId: 'cubes' }] }), [
    'hidden',
    'hidden',
    'plain',
    'coloured',
  ])
  assert.deepEqual(await look({ isolated: [value('lines')] }), ['hidden', 'hidden', 'plain', 'hidden'])
  assert.deepEqual(await look({ isolated: [value('cubes', 7)] }), ['hidden', 'hidden', 'hidden', 'hidden'])
})

test('[WEB-57] given hidden values, when the visible box is computed, then it is that of the others', async () => {
  const values = await read()
  const looks = chooseLooks(values, { ...NO_CHOICES, isolated: [value('cubes', 1), value('lines')] })
  const { origin } = await buildScene(CONTENTS)
  const box = findBox(values, looks)!.map((number, i) => number + origin[i % 3]!)
  assert.deepEqual(box, [0, 0, 0, 5, 1, 3])
  assert.equal(findBox(values, new Uint8Array(4)), undefined)
})

const NO_LIMITS: Omit<PickOptions, 'looks'> = {
  isShown: () => true,
  toleranceAt: () => 0.1,
  isCut: () => false,
}

/** What is seen from above at a place. */
async function pickAt(x: number, y: number, options: Partial<PickOptions> = {}, contents = CONTENTS) {
  const scene = await buildScene(contents)
  const values = readValues(scene)
  const looks = chooseLooks(values, NO_CHOICES)
  const ray = new Ray(new Vector3(x, y, 100).sub(new Vector3(...scene.origin)), new Vector3(0, 0, -1))
  const hit = createPicker(values).pick(ray, { ...NO_LIMITS, looks, ...options })
  return hit && { ...values.describe(hit.value), z: hit.point.z + scene.origin[2] }
}

test('[WEB-62] given geometry, when a ray is cast, then it meets the nearest visible value that is not cut away', async () => {
  assert.deepEqual(await pickAt(4.5, 0.7), { ...value('cubes', 1), z: 1 })
  assert.deepEqual(await pickAt(2, 0.05), { ...value('lines'), z: 3 }, 'within reach of the line')
  assert.equal(await pickAt(2, 0.5), undefined)
  assert.deepEqual(await pickAt(0.5, 0.05), { ...value('lines'), z: 3 }, 'the line is above the cube')
  const looks = new Uint8Array([1, 1, 0, 1])
  assert.deepEqual(await pickAt(0.5, 0.05, { looks }), { ...value('cubes'), z: 1 })
  const isShown: PickOptions['isShown'] = ({ role }) => role === 'meshEdge'
  assert.equal(await pickAt(0.5, 0.5, { isShown }), undefined, 'faces are not drawn')
  const { origin } = await buildScene(CONTENTS)
  const plane = toPlane({ axis: 'z', offset: 0.5, isFlipped: false }, new Vector3(...origin))
  const isCut = (at: Vector3) => plane.distanceToPoint(at) < 0
  assert.deepEqual(
    await pickAt(4.5, 0.7, { isCut }),
    { ...value('cubes', 1), z: 0 },
    'the cut cube is open above',
  )
})

test('[WEB-62] given many values, when rays are cast, then each meets its own', async () => {
  const contents = Array.from({ length: 300 }, (_, index) => ({
    node: 'row',
    geometry: cube(2 * index, 0, 0),
    index,
  }))
  for (const index of [0, 1, 128, 299])
    assert.equal((await pickAt(2 * index + 0.3, 0.6, {}, contents))?.index, index)
  assert.equal(await pickAt(1.5, 0.6, {}, contents), undefined)
})

test('[WEB-61] given a picked object, when it is measured, then lengths and areas of the solver are exact', async () => {
  const values = await read([
    { node: 'circle', geometry: circle(WORLD_XY, 5) },
    { node: 'cube', geometry: cube(0, 0, 0, 2) },
    { node: 'line', geometry: line([0, 0, 0], [3, 4, 0]) },
    { node: 'sphere', geometry: createSphere(WORLD_XY, 2) },
    { node: 'point', geometry: point(1, 2, 3) },
    { node: 'text', geometry: line([0, 0, 0], [3, 4, 0]), type: 'text' },
    { node: 'subd', geometry: createSphere(WORLD_XY, 2), type: 'subD' },
  ])
  const [round, body, straight, sphere, dot, text, subD] = [0, 1, 2, 3, 4, 5, 6].map((number) =>
    measureValue(values, number),
  )
  assert.deepEqual(
    { ...round, amount: formatNumber(round!.amount) },
    { what: 'Length', amount: '31.4159', isExact: true },
  )
  assert.deepEqual(body, { what: 'Area', amount: 24, isExact: true })
  assert.equal(straight!.amount, 5)
  assert.equal(sphere!.isExact, false, 'the area of a surface is that of its triangles')
  assert.ok(Math.abs(sphere!.amount / (16 * Math.PI) - 1) < 0.01)
  assert.deepEqual([dot, text, subD!.isExact], [undefined, undefined, false])
  assert.deepEqual(measureBox(values, 1), [2, 2, 2])
})

test('[WEB-61] given three points, when the angle is measured, then it is at the second one', () => {
  const at = (x: number, y: number) => new Vector3(x, y, 0)
  assert.equal(measureAngle(at(1, 0), at(0, 0), at(0, 3)), 90)
  assert.equal(measureAngle(at(1, 0), at(0, 0), at(-2, 0)), 180)
  assert.ok(Math.abs(measureAngle(at(1, 0), at(0, 0), at(1, 1e-7))! - 5.7296e-6) < 1e-9)
  assert.equal(measureAngle(at(1, 0), at(1, 0), at(0, 3)), undefined)
})

test('[WEB-61] given numbers of any size, when they are written, then they have six digits', () => {
  assert.deepEqual(
    [0, 1234.5678, 0.000123456789, 1e-9, 12_345_678, 5e12, 1e-14].map((number) => formatNumber(number)),
    ['0', '1,234.57', '0.000123457', '1E-9', '12,345,700', '5E12', '0'],
  )
})

test('[WEB-61] given a pointer near a corner, when it is measured, then the visible corner attracts it', async () => {
  const contents = [
    { node: 'cube', geometry: cube(0, 0, 0, 2) },
    {
      node: 'bend',
      geometry: {
        type: 'polyline',
        vertices: [
          [5, 0],
          [5, 2],
          [7, 2],
        ].map(([x, y]) => ({ x: x!, y: y!, z: 0 })),
      } as const,
    },
  ]
  const scene = await buildScene(contents)
  const values: SceneValues = readValues(scene)
  const origin = new Vector3(...scene.origin)
  const points = listSnapPoints(values)
  assert.equal(points.values.filter((number) => number === 1).length, 3, 'ends and corners, each once')
  const camera = new PerspectiveCamera(35, 1, 1, 100)
  camera.position.set(1, 1, 20).sub(origin)
  camera.updateMatrixWorld()
  const find = (corner: Vector3, options = {}) => {
    const at = corner.clone().sub(origin).project(camera)
    return findSnapPoint(points, {
      ...NO_LIMITS,
      looks: new Uint8Array([1, 1]),
      camera,
      width: 400,
      height: 400,
      x: (at.x + 1) * 200 + 5,
      y: (1 - at.y) * 200 - 5,
      isCovered: () => false,
      ...options,
    })
      ?.clone()
      .add(origin)
      .toArray()
  }
  assert.deepEqual(find(new Vector3(2, 2, 2)), [2, 2, 2])
  assert.deepEqual(find(new Vector3(5, 2, 0)), [5, 2, 0])
  assert.equal(find(new Vector3(1, 1, 2)), undefined)
  assert.equal(find(new Vector3(5, 2, 0), { looks: new Uint8Array([1, 0]) }), undefined)
  assert.equal(find(new Vector3(5, 2, 0), { isCovered: () => true }), undefined)
})
