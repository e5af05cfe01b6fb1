import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circle, line } from '@meadow/geometry/values/curves'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Box, type Point, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'
import { DOME } from '../../testing/surfaces.ts'

/* Points of Brep | Line marked "recorded" are results of Grasshopper 8: github.com/ezzahiranass/pyhopper,
 * tests/golden/components/Intersect/BrepLine.json. The others are from solid geometry. */

const POINT_IN = 'e03561f8-0e66-41d3-afde-62049f152443'
const POINT_IN_ALL = '859daa86-3ab7-49cb-9eda-f2811c984070'
const LINE = 'ed0742f9-6647-4d95-9dfd-9ad17080ae9c'
const EXTRUDE = '962034e9-cc27-4394-afc4-5c16e3447cf9'
const BOUNDARY = 'd51e9b65-aa4e-4fd6-976c-cef35d421d05'
const SPHERE = 'dabc854d-f50e-408a-b001-d043c7de151d'

const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const BOX: Box = { type: 'box', plane: WORLD_XY, x: domain(0, 4), y: domain(0, 4), z: domain(0, 2) }

function make(guid: string, ...inputs: InputData[]): Value {
  const [value] = Object.values(run(guid, inputs).outputs[0] ?? {}).flat()
  return value as Value
}

const BALL = make(SPHERE, WORLD_XY, 3)
/** A disc of radius 3 with a hole of radius 1, 5 high. */
const TUBE = make(EXTRUDE, make(BOUNDARY, [circle(WORLD_XY, 3), circle(WORLD_XY, 1)]), vector(0, 0, 5))

function isInside(brep: Value, place: Xyz, isStrict = false): Value | null {
  const { outputs } = run(POINT_IN, [brep, point(place.x, place.y, place.z), isStrict])
  return Object.values(outputs[0] ?? {})[0]?.[0] ?? null
}

function pointsOn(brep: Value, from: Xyz, to: Xyz): { points: number[][]; codes: string[] } {
  const { outputs, codes } = run(LINE, [brep, line(from, to)])
  const points = (Object.values(outputs[1] ?? {})[0] ?? []) as Point[]
  return { points: points.map(({ x, y, z }) => [x, y, z].map(round)), codes }
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}

test('Point In Brep: given points inside, on and outside, then strictly only those inside', () => {
  for (const [brep, place, loose, strict] of [
    [BOX, at(1, 1, 1), true, true],
    [BOX, at(0, 1, 1), true, false],
    [BOX, at(4, 4, 2), true, false],
    [BOX, at(5, 1, 1), false, false],
    [BALL, at(0, 0, 0), true, true],
    [BALL, at(0, 0, 2.9), true, true],
    [BALL, at(0, 0, 3), true, false],
    [BALL, at(2, 2, 2), false, false],
    [TUBE, at(2, 0, 1), true, true],
    [TUBE, at(0, 0, 1), false, false],
    [TUBE, at(0, 2, 6), false, false],
  ] as const) {
    assert.equal(isInside(brep, place), loose, JSON.stringify(place))
    assert.equal(isInside(brep, place, true), strict, JSON.stringify(place))
  }
})

test('Point In Brep: given any point, then it is inside a box or a ball or a tube where their equations say so', () => {
  const anyNumber = fc.integer({ min: -55, max: 55 }).map((value) => value / 10 + 0.017)
  fc.assert(
    fc.property(anyNumber, anyNumber, anyNumber, (x, y, z) => {
      const reach = Math.hypot(x, y)
      assert.equal(isInside(BOX, at(x, y, z)), x > 0 && x < 4 && y > 0 && y < 4 && z > 0 && z < 2)
      assert.equal(isInside(BALL, at(x, y, z)), Math.hypot(x, y, z) < 3)
      assert.equal(isInside(TUBE, at(x, y, z)), reach > 1 && reach < 3 && z > 0 && z < 5)
    }),
    { numRuns: 60 },
  )
})

test('Point In Breps: given several, then the first that contains the point; an open one is a limit', () => {
  const { outputs } = run(POINT_IN_ALL, [[BOX, null, BALL], point(-1, 0, 0), false])
  assert.deepEqual(
    outputs.map((output) => Object.values(output)[0]?.[0]),
    [true, integer(2)],
  )
  const none = run(POINT_IN_ALL, [[BOX], point(-1, 0, 0), false]).outputs
  assert.deepEqual(
    none.map((output) => Object.values(output)[0]?.[0]),
    [false, integer(-1)],
  )
  assert.deepEqual(run(POINT_IN, [DOME, point(0, 0, 0), false]).codes, ['limit'])
})

