import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Mesh, quad, triangle } from '@meadow/geometry/values/mesh'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { point, type Vector, vector } from '@meadow/geometry/values/points'
import { colour, domain, integer, type Value } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

const MESH_QUAD = '1cb59c86-7f6b-4e52-9a0c-6441850e9520'
const MESH_TRIANGLE = '5a4ddedd-5af9-49e5-bace-12910a8b9366'
const DECONSTRUCT_FACE = 'aab142b1-b870-46de-8e86-654c9a554d90'
const CONSTRUCT_MESH = 'e2c0f9db-a862-4bd9-810c-ef2610e7a56f'
const DECONSTRUCT_MESH = 'ba2d8f57-0738-42b4-b5a5-fe4d853517eb'
const MESH_COLOURS = 'd2cedf38-1149-4adc-8dbf-b06571cb5106'
const MESH_EDGES = '2b9bf01d-5fe5-464c-b0b3-b469eb5f2efb'
const FACE_NORMALS = 'cb4ca22c-3419-4962-a078-ad4ff7f1f929'
const FACE_BOUNDARIES = '0b4ac802-fc4a-4201-9c66-0078b837c1eb'
const MESH_JOIN = '4bc9dbbf-fec8-4348-a3af-e33e7edc8e7b'
const TRIANGULATE = '3fba11d5-b30a-4146-8d80-d591e7a0a287'
const WELD_MESH = '9f6d85c9-1143-4538-bca7-69dcb11a74ef'
const UNWELD_MESH = '47814a17-ca9e-4305-9400-3a9c8d71c19d'
const MESH_CLOSEST_POINT = 'a559fee2-4b76-4370-8042-c7440cd75049'
const MESH_EVAL = 'b2dc090f-b022-4264-8889-87e22979336e'
const MESH_PLANE = '8adbf481-7589-4a40-b490-006531ea001d'
const DELAUNAY_MESH = '1eb4f6ff-3547-4184-bead-1b01e7cfd668'

const CORNERS = [point(0, 0, 0), point(1, 0, 0), point(1, 1, 0), point(0, 1, 0)]
const [RED, BLUE] = [colour(255, 0, 0), colour(0, 0, 255)]

/** The values of each output, of all its branches one after the other. */
const listOutputs = (guid: string, inputs: Parameters<typeof run>[1]) =>
  run(guid, inputs).outputs.map((output) => Object.values(output).flat())
const first = (guid: string, inputs: Parameters<typeof run>[1]) => run(guid, inputs).outputs[0]?.['{0}']?.[0]
const SQUARE = first(CONSTRUCT_MESH, [CORNERS, [quad(0, 1, 2, 3)], [RED, BLUE]]) as Mesh

// All worked out by hand.
test('Mesh Quad and Mesh Triangle: given corners, then a face; Deconstruct Face takes it apart', () => {
  const face = first(MESH_QUAD, [4, 5, 6, 7]) as Value
  assert.deepEqual(face, quad(4, 5, 6, 7))
  assert.deepEqual(first(MESH_TRIANGLE, [4, 5, 6]), triangle(4, 5, 6))
  const { outputs } = run(DECONSTRUCT_FACE, [[face, triangle(1, 2, 3)]])
  assert.deepEqual(
    outputs.map((output) => output['{0}']),
    [
      [integer(4), integer(1)],
      [integer(5), integer(2)],
      [integer(6), integer(3)],
      [integer(7), null],
    ],
  )
})

test('Construct Mesh: given a square and too few colours, then they repeat, and normals look up', () => {
  assert.deepEqual(SQUARE.colours, [RED, BLUE, RED, BLUE])
  assert.deepEqual(SQUARE.normals, Array(4).fill({ x: 0, y: 0, z: 1 }))
})

test('Construct Mesh: given a face of a vertex that is not there, then an error and null', () => {
  const { outputs, messages } = run(CONSTRUCT_MESH, [CORNERS, [quad(0, 1, 2, 9)], undefined])
  assert.deepEqual(outputs[0], { '{0}': [null] })
  assert.deepEqual(messages, ['error: Mesh faces refer to vertices that are not there'])
})

test('Deconstruct Mesh: given a mesh, then its vertices, faces, colours and normals are the result', () => {
  assert.deepEqual(listOutputs(DECONSTRUCT_MESH, [SQUARE]), [
    CORNERS,
    [quad(0, 1, 2, 3)],
    [RED, BLUE, RED, BLUE],
    Array(4).fill(vector(0, 0, 1)),
  ])
})

test('Mesh Colours: given no colour, then the mesh is unchanged', () => {
  assert.deepEqual((first(MESH_COLOURS, [SQUARE, [BLUE]]) as Mesh).colours, Array(4).fill(BLUE))
  assert.deepEqual(first(MESH_COLOURS, [SQUARE, []]), SQUARE)
})

