import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Curve, Geometry } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import type {
  BrepEdgeList,
  BrepFaceList,
  Brep as RhinoBrep,
  Curve as RhinoCurve,
  Mesh as RhinoMesh,
} from 'rhino3dm'
import { arbitraryObject } from '../testing/arbitrary-geometry.ts'
import { BENT, box, net, plateWithHole, SADDLE, WORLD } from '../testing/geometries.ts'
import { decode, encode, getBox } from '../testing/rhino.ts'
import { encodeGeometry } from './encode-geometry.ts'
import { xyz } from './xyz.ts'

/** The faults that openNURBS reports; empty for a valid object. */
function findFlaw(geometry: Geometry): string {
  const object = decode(encodeGeometry(geometry))
  const [, log] = object.isValidWithLog
  object.delete()
  return log
}

test('[MOD-1] given any geometry, when it is encoded, then the library reads it and calls it valid', () => {
  fc.assert(
    fc.property(arbitraryObject, (geometry) => {
      assert.equal(findFlaw(geometry), '')
    }),
  )
})

test('[MOD-1] given any geometry but a mesh, when it is encoded, then the bytes are those that the library writes', () => {
  fc.assert(
    fc.property(
      arbitraryObject.filter(({ type }) => type !== 'mesh'),
      (geometry) => {
        const encoded = encodeGeometry(geometry)
        const object = decode(encoded)
        assert.deepEqual(encode(object), encoded)
        object.delete()
      },
    ),
  )
})

test('[MOD-1] given a box, when it is encoded, then a solid of six faces with its corners', () => {
  const brep = decode<RhinoBrep & { faces(): BrepFaceList; edges(): BrepEdgeList }>(
    encodeGeometry(box(1, 2, 3)),
  )
  assert.deepEqual(
    {
      isSolid: brep.isSolid,
      isManifold: brep.isManifold,
      faces: brep.faces().count,
      edges: brep.edges().count,
    },
    { isSolid: true, isManifold: true, faces: 6, edges: 12 },
  )
  assert.deepEqual(getBox(brep), [5, 6, 7, 6, 8, 10])
})

test('[MOD-1] given a plate with a hole, when it is encoded, then one face with two loops and a naked rim', () => {
  const brep = decode<RhinoBrep & { faces(): BrepFaceList; edges(): BrepEdgeList }>(
    encodeGeometry(plateWithHole()),
  )
  assert.deepEqual(
    {
      isSolid: brep.isSolid,
      isSurface: brep.isSurface,
      edges: brep.edges().count,
      loops: brep.faces().get(0).loops.count,
    },
    { isSolid: false, isSurface: false, edges: 5, loops: 2 },
  )
})

test('[MOD-2] given curves, when the library evaluates them, then at the parameter that the solver means', () => {
  const quarter = Math.PI / 2
  const arc: Curve = { type: 'arc', plane: WORLD, radius: 2, startAngle: quarter, endAngle: 2 * quarter }
  const cases: [Curve, parameter: number, expected: number[]][] = [
    [{ type: 'line', from: xyz(0, 0, 0), to: xyz(0, 6, 8) }, 5, [0, 3, 4]],
    [arc, quarter, [-Math.SQRT2, Math.SQRT2, 0]],
    [{ ...arc, domain: { type: 'domain', start: 0, end: 1 } }, 0.5, [-Math.SQRT2, Math.SQRT2, 0]],
    [{ type: 'circle', plane: WORLD, radius: 2 }, Math.PI, [0, 2, 0]],
    [{ type: 'polyline', vertices: [xyz(0, 0, 0), xyz(2, 0, 0), xyz(2, 8, 0)] }, 1.25, [2, 2, 0]],
    [BENT, 1, [1, 0, 0]],
    [BENT, 2 + quarter / 2, [2 + Math.SQRT1_2, 1 - Math.SQRT1_2, 0]],
  ]
  for (const [curve, parameter, expected] of cases) {
    const object = decode<RhinoCurve>(encodeGeometry(curve))
    const point = object.pointAt(parameter) as unknown as number[]
    assert.ok(Math.hypot(...expected.map((n, i) => n - point[i]!)) < 1e-12, `${curve.type}: ${point}`)
  }
})

test('[MOD-3] given a mesh, when it is encoded, then doubles, normals and colours are in it', () => {
  const mesh = net(20)
  const object = decode<RhinoMesh>(encodeGeometry(mesh))
  const [vertices, normals, colours, faces] = [
    object.vertices(),
    object.normals(),
    object.vertexColors(),
    object.faces(),
  ]
  assert.deepEqual([vertices.count, normals.count, colours.count, faces.count], [400, 400, 400, 361])
  assert.deepEqual(vertices.point3dAt(333), Object.values(mesh.vertices[333]!))
  assert.deepEqual(normals.get(5), [0, 0, 1])
  assert.deepEqual(colours.get(17), { r: 17, g: 0, b: 7, a: 238 })
  assert.deepEqual(faces.get(0), [0, 1, 21, 20])
})

test('[MOD-4] given what openNURBS has no object for, when it is encoded, then undefined', () => {
  const nothing: Geometry[] = [
    WORLD,
    { type: 'group', members: [{ type: 'point', ...xyz(1, 2, 3) }] },
    box(1, 0, 1),
    { type: 'point', ...xyz(1, Number.NaN, 3) },
    { type: 'line', from: xyz(0, 0, 0), to: xyz(Number.POSITIVE_INFINITY, 0, 0) },
    { ...net(3), vertices: net(3).vertices.map(() => xyz(1e300, 0, 0)) },
    { ...SADDLE, knotsU: [0, Number.NaN] },
    { ...plateWithHole(), edges: [] },
    { ...plateWithHole(), vertices: [] },
  ]
  assert.deepEqual(
    nothing.map(encodeGeometry),
    nothing.map(() => undefined),
  )
})
