import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMeshArea, getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import { createPlanarBreps } from '@meadow/geometry/regions/planar-breps'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { extrudeBrep } from '@meadow/geometry/sweeps/extrude'
import { getEulerCharacteristic, isClosedMesh } from '@meadow/geometry/testing/meshes'
import { circle } from '@meadow/geometry/values/curves'
import type { Mesh } from '@meadow/geometry/values/mesh'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { domain, type Opaque, type Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { listOnly, run } from '../../testing/run.ts'

const MESH_BREP = '60e7defa-8b21-4ee1-99aa-a9223d6134ff'
const SIMPLE_MESH = 'c3f9cea5-6fd4-4db5-959b-08cd08ed9fe1'
const MESH_SURFACE = '58cf422f-19f7-42f7-9619-fc198c51c657'
const MESH_BOX = '2696bd14-3fb5-4750-827f-86df6c31d664'
const MESH_SPHERE = '0a391eac-5048-443c-9c1b-f592299b6dd6'
const CUSTOM = '4a0180e5-d8f9-46e7-bd34-ced804601462'
const SPEED = '255ca3e9-2c1e-443a-a404-e76b5c63f4cb'
const QUALITY = '1b0ee096-cc76-4847-8941-04a9e256de76'

const BOX: Value = { type: 'box', plane: WORLD_XY, x: domain(0, 2), y: domain(0, 3), z: domain(4, 0) }
const first = (guid: string, inputs: Parameters<typeof run>[1]) => listOnly(run(guid, inputs).outputs)[0]?.[0]
const near = (actual: number, expected: number, slack: number) =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} is not near ${expected}`)
const cylinder = extrudeBrep(
  createPlanarBreps([circle(WORLD_XY, 1)], 0.001).breps[0]!,
  { x: 0, y: 0, z: 2 },
  0.001,
)

test('Mesh Brep: given a box and a cylinder, then closed meshes, a remark, and no error', () => {
  const { outputs, messages } = run(MESH_BREP, [[BOX, cylinder], undefined])
  assert.match(messages.join(), /^remark: The mesh approximates the same surface as in Rhino/)
  const [box, round] = outputs[0]!['{0}'] as Mesh[]
  near(getMeshVolume(box!).size, 24, 1e-9)
  near(getMeshVolume(round!).size, 2 * Math.PI, 0.1)
  assert.ok(isClosedMesh(box!) && isClosedMesh(round!))
})

test('Settings: given custom ones, then Mesh Brep follows them; given unknown ones, then a limit', () => {
  const usual = [true, true, true, 16, 0, 0, 0, 20, 0.0001, 0]
  const fine = first(CUSTOM, [true, false, true, 16, 0, 0, 0, 2, 0.0001, 0.25]) as Opaque
  assert.match(
    fine.wire.type === 'unknown' ? fine.wire.value.description : '',
    /SimplePlanes false.*MaxEdgeLength 0.25/,
  )
  const mesh = first(MESH_BREP, [BOX, fine]) as Mesh
  const longest = Math.max(
    ...mesh.faces.flatMap(({ a, b, c }) => [
      distance(mesh.vertices[a]!, mesh.vertices[b]!),
      distance(mesh.vertices[b]!, mesh.vertices[c]!),
    ]),
  )
  assert.ok(longest < 0.4 && isClosedMesh(mesh))
  for (const settings of [first(CUSTOM, usual), first(SPEED, []), first(QUALITY, [])]) {
    assert.equal((first(MESH_BREP, [BOX, settings!]) as Mesh).faces.length, 6)
  }
  const other: Opaque = {
    type: 'opaque',
    wire: { type: 'unknown', value: { description: 'Loft options of type 0' } },
  }
  assert.match(run(MESH_BREP, [BOX, other]).messages[0]!, /^error: These mesh settings are not known/)
})

test('Simple Mesh: given a box, then six quads over eight corners; given a cylinder, then a limit', () => {
  const mesh = first(SIMPLE_MESH, [BOX]) as Mesh
  assert.deepEqual([mesh.vertices.length, mesh.faces.length, isClosedMesh(mesh)], [8, 6, true])
  near(getMeshVolume(mesh).size, 24, 1e-9)
  assert.match(
    run(SIMPLE_MESH, [cylinder]).messages[0]!,
    /^error: Only breps whose faces have three or four edges/,
  )
})

test('Mesh Surface: given a sphere, then a grid of points on it; given equal spans, then a limit', () => {
  const sphere = createSphere(xyPlane({ x: 1, y: 2, z: 3 }), 2)
  const mesh = first(MESH_SURFACE, [sphere, 12, 6, true, false]) as Mesh
  assert.deepEqual([mesh.vertices.length, mesh.faces.length], [13 * 7, 72])
  for (const vertex of mesh.vertices) near(distance(vertex, { x: 1, y: 2, z: 3 }), 2, 1e-9)
  assert.match(run(MESH_SURFACE, [sphere, 2, 2, true, true]).messages[0]!, /^error: Spans of equal length/)
  assert.match(
    run(MESH_SURFACE, [sphere, 0, 2, true, false]).messages[0]!,
    /^error: Counts must be 1 or more/,
  )
})

test('Mesh Box and Mesh Sphere: given counts, then closed meshes with that many faces', () => {
  const box = first(MESH_BOX, [BOX, 2, 3, 4]) as Mesh
  assert.equal(box.faces.length, 2 * (6 + 12 + 8))
  assert.ok(isClosedMesh(box))
  near(getMeshVolume(box).size, 24, 1e-9)
  near(getMeshArea(box).size, 52, 1e-9)
  const ball = first(MESH_SPHERE, [WORLD_XY, 10, 40, 20]) as Mesh
  assert.deepEqual([ball.faces.length, getEulerCharacteristic(ball), isClosedMesh(ball)], [800, 2, true])
  near(getMeshVolume(ball).size, (4000 / 3) * Math.PI, 50)
  assert.match(run(MESH_SPHERE, [WORLD_XY, 0, 40, 20]).messages[0]!, /^error: A sphere needs/)
})
