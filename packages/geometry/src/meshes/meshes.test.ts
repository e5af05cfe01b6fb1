import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findCentroid } from '../breps/mass.ts'
import { type Mesh, quad, triangle } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { colour } from '../values/value.ts'
import { distance, length } from '../values/vector.ts'
import { findClosestOnMesh, formatMeshPoint, readMeshPoint } from './closest-point.ts'
import { getFaceCentre } from './face-geometry.ts'
import { createGridMesh } from './grid.ts'
import { getMeshArea, getMeshVolume } from './mesh-mass.ts'
import { flipMesh, joinMeshes, triangulate } from './rearrange.ts'
import { createMeshTopology } from './topology.ts'
import { computeVertexNormals } from './vertex-normals.ts'
import { unweld, weld } from './weld.ts'

const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })

/** A cube of side 2 about a point, quads looking outwards. */
function cube(at = p(0, 0)): Mesh {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    p(at.x + ([0, 3, 4, 7].includes(i) ? -1 : 1), at.y + (i % 4 < 2 ? -1 : 1), at.z + (i < 4 ? -1 : 1)),
  )
  const faces = [
    quad(3, 2, 1, 0),
    quad(4, 5, 6, 7),
    quad(0, 1, 5, 4),
    quad(1, 2, 6, 5),
    quad(2, 3, 7, 6),
    quad(3, 0, 4, 7),
  ]
  return { type: 'mesh', vertices, faces }
}

test('given vertices at one point, then edges are found as openNURBS orders them', () => {
  // Compared with rhino3dm 8: the fifth vertex repeats the second.
  const mesh: Mesh = {
    type: 'mesh',
    vertices: [p(3, 0), p(1, 0), p(2, 0, 3), p(0, 1), p(1, 0), p(5, 5, 1)],
    faces: [triangle(3, 2, 0), triangle(0, 2, 4), triangle(4, 5, 1), triangle(1, 3, 0)],
  }
  const { edges, points, vertexMap } = createMeshTopology(mesh)
  assert.deepEqual(
    edges.map(({ start, end }) => [points[start]!.x, points[end]!.x]),
    [
      [3, 1],
      [3, 2],
      [3, 0],
      [1, 2],
      [1, 0],
      [1, 5],
      [2, 0],
    ],
  )
  assert.deepEqual(vertexMap, [0, 1, 2, 3, 1, 4])
})

test('given two quads at an angle, then normals are means of faces, each counted once', () => {
  // Compared with rhino3dm 8.
  const mesh: Mesh = {
    type: 'mesh',
    vertices: [p(0, 0), p(1, 0), p(1, 1), p(0, 1), p(2, 0, 1), p(2, 1, 1), p(9, 9, 9)],
    faces: [quad(0, 1, 2, 3), quad(1, 4, 5, 2)],
  }
  const normals = computeVertexNormals(mesh)
  assert.ok(distance(normals[0]!, p(0, 0, 1)) < 1e-12)
  assert.ok(distance(normals[1]!, p(-0.38268343236509, 0, 0.92387953251129)) < 1e-12)
  assert.deepEqual(normals[6], p(0, 0, 1))
})

test('given a cube anywhere, then area, volume and centroid are right, and with flipped faces the volume is negative', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (x) => {
      const at = p(x, -2 * x, 7)
      for (const mesh of [cube(at), triangulate(cube(at)).mesh]) {
        assert.ok(Math.abs(getMeshArea(mesh).size - 24) < 1e-8)
        assert.ok(Math.abs(getMeshVolume(mesh).size - 8) < 1e-8)
        assert.ok(distance(findCentroid(getMeshVolume(mesh))!, at) < 1e-6)
        assert.ok(Math.abs(getMeshVolume(flipMesh(mesh)).size + 8) < 1e-8)
      }
    }),
  )
})

test('given a cube, then unwelded it has four vertices a face, and welded again eight', () => {
  const apart = unweld(cube(), 0)
  assert.equal(apart.vertices.length, 24)
  assert.equal(weld(apart, Math.PI).vertices.length, 8)
  assert.equal(weld(apart, Math.PI / 4).vertices.length, 24)
  assert.equal(unweld(cube(), Math.PI / 2 + 0.01).vertices.length, 8)
  assert.deepEqual(weld(cube(), Math.PI).faces, cube().faces)
})

test('given quads, then each is cut along its shorter diagonal, its second half at the end', () => {
  const mesh: Mesh = {
    type: 'mesh',
    vertices: [p(0, 0), p(2, 0), p(3, 1), p(0, 1), p(0, 5)],
    faces: [quad(0, 1, 2, 3), triangle(3, 2, 4)],
  }
  assert.deepEqual(triangulate(mesh), {
    mesh: { ...mesh, faces: [triangle(0, 1, 3), triangle(3, 2, 4), triangle(1, 2, 3)] },
    count: 1,
  })
})

test('given meshes of which one has colours, then joined the others are white', () => {
  const red = colour(255, 0, 0)
  const joined = joinMeshes([cube(), { ...cube(p(9, 0)), colours: Array(8).fill(red) }])
  assert.deepEqual([joined.vertices.length, joined.faces.length], [16, 12])
  assert.deepEqual(joined.faces[6], quad(11, 10, 9, 8))
  assert.deepEqual([joined.colours?.[0], joined.colours?.[15]], [colour(255, 255, 255), red])
})

test('given any point, then no face of a mesh is nearer than the closest one, and its text names it', () => {
  const rows = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 9 }, (__, j) => p(i, j, Math.sin(i * j))),
  )
  const mesh = createGridMesh(rows)
  const coordinate = fc.double({ min: -3, max: 12, noNaN: true })
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, (x, y, z) => {
      const target = p(x, y, z)
      const found = findClosestOnMesh(mesh, target)!
      for (const face of mesh.faces) {
        // A quad's own middle need not lie on its two triangles, but its corners do.
        const corner = mesh.vertices[face.a]!
        assert.ok(distance(found.point, target) <= distance(corner, target) + 1e-9)
      }
      const read = readMeshPoint(mesh, formatMeshPoint(found))!
      assert.ok(distance(read.point, found.point) < 1e-9)
    }),
  )
  assert.ok(length(findClosestOnMesh(cube(), p(5, 0, 0))!.point) - 1 < 1e-12)
  assert.equal(findClosestOnMesh({ type: 'mesh', vertices: [], faces: [] }, p(0, 0)), undefined)
  assert.deepEqual(getFaceCentre(cube(), cube().faces[1]!), p(0, 0, 1))
})