for (const [name, brep, from, to, expected] of [
  [
    'a box (recorded)',
    BOX,
    at(-1, 2, 1),
    at(5, 2, 1),
    [
      [4, 2, 1],
      [0, 2, 1],
    ],
  ],
  [
    'a box through two edges (recorded)',
    BOX,
    at(-1, -1, 1),
    at(5, 5, 1),
    [
      [0, 0, 1],
      [4, 4, 1],
    ],
  ],
  [
    'a box from inside (recorded)',
    BOX,
    at(1, 2, 1),
    at(3, 2, 1),
    [
      [4, 2, 1],
      [0, 2, 1],
    ],
  ],
  ['a dome (recorded)', DOME, at(1, 1, 5), at(1, 1, 0), [[1, 1, 0.890625]]],
  ['a box that it misses (recorded)', BOX, at(10, 10, 0), at(10, 10, 5), []],
  [
    'a ball',
    BALL,
    at(0, 0, -1),
    at(2, 0, -1),
    [
      [-2.828427, 0, -1],
      [2.828427, 0, -1],
    ],
  ],
  [
    'a tube through its hole',
    TUBE,
    at(0, -9, 2),
    at(0, 9, 2),
    [
      [0, -3, 2],
      [0, -1, 2],
      [0, 1, 2],
      [0, 3, 2],
    ],
  ],
] as const) {
  test(`Brep | Line: given ${name}, then the points on the infinite line`, () => {
    const { points, codes } = pointsOn(brep, from, to)
    const sort = (all: readonly (readonly number[])[]) => all.map(String).sort()
    assert.deepEqual(sort(points), sort(expected))
    assert.deepEqual(codes, expected.length > 1 ? ['approximate'] : [])
  })
}

const SHAPE_IN = '2ba64356-be21-4c12-bbd4-ced54f04c8ef'
const boxAt = (x: number, size: number): Box => ({
  type: 'box',
  plane: WORLD_XY,
  x: domain(x, x + size),
  y: domain(1, 1 + size),
  z: domain(0.5, 0.5 + size),
})
/** A tetrahedron with its corner at a place, and sides of one length along the axes. */
const meshAt = (x: number, y: number, z: number, size: number): Value => ({
  type: 'mesh',
  vertices: [at(x, y, z), at(x + size, y, z), at(x, y + size, z), at(x, y, z + size)],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [2, 0, 3],
  ].map(([a, b, c]) => ({ type: 'meshFace', a: a!, b: b!, c: c!, d: c! })),
})

test('Shape In Brep: given points, curves, boxes and meshes, then inside 0, crossing 1, outside 2', () => {
  for (const [brep, shape, expected] of [
    [BOX, point(1, 1, 1), 0],
    [BOX, point(0, 1, 1), 1],
    [BOX, point(9, 1, 1), 2],
    [BALL, line(at(0, 0), at(1, 1, 1)), 0],
    [BALL, line(at(0, 0), at(9, 1, 1)), 1],
    [BALL, line(at(5, 5), at(9, 1, 1)), 2],
    [TUBE, line(at(0, 0, 1), at(0, 0, 4)), 2],
    [TUBE, line(at(0, -9, 2), at(0, 9, 2)), 1],
    [BOX, boxAt(1, 1), 0],
    [BOX, boxAt(3.5, 1), 1],
    [BOX, boxAt(4.5, 1), 2],
    // A box that surrounds the other one, and a bar through its middle.
    [BOX, { ...BOX, x: domain(-1, 9), y: domain(-1, 9), z: domain(-1, 9) }, 2],
    [BOX, { ...BOX, x: domain(1, 2), y: domain(1, 2), z: domain(-1, 9) }, 1],
    [{ ...BOX, x: domain(1, 2), y: domain(1, 2), z: domain(-1, 9) }, BOX, 1],
    [BOX, meshAt(1, 1, 0.5, 1), 0],
    [BOX, meshAt(3.5, 1, 0.5, 1), 1],
    [BOX, meshAt(3.9, 3.9, 3.9, 1), 2],
    [BALL, { ...BOX, x: domain(8, 9) }, 2],
  ] as const) {
    const { outputs, codes } = run(SHAPE_IN, [brep, shape])
    assert.deepEqual(codes, [], JSON.stringify(shape))
    assert.deepEqual(Object.values(outputs[0] ?? {})[0]?.[0], integer(expected), JSON.stringify(shape))
  }
})

test('Shape In Brep: given a bent shape that is near, then a limit; an open brep, an error', () => {
  assert.deepEqual(run(SHAPE_IN, [BOX, circle(xyPlane(at(2, 2, 1)), 1)]).codes, ['limit'])
  assert.deepEqual(run(SHAPE_IN, [BALL, boxAt(0, 1)]).codes, ['limit'])
  assert.deepEqual(run(SHAPE_IN, [DOME, point(0, 0, 0)]).codes, ['failed'])
})

test('Brep | Line: given a line on a face, then a limit', () => {
  assert.deepEqual(pointsOn(BOX, at(1, 1, 2), at(3, 1, 2)).codes, ['limit'])
})

test('Brep | Line: given any line through a ball, then two points, as far from its middle as Pythagoras says', () => {
  const whole = fc.integer({ min: -20, max: 20 }).map((value) => value / 10 + 0.013)
  fc.assert(
    fc.property(whole, whole, whole, whole, (x, y, s, t) => {
      const ball = make(SPHERE, xyPlane(at(1, 2, 3)), 5)
      const { points } = pointsOn(ball, at(1 + x, 2 + y, 3), at(1 + x + s, 2 + y + t, 5))
      assert.equal(points.length, 2)
      for (const [px, py, pz] of points as [number, number, number][]) {
        assert.ok(Math.abs(Math.hypot(px - 1, py - 2, pz - 3) - 5) < 1e-5)
      }
    }),
    // Beside the border of two spans.
    { numRuns: 60, examples: [[-1.787, 0.213, -0.987, -1.787]] },
  )
})