test('Mesh Edges: given two squares side by side, then one edge is interior, six are naked', () => {
  const strip = first(CONSTRUCT_MESH, [
    [...CORNERS, point(2, 0, 0), point(2, 1, 0)],
    [quad(0, 1, 2, 3), quad(1, 4, 5, 2)],
    undefined,
  ]) as Mesh
  const [naked, interior, nonManifold] = listOutputs(MESH_EDGES, [strip])
  assert.deepEqual([naked?.length, nonManifold?.length], [6, 0])
  assert.deepEqual(interior, [{ type: 'line', from: { x: 1, y: 0, z: 0 }, to: { x: 1, y: 1, z: 0 } }])
})

test('Face Normals and Face Boundaries: given a square, then its middle, normal and closed outline', () => {
  const [centres, normals] = listOutputs(FACE_NORMALS, [SQUARE])
  assert.deepEqual(centres, [point(0.5, 0.5, 0)])
  assert.equal((normals?.[0] as Vector | undefined)?.z, 1)
  const outline = listOutputs(FACE_BOUNDARIES, [SQUARE])[0]?.[0]
  assert.ok(typeof outline === 'object' && outline?.type === 'polyline' && outline.vertices.length === 5)
})

test('Mesh Join, Triangulate, Weld and Unweld: given squares, then vertices and faces add up', () => {
  const joined = first(MESH_JOIN, [[SQUARE, null, SQUARE]]) as Mesh
  assert.deepEqual([joined.vertices.length, joined.faces.length], [8, 2])
  assert.deepEqual(run(MESH_JOIN, [[]]).outputs, [{ '{0}': [null] }])
  const { outputs } = run(TRIANGULATE, [SQUARE])
  assert.deepEqual((outputs[0]?.['{0}']?.[0] as Mesh | undefined)?.faces, [
    triangle(0, 1, 2),
    triangle(0, 2, 3),
  ])
  assert.deepEqual(outputs[1], { '{0}': [integer(1)] })
  assert.equal((first(WELD_MESH, [joined, Math.PI]) as Mesh).vertices.length, 4)
  assert.equal((first(UNWELD_MESH, [SQUARE, 0]) as Mesh).vertices.length, 4)
})

test('Mesh Closest Point and Mesh Eval: given a point over a square, then the point below it, twice', () => {
  const { outputs } = run(MESH_CLOSEST_POINT, [point(0.25, 0.5, 3), SQUARE])
  assert.deepEqual(outputs[0], { '{0}': [point(0.25, 0.5, 0)] })
  assert.deepEqual(outputs[1], { '{0}': [integer(0)] })
  const again = run(MESH_EVAL, [SQUARE, outputs[2]?.['{0}']?.[0]])
  assert.deepEqual(again.outputs[0], { '{0}': [point(0.25, 0.5, 0)] })
  assert.deepEqual(again.outputs[1], { '{0}': [vector(0, 0, 1)] })
  assert.deepEqual(run(MESH_EVAL, [SQUARE, '7[1;0;0;0]']).messages, [
    'error: Parameter is not a place on this mesh',
  ])
})

test('Mesh Plane: given a rectangle of 2 by 3 in 2 by 1 cells, then 6 vertices, 2 faces and its area', () => {
  const rectangle = { type: 'rectangle', plane: WORLD_XY, x: domain(0, 2), y: domain(0, 3) } as const
  const { outputs } = run(MESH_PLANE, [rectangle, 2, 1])
  const mesh = outputs[0]?.['{0}']?.[0] as Mesh
  assert.deepEqual(mesh.faces, [quad(0, 1, 4, 3), quad(1, 2, 5, 4)])
  assert.deepEqual(outputs[1], { '{0}': [6] })
  assert.deepEqual(run(MESH_PLANE, [rectangle, 0, 1]).messages, ['error: Counts must be 1 or more'])
})

test('Delaunay Mesh: given a square with a point over its middle, then four triangles that look up', () => {
  const { outputs, messages } = run(DELAUNAY_MESH, [[...CORNERS, point(0.5, 0.5, 1)], WORLD_XY])
  const mesh = outputs[0]?.['{0}']?.[0] as Mesh
  assert.equal(mesh.faces.length, 4)
  assert.deepEqual(mesh.vertices[4], { x: 0.5, y: 0.5, z: 1 })
  assert.ok(mesh.normals?.every(({ z }) => z > 0))
  assert.deepEqual(messages, [])
  const inLine = run(DELAUNAY_MESH, [[point(0, 0, 0), point(1, 1, 0), point(2, 2, 0)], WORLD_XY])
  assert.deepEqual(inLine.outputs, [{ '{0}': [null] }])
  assert.equal(inLine.messages.length, 1)
})
