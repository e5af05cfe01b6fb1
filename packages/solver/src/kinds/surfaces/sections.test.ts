import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrateRegion } from '@meadow/geometry/breps/region'
import { getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { circle, polyline } from '@meadow/geometry/values/curves'
import type { Mesh } from '@meadow/geometry/values/mesh'
import { findPlaneFromNormal, plane, toLocal, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Box, type Plane, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { type Curve, domain, type Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'
import { DOME } from '../../testing/surfaces.ts'

/* Expected lengths and areas are from solid geometry; the planes and branches of Contour are recorded results of
 * Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/Intersect/Contour.json. */

const SECTION = '4fe828e8-fa95-4cc5-9a8c-c33856ecc783'
const CONTOUR = '3b112fb6-3eba-42d2-ba75-0f903c18faab'
const CONTOUR_EX = '246cda78-5e88-4087-ba09-ae082bbc4af8'
const EXTRUDE = '962034e9-cc27-4394-afc4-5c16e3447cf9'
const BOUNDARY = 'd51e9b65-aa4e-4fd6-976c-cef35d421d05'
const SPHERE = 'dabc854d-f50e-408a-b001-d043c7de151d'

const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const BOX: Box = { type: 'box', plane: WORLD_XY, x: domain(0, 4), y: domain(0, 4), z: domain(0, 2) }
const UPRIGHT: Plane = plane(at(1, 0), at(0, 1), at(0, 0, 1), at(1, 0))

function make(guid: string, ...inputs: InputData[]): Value {
  const [value] = Object.values(run(guid, inputs).outputs[0] ?? {}).flat()
  return value ?? (null as never)
}

const solid = (outline: Value, height: number) =>
  make(EXTRUDE, make(BOUNDARY, [outline]), vector(0, 0, height))
const CYLINDER = solid(circle(WORLD_XY, 2), 5)

function section(brep: Value, by: Plane): { curves: Curve[]; points: Value[]; codes: string[] } {
  const { outputs, codes } = run(SECTION, [brep, by])
  const [curves, points] = outputs.map((output) => Object.values(output)[0] ?? [])
  return { curves: (curves ?? []) as Curve[], points: (points ?? []) as Value[], codes }
}

function measure(curves: readonly Curve[]): number {
  return Math.round(curves.reduce((sum, curve) => sum + getLength(curve), 0) * 1e6) / 1e6
}

const near = (value: number) => Math.round(value * 1e6) / 1e6
const isClosed = (curve: Curve) => distance(getStart(curve), getEnd(curve)) < 1e-6

for (const [name, shape, by, count, size] of [
  ['a box across', BOX, xyPlane(at(0, 0, 1)), 1, 16],
  ['a box along', BOX, UPRIGHT, 1, 12],
  ['a box at its top', BOX, xyPlane(at(0, 0, 2)), 1, 16],
  ['a box beside it', BOX, xyPlane(at(0, 0, 3)), 0, 0],
  [
    'a box through two edges',
    BOX,
    findPlaneFromNormal(at(0, 0), at(1, -1)) as Plane,
    1,
    2 * (2 + 4 * Math.SQRT2),
  ],
  ['a cylinder across', CYLINDER, xyPlane(at(0, 0, 1)), 1, 4 * Math.PI],
  ['a cylinder at its base', CYLINDER, WORLD_XY, 1, 4 * Math.PI],
  ['a cylinder along its axis', CYLINDER, { ...UPRIGHT, origin: at(0, 0) }, 1, 18],
  ['a cylinder along, beside its axis', CYLINDER, UPRIGHT, 1, 2 * (5 + 2 * Math.sqrt(3))],
  ['a sphere through its centre', make(SPHERE, WORLD_XY, 3), WORLD_XY, 1, 6 * Math.PI],
  ['a sphere', make(SPHERE, WORLD_XY, 5), xyPlane(at(0, 0, 3)), 1, 8 * Math.PI],
  [
    'a plate with a hole',
    make(BOUNDARY, [
      polyline([at(0, 0), at(9, 0), at(9, 9), at(0, 9), at(0, 0)]),
      circle(xyPlane(at(4, 4)), 2),
    ]),
    plane(at(4, 0), at(0, 1), at(0, 0, 1), at(1, 0)),
    2,
    5,
  ],
] as const) {
  test(`Brep | Plane: given ${name}, then the curves in both`, () => {
    const { curves, codes } = section(shape, by)
    assert.equal(curves.length, count)
    assert.equal(measure(curves), near(size))
    assert.ok(codes.every((code) => code === 'approximate'))
    for (const curve of curves) {
      const { start, end } = getCurveDomain(curve)
      for (const share of [0, 0.2, 0.5, 0.7, 1]) {
        assert.ok(Math.abs(toLocal(by, getPoint(curve, start + (end - start) * share)).z) < 1e-6)
      }
    }
  })
}

test('Brep | Plane: given a plane that touches at a point, then the point; given one across a bent face, a curve', () => {
  const touch = section(make(SPHERE, WORLD_XY, 5), xyPlane(at(0, 0, 5)))
  assert.deepEqual(touch, { curves: [], points: [point(0, 0, 5)], codes: [] })
  const corner = section(BOX, findPlaneFromNormal(at(0, 0), at(1, 1, 1)) as Plane)
  assert.deepEqual(corner, { curves: [], points: [point(0, 0, 0)], codes: [] })
  const tilted = findPlaneFromNormal(at(0, 0, 2.5), at(0.5, 0, 1)) as Plane
  const across = section(CYLINDER, tilted)
  assert.deepEqual([across.curves.map(isClosed), across.codes], [[true], ['approximate']])
  // The length of an ellipse with half axes of 2 and √5, by Ramanujan's formula.
  assert.ok(Math.abs(measure(across.curves) - 13.3183) < 1e-3, String(measure(across.curves)))
})

test('Brep | Plane: given any plane through a box, then a closed polygon, on the sides of the box', () => {
  const whole = fc.integer({ min: -7, max: 7 })
  const anyNormal = fc
    .record({ x: whole, y: whole, z: whole })
    .filter(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0)
  const inside = fc.record({
    x: fc.integer({ min: 1, max: 39 }).map((value) => value / 10),
    y: fc.integer({ min: 1, max: 39 }).map((value) => value / 10),
    z: fc.integer({ min: 1, max: 19 }).map((value) => value / 10),
  })
  fc.assert(
    fc.property(anyNormal, inside, (normal, place) => {
      const by = findPlaneFromNormal(place, normal) as Plane
      const { curves } = section(BOX, by)
      assert.equal(curves.length, 1)
      const [outline] = curves as [Curve]
      assert.ok(isClosed(outline))
      assert.ok(Math.abs(integrateRegion([outline], by).area) > 1e-3)
      const { start, end } = getCurveDomain(outline)
      for (let i = 0; i < 12; i++) {
        const { x, y, z } = getPoint(outline, start + ((end - start) * (i + 0.5)) / 12)
        const sides = [x, 4 - x, y, 4 - y, z, 2 - z]
        assert.ok(Math.min(...sides) > -1e-6 && Math.min(...sides.map(Math.abs)) < 1e-6)
      }
    }),
    { numRuns: 200 },
  )
})

/** The heights of the curves of each branch. */
function heightsOf(guid: string, inputs: readonly InputData[]): Record<string, number[]> {
  const [contours] = run(guid, inputs).outputs
  return Object.fromEntries(
    Object.entries(contours ?? {}).map(([path, curves]) => [
      path,
      (curves as Curve[]).map((curve) => near(getStart(curve).z)),
    ]),
  )
}

test('Contour: given a box (recorded), then a branch for each plane from the lowest on, below the highest', () => {
  const up = vector(0, 0, 1)
  assert.deepEqual(heightsOf(CONTOUR, [BOX, point(0, 0, 0), up, 0.5]), {
    '{0;0}': [0],
    '{0;1}': [0.5],
    '{0;2}': [1],
    '{0;3}': [1.5],
  })
  assert.deepEqual(heightsOf(CONTOUR, [BOX, point(0, 0, 0), up, -0.5]), {
    '{0;0}': [2],
    '{0;1}': [1.5],
    '{0;2}': [1],
    '{0;3}': [0.5],
  })
  // Planes go on to both sides of the point.
  assert.deepEqual(heightsOf(CONTOUR, [BOX, point(9, 9, 1.25), up, 1]), { '{0;0}': [0.25], '{0;1}': [1.25] })
})

test('Contour: given several shapes, then their branches are numbered by run; a mesh is cut too', () => {
  const mesh: Mesh = {
    type: 'mesh',
    vertices: [at(0, 0), at(4, 0), at(0, 4), at(0, 0, 4)],
    faces: [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [2, 0, 3],
    ].map(([a, b, c]) => ({ type: 'meshFace', a: a!, b: b!, c: c!, d: c! })),
  }
  const heights = heightsOf(CONTOUR, [[BOX, mesh], point(0, 0, 1), vector(0, 0, 2), 1.5])
  assert.deepEqual(heights, { '{0;0}': [1], '{1;0}': [1], '{1;1}': [2.5] })
  const { outputs } = run(CONTOUR, [mesh, point(0, 0, 1), vector(0, 0, 1), 5])
  assert.equal(measure(Object.values(outputs[0] ?? {}).flat() as Curve[]), near(6 + 3 * Math.SQRT2))
})

test('Contour (ex): given offsets or distances, then planes there; given neither, an error', () => {
  assert.deepEqual(heightsOf(CONTOUR_EX, [BOX, WORLD_XY, [1.5, 9, 0.5], [1]]), {
    '{0;0}': [1.5],
    '{0;1}': [],
    '{0;2}': [0.5],
  })
  assert.deepEqual(heightsOf(CONTOUR_EX, [BOX, WORLD_XY, undefined, [0.5, 1]]), {
    '{0;0}': [0.5],
    '{0;1}': [1.5],
  })
  assert.deepEqual(run(CONTOUR_EX, [BOX, WORLD_XY, undefined, undefined]).codes, ['failed'])
})

test('Contour: given no distance or no direction, then an error; a DOME, a curve; a curve or a saddle, a limit', () => {
  const up = vector(0, 0, 1)
  assert.deepEqual(run(CONTOUR, [circle(WORLD_XY, 1), point(0, 0, 0), up, 1]).codes, ['limit'])
  assert.deepEqual(run(CONTOUR, [BOX, point(0, 0, 0), up, 0]).codes, ['failed'])
  assert.deepEqual(run(CONTOUR, [BOX, point(0, 0, 0), vector(0, 0, 0), 1]).codes, ['failed'])
  const { outputs, codes } = run(CONTOUR, [DOME, point(0, 0, 0.5), up, 1])
  assert.deepEqual(codes, ['approximate'])
  const [level] = Object.values(outputs[0] ?? {})
  assert.ok(((level ?? []) as Curve[]).length > 0)
  const saddle = {
    ...DOME,
    points: DOME.points.map((row, i) => row.map(({ x, y }, j) => at(x, y, (i - 1) * (j - 1)))),
  }
  assert.deepEqual(run(SECTION, [saddle, WORLD_XY]).codes, ['limit'])
})
