import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getLength } from '../curves/length.ts'
import { isClosed } from '../curves/split.ts'
import { type Mesh, quad } from '../values/mesh.ts'
import { xyPlane } from '../values/planes.ts'
import { findMeshCrossings } from './mesh-crossings.ts'
import { createMeshSections } from './mesh-section.ts'

type Triple = readonly [number, number, number]

function box([x, y, z]: Triple, [u, v, w]: Triple): Mesh {
  const vertices = [z, w].flatMap((height) => [
    { x, y, z: height },
    { x: u, y, z: height },
    { x: u, y: v, z: height },
    { x, y: v, z: height },
  ])
  const sides = [0, 1, 2, 3].map((i) => quad(i, (i + 1) % 4, 4 + ((i + 1) % 4), 4 + i))
  return { type: 'mesh', vertices, faces: [quad(3, 2, 1, 0), quad(4, 5, 6, 7), ...sides] }
}

/** A level square of one face. */
function sheet(z: number): Mesh {
  const corners = [
    [-9.1, -9.3],
    [9.7, -9.2],
    [9.6, 9.4],
    [-9.5, 9.8],
  ] as const
  return { type: 'mesh', vertices: corners.map(([x, y]) => ({ x, y, z })), faces: [quad(0, 1, 2, 3)] }
}

const sum = (meshes: readonly [Mesh, Mesh]) =>
  findMeshCrossings(...meshes)?.reduce((total, curve) => total + getLength(curve), 0)

test('[G-7] given two boxes that overlap in a corner, when they are intersected, then one closed curve of six sides', () => {
  const curves = findMeshCrossings(box([0, 0, 0], [2, 2, 2]), box([1.1, 0.9, 0.7], [3, 3, 3]))!
  assert.equal(curves.length, 1)
  assert.ok(isClosed(curves[0]!, 1e-9))
  assert.ok(Math.abs(getLength(curves[0]!) - 2 * (0.9 + 1.1 + 1.3)) < 1e-9)
})

test('[G-7] given a box and a level sheet, when they are intersected, then as the box and its plane, whichever is first', () => {
  const size = fc.double({ min: 0.5, max: 4, noNaN: true })
  fc.assert(
    fc.property(size, size, size, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (x, y, z, share) => {
      const [solid, height] = [box([-x, -y, 0], [x, y, z]), share * z]
      const expected = createMeshSections(solid)(xyPlane({ x: 0, y: 0, z: height }))
      const length = expected.reduce((total, curve) => total + getLength(curve), 0)
      for (const found of [sum([solid, sheet(height)]), sum([sheet(height), solid])]) {
        // Where an edge of the box meets the diagonal of the sheet, they touch.
        if (found !== undefined) assert.ok(Math.abs(found - length) < 1e-9)
      }
    }),
  )
})

test('[G-7] given meshes apart, that touch, or end inside each other, then none, undefined, and open curves', () => {
  const cube = box([0, 0, 0], [1, 1, 1])
  assert.deepEqual(findMeshCrossings(cube, box([2, 2, 2], [3, 3, 3])), [])
  assert.deepEqual(findMeshCrossings(cube, { type: 'mesh', vertices: [], faces: [] }), [])
  assert.equal(findMeshCrossings(cube, box([1, 0, 0], [2, 1, 1])), undefined)
  assert.equal(findMeshCrossings(cube, cube), undefined)
  const flag: Mesh = {
    type: 'mesh',
    vertices: [
      { x: 0.5, y: 0.3, z: 0.2 },
      { x: 0.5, y: 2, z: 0.2 },
      { x: 0.5, y: 2, z: 0.7 },
      { x: 0.5, y: 0.3, z: 0.7 },
    ],
    faces: [quad(0, 1, 2, 3)],
  }
  const [open, ...others] = findMeshCrossings(cube, flag)!
  assert.equal(others.length, 0)
  assert.ok(!isClosed(open!, 1e-9))
  assert.ok(Math.abs(getLength(open!) - 0.5) < 1e-9)
})
