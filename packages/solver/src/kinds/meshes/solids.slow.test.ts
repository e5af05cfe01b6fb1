import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKernels } from '@meadow/geometry/kernels/kernels'
import { getMeshArea, getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import {
  createBallMesh,
  createBoxMesh,
  getEulerCharacteristic,
  isClosedMesh,
} from '@meadow/geometry/testing/meshes'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { findRotation } from '@meadow/geometry/transform/create'
import { circle, line, type Polyline, polyline } from '@meadow/geometry/values/curves'
import type { Mesh } from '@meadow/geometry/values/mesh'
import { findPlaneFromNormal, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Point, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { integer } from '@meadow/geometry/values/value'
import { distance, length, subtract } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, listOnly, run } from '../../testing/run.ts'

const UNION = '88060a82-0bf7-46bb-9af8-bdc860cf7e1d'
const DIFFERENCE = '4f3147f4-9fcd-4a7e-be0e-b1841caa5f97'
const INTERSECTION = '95aef4f6-66fc-477e-b8f8-32395a837831'
const MESH_SPLIT = 'afbf2fe0-4965-48d2-8470-9e991540093b'
const MESH_PLANE = '3b1ae469-0e9b-461d-8c30-fa5a7de8b7a9'
const MESH_RAY = '4c02a168-9aba-4f42-8951-2719f24d391f'
const MESH_CURVE = '19632848-4b95-4e5e-9e86-b79b47987a46'
const SPLIT_PLANE = '330eb9c9-0098-4375-9078-e00a419d49fb'
const INCLUSION = '01e3991d-18bd-474f-9fbd-076a8700159f'
const FLIP_MESH = '47fbc929-e88a-4a13-882e-dad84763256d'
const DISJOINT_MESH = '4dce5963-dc1a-4710-8991-9437ea23888d'

const kernels = await openKernels(['mesh'])
const at = (x: number, y: number, z: number): Xyz => ({ x, y, z })
const cube = (x: number, y: number, z: number, size = 1) => createBoxMesh(at(x, y, z), at(size, size, size))
const CUBE = cube(0, 0, 0)

const runAll = (guid: string, inputs: readonly InputData[]) => {
  const { outputs, messages } = run(guid, inputs, { kernels })
  return { lists: listOnly(outputs), messages }
}
const combine = (guid: string, ...inputs: readonly Mesh[][]): Mesh[] => {
  const { lists, messages } = runAll(guid, inputs)
  assert.deepEqual(
    messages.filter((message) => message.startsWith('error')),
    [],
  )
  return lists[0] as Mesh[]
}
const volumeOf = (meshes: readonly Mesh[]) => meshes.reduce((sum, mesh) => sum + getMeshVolume(mesh).size, 0)
const near = (actual: number, expected: number, slack = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} is not near ${expected}`)

const turned: fc.Arbitrary<Mesh> = fc
  .record({
    corner: fc.record({ x: step(), y: step(), z: step() }, { noNullPrototype: true }),
    size: fc.record({ x: extent(), y: extent(), z: extent() }, { noNullPrototype: true }),
    angle: fc.oneof(fc.constantFrom(0, Math.PI / 4, Math.PI / 2), fc.double({ min: 0, max: 6, noNaN: true })),
    axis: fc.constantFrom(at(0, 0, 1), at(1, 1, 0), at(1, 2, 3)),
  })
  .map(({ corner, size, angle, axis }) => {
    const rotation = findRotation(at(0, 0, 0), axis, angle)!
    return applyTransform(createBoxMesh(corner, size), rotation) as Mesh
  })
function step() {
  return fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ min: -2, max: 2, noNaN: true }))
}
function extent() {
  return fc.oneof(fc.integer({ min: 1, max: 3 }), fc.double({ min: 0.1, max: 3, noNaN: true }))
}

test('Mesh Union, Difference, Intersection: given any two boxes, then the volumes add up, and the results are closed', () => {
  fc.assert(
    fc.property(turned, turned, (a, b) => {
      const [va, vb] = [volumeOf([a]), volumeOf([b])]
      const united = combine(UNION, [a, b])
      const common = combine(INTERSECTION, [a], [b])
      const rest = combine(DIFFERENCE, [a], [b])
      for (const mesh of [...united, ...common, ...rest]) {
        assert.ok(isClosedMesh(mesh))
        assert.ok(getMeshVolume(mesh).size > 0)
      }
      const slack = 1e-5 * (va + vb)
      near(volumeOf(united), va + vb - volumeOf(common), slack)
      near(volumeOf(rest), va - volumeOf(common), slack)
    }),
    { numRuns: 60 },
  )
})

// Volumes worked out by hand.
test('Mesh Union: given boxes that meet in a face, in an edge, not at all, and twice, then the solids', () => {
  const faces = combine(UNION, [CUBE, cube(1, 0, 0)])
  assert.equal(faces.length, 1)
  near(volumeOf(faces), 2)
  near(getMeshArea(faces[0]!).size, 10)
  assert.equal(getEulerCharacteristic(faces[0]!), 2)
  near(volumeOf(combine(UNION, [CUBE, cube(1, 1, 0)])), 2)
  const apart = combine(UNION, [CUBE, cube(3, 0, 0)])
  assert.equal(apart.length, 2)
  for (const mesh of apart) near(volumeOf([mesh]), 1)
  near(volumeOf(combine(UNION, [CUBE, CUBE])), 1)
})

test('Mesh Difference: given a box in a box, then one mesh with a cavity; given a rod through it, then a ring', () => {
  const hollow = combine(DIFFERENCE, [cube(0, 0, 0, 3)], [cube(1, 1, 1)])
  assert.equal(hollow.length, 1)
  near(volumeOf(hollow), 26)
  assert.equal(getEulerCharacteristic(hollow[0]!), 4)
  const ring = combine(DIFFERENCE, [cube(0, 0, 0, 3)], [createBoxMesh(at(1, 1, -1), at(1, 1, 5))])
  assert.equal(ring.length, 1)
  near(volumeOf(ring), 24)
  assert.equal(getEulerCharacteristic(ring[0]!), 0)
  const halves = combine(DIFFERENCE, [CUBE], [createBoxMesh(at(0.25, -1, -1), at(0.5, 3, 3))])
  assert.equal(halves.length, 2)
  for (const mesh of halves) near(volumeOf([mesh]), 0.25)
  assert.deepEqual(combine(DIFFERENCE, [CUBE], [CUBE]), [])
})

test('Mesh Intersection: given a ball and a half space, then half of the ball, as precise as the mesh', () => {
  const ball = createBallMesh(at(100, 0, 0), 2, 24)
  const half = combine(INTERSECTION, [ball], [createBoxMesh(at(95, -5, 0), at(10, 10, 5))])
  near(volumeOf(half), getMeshVolume(ball).size / 2)
})

test('Mesh booleans: given open, inverted, empty or flat meshes, or no kernel, then limits and no values', () => {
  const open: Mesh = { ...CUBE, faces: CUBE.faces.slice(1) }
  const flat = createBoxMesh(at(0, 0, 0), at(1, 1, 0))
  const [inverted] = runAll(FLIP_MESH, [CUBE, true, true, true]).lists[0] as Mesh[]
  for (const wrong of [open, inverted!, flat]) {
    const { lists, messages } = runAll(DIFFERENCE, [[CUBE], [wrong]])
    assert.deepEqual(lists, [undefined])
    assert.match(messages[0]!, /^error: (Only closed meshes|Meshes whose faces look inwards)/)
  }
  const empty: Mesh = { type: 'mesh', vertices: [], faces: [] }
  assert.deepEqual(runAll(UNION, [[empty]]).lists, [[]])
  near(volumeOf(combine(DIFFERENCE, [CUBE], [empty])), 1)
  assert.match(run(UNION, [[CUBE]]).messages[0]!, /kernel "mesh" is not loaded/)
})

test('Mesh Split: given a box across another, then the parts of its surface; given one apart, then the mesh', () => {
  const split = (mesh: Mesh, ...splitters: Mesh[]) => combine(MESH_SPLIT, [mesh], splitters)
  const pieces = split(CUBE, createBoxMesh(at(0.5, -1, -1), at(5, 3, 3)))
  assert.deepEqual(pieces.map(isClosedMesh), [false, false])
  for (const piece of pieces) near(getMeshArea(piece).size, 3)
  const rod = split(cube(0, 0, 0, 3), createBoxMesh(at(1, 1, -1), at(1, 1, 5)))
  assert.equal(rod.length, 3)
  near(
    rod.reduce((sum, piece) => sum + getMeshArea(piece).size, 0),
    54,
  )
  assert.deepEqual(split(CUBE, cube(5, 0, 0)), [CUBE])
  assert.deepEqual(split(CUBE), [CUBE])
  assert.match(
    runAll(MESH_SPLIT, [CUBE, [{ ...CUBE, faces: CUBE.faces.slice(1) }]]).messages[0]!,
    /^error: Only closed meshes|look inwards/,
  )
})

test('Mesh | Plane: given a box and a ball, then closed curves of the right length; given two boxes, then two', () => {
  const { lists } = runAll(MESH_PLANE, [CUBE, xyPlane(at(0, 0, 0.25))])
  const [square] = lists[0] as Polyline[]
  assert.equal(square!.vertices.length, 5)
  assert.deepEqual(square!.vertices[0], square!.vertices.at(-1))
  near(lengthOf(square!), 4)
  for (const z of [0, 1])
    near(lengthOf((runAll(MESH_PLANE, [CUBE, xyPlane(at(0, 0, z))]).lists[0] as Polyline[])[0]!), 4)
  assert.deepEqual(runAll(MESH_PLANE, [CUBE, xyPlane(at(0, 0, 1.01))]).lists, [[]])
  const ball = createBallMesh(at(0, 0, 0), 1, 32)
  const tilted = findPlaneFromNormal(at(0, 0, 0.5), at(0, 0.2, 1))!
  const [ring, ...others] = runAll(MESH_PLANE, [ball, tilted]).lists[0] as Polyline[]
  assert.equal(others.length, 0)
  const radius = Math.sqrt(1 - (0.5 / Math.hypot(0.2, 1)) ** 2)
  near(lengthOf(ring!), 2 * Math.PI * radius, 0.02)
  const both = combine(UNION, [CUBE, cube(3, 0, 0)])
  const joined: Mesh = {
    type: 'mesh',
    vertices: both.flatMap(({ vertices }) => vertices),
    faces: both.flatMap(({ faces, vertices }, i) =>
      faces.map((face) => {
        const by = i * vertices.length
        return { ...face, a: face.a + by, b: face.b + by, c: face.c + by, d: face.d + by }
      }),
    ),
  }
  assert.equal(runAll(MESH_PLANE, [joined, xyPlane(at(0, 0, 0.5))]).lists[0]?.length, 2)
})
const lengthOf = ({ vertices }: Polyline) =>
  vertices.reduce((sum, vertex, i) => (i === 0 ? 0 : sum + distance(vertex, vertices[i - 1]!)), 0)

test('Mesh Split Plane: given any plane, then the areas of both sides add up, and only the cut is open', () => {
  const planes = fc
    .tuple(
      fc.constantFrom(at(0, 0, 1), at(1, 0, 0), at(1, 2, 3), at(-1, 1, 0)),
      fc.constantFrom(-0.5, 0, 0.3, 1),
    )
    .map(([normal, z]) => findPlaneFromNormal(at(0.5, 0.5, z), normal)!)
  const ball = createBallMesh(at(0, 0, 0.3), 1, 8)
  fc.assert(
    fc.property(planes, fc.constantFrom(CUBE, ball), (plane, mesh) => {
      const { lists } = runAll(SPLIT_PLANE, [mesh, plane])
      const [above, below] = lists as Mesh[][]
      const areaOf = (meshes: readonly Mesh[]) =>
        meshes.reduce((sum, part) => sum + getMeshArea(part).size, 0)
      near(areaOf(above!) + areaOf(below!), getMeshArea(mesh).size)
      const sideOf = (vertex: Xyz) => {
        const { x, y, z } = subtract(vertex, plane.origin)
        return x * plane.zAxis.x + y * plane.zAxis.y + z * plane.zAxis.z
      }
      assert.ok(above!.every(({ vertices }) => vertices.every((vertex) => sideOf(vertex) > -1e-9)))
      assert.ok(below!.every(({ vertices }) => vertices.every((vertex) => sideOf(vertex) < 1e-9)))
    }),
  )
  const { lists } = runAll(SPLIT_PLANE, [CUBE, xyPlane(at(0, 0, 1))])
  assert.deepEqual([lists[0]?.length, (lists[1] as Mesh[])[0]?.faces.length], [0, 6])
})

test('Mesh Inclusion: given points around a ball, then those nearer than its radius are inside; on it, only loosely', () => {
  const ball = createBallMesh(at(1, 2, 3), 2, 24)
  const inside = (location: Xyz, isStrict: boolean) =>
    runAll(INCLUSION, [ball, point(location.x, location.y, location.z), isStrict]).lists[0]?.[0]
  fc.assert(
    fc.property(fc.tuple(coordinate(), coordinate(), coordinate()), ([x, y, z]) => {
      const gap = length(at(x, y, z))
      fc.pre(gap < 1.95 || gap > 2.01)
      assert.equal(inside(at(1 + x, 2 + y, 3 + z), false), gap < 2)
    }),
  )
  assert.deepEqual([inside(at(1, 2, 5), false), inside(at(1, 2, 5), true)], [true, false])
  const open: Mesh = { ...CUBE, faces: CUBE.faces.slice(1) }
  assert.match(
    runAll(INCLUSION, [open, point(0, 0, 0), false]).messages[0]!,
    /^error: Inclusion is solved for closed/,
  )
})
function coordinate() {
  return fc.double({ min: -3, max: 3, noNaN: true })
}

test('Mesh | Ray: given rays at a box, also at its edges and corners, then the first hit; away from it, none', () => {
  const shoot = (from: Xyz, to: Xyz) =>
    runAll(MESH_RAY, [CUBE, point(from.x, from.y, from.z), vector(to.x, to.y, to.z)]).lists.map(
      (list) => list?.[0],
    )
  assert.deepEqual(shoot(at(0.5, 0.25, 5), at(0, 0, -2)), [point(0.5, 0.25, 1), true])
  assert.deepEqual(shoot(at(0.5, 0.25, 0.5), at(1, 0, 0)), [point(1, 0.25, 0.5), true])
  assert.deepEqual(shoot(at(1, 1, 5), at(0, 0, -1)), [point(1, 1, 1), true])
  assert.deepEqual(shoot(at(0.5, 0.5, 5), at(0, 0, 1)), [null, false])
  assert.deepEqual(shoot(at(2, 0.5, 5), at(0, 0, -1)), [null, false])
  assert.deepEqual(runAll(MESH_RAY, [CUBE, point(0, 0, 9), vector(0, 0, 0)]).messages, [
    'error: The direction has no length',
  ])
})

test('Mesh | Curve: given a line, a circle and a polyline, then their points on the faces, along them', () => {
  const through = runAll(MESH_CURVE, [CUBE, line(at(0.4, 0.3, 3), at(0.4, 0.3, -3))])
  assert.deepEqual(through.lists, [
    [point(0.4, 0.3, 1), point(0.4, 0.3, 0)],
    [integer(1), integer(0)],
  ])
  const round = runAll(MESH_CURVE, [CUBE, circle(xyPlane(at(0.5, 0.5, 0.5)), 0.6)]).lists[0]
  assert.equal(round?.length, 8)
  assert.equal(runAll(MESH_CURVE, [CUBE, circle(WORLD_XY, 5)]).lists[0]?.length, 0)
  const bent = polyline([at(-1, 0.5, 0.5), at(0.5, 0.5, 0.5), at(0.5, 3, 0.5)])
  const points = runAll(MESH_CURVE, [CUBE, bent]).lists[0] as Point[]
  assert.equal(points.length, 2)
  for (const [i, expected] of [at(0, 0.5, 0.5), at(0.5, 1, 0.5)].entries())
    near(distance(points[i]!, expected), 0)
})

test('Flip Mesh and Disjoint Mesh: given a box, then its volume turns negative; given two in one mesh, then both', () => {
  const [flipped] = runAll(FLIP_MESH, [CUBE, true, true, true]).lists[0] as Mesh[]
  near(getMeshVolume(flipped!).size, -1)
  assert.deepEqual(runAll(FLIP_MESH, [CUBE, false, false, false]).lists[0], [CUBE])
  const split = runAll(SPLIT_PLANE, [CUBE, xyPlane(at(0, 0, 0.5))]).lists as Mesh[][]
  const pair: Mesh = {
    type: 'mesh',
    vertices: [...CUBE.vertices, ...cube(5, 0, 0).vertices],
    faces: [
      ...CUBE.faces,
      ...CUBE.faces.map(({ a, b, c, d, type }) => ({ type, a: a + 24, b: b + 24, c: c + 24, d: d + 24 })),
    ],
  }
  const pieces = runAll(DISJOINT_MESH, [pair]).lists[0] as Mesh[]
  assert.deepEqual(pieces, [CUBE, cube(5, 0, 0)])
  assert.deepEqual(runAll(DISJOINT_MESH, [split[0]![0]!]).lists[0]?.length, 1)
})
