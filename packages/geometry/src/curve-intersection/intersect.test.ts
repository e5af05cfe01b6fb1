import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getPoint } from '../curves/evaluate.ts'
import { interpolatePoints } from '../curves/interpolate-points.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { anyCurve, at } from '../curves/testing.ts'
import { arc, circle, line, polyline } from '../values/curves.ts'
import { findPlaneFromNormal, toLocal, WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Curve } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { findCrossings } from './intersect-curves.ts'
import { findPlaneCrossings } from './intersect-plane.ts'
import { findRoots } from './roots.ts'

const round = (value: number) => Number(value.toFixed(6)) + 0
const pointsAt = (curve: Curve, parameters: readonly number[]) =>
  parameters.map((t) => getPoint(curve, t)).map(({ x, y, z }) => [round(x), round(y), round(z)])
const X = findPlaneFromNormal(at(0, 0), at(1, 0)) ?? WORLD_XY

test('roots: given (u - 1/4)(u - 1/2), (u - 1/2)² and one that only comes near, then each is found', () => {
  assert.deepEqual(findRoots([0.125, -0.25, 0.375]).map(round), [0.25, 0.5])
  assert.deepEqual(findRoots([0.25, -0.25, 0.25], 1e-12).map(round), [0.5])
  assert.deepEqual(findRoots([0.26, -0.24, 0.26], 0.02).map(round), [0.5])
  assert.deepEqual(findRoots([0.26, -0.24, 0.26], 0.001), [])
})

for (const [name, curve, expected] of [
  ['a line through it', line(at(-1, 0), at(3, 4)), [[0, 1, 0]]],
  [
    'a circle',
    circle(WORLD_XY, 2),
    [
      [0, 2, 0],
      [0, -2, 0],
    ],
  ],
  ['a circle that touches it', circle(xyPlane(at(2, 0)), 2), [[0, 0, 0]]],
  [
    'a square with a side in it',
    polyline([at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]),
    [
      [0, 0, 0],
      [0, 1, 0],
    ],
  ],
  ['a line beside it', line(at(1, 0), at(1, 4)), []],
] as const) {
  test(`curve and plane: given ${name}, then the points worked out by hand are the result`, () => {
    assert.deepEqual(pointsAt(curve, findPlaneCrossings(curve, X, 1e-6)), expected)
  })
}

test('curve and plane: given any curve, then every point is in the plane, and the sides change only there', () => {
  fc.assert(
    fc.property(anyCurve, (curve) => {
      for (const t of findPlaneCrossings(curve, X, 1e-6)) {
        assert.ok(Math.abs(toLocal(X, getPoint(curve, t)).z) <= 2e-6)
      }
    }),
  )
})

for (const [name, a, b, expected] of [
  ['two lines', line(at(0, 0), at(2, 2)), line(at(0, 2), at(2, 0)), [[1, 1, 0]]],
  ['lines that miss each other in space', line(at(0, 0), at(2, 2)), line(at(0, 2, 1), at(2, 0, 1)), []],
  [
    'lines on each other',
    line(at(0, 0), at(4, 0)),
    line(at(1, 0), at(6, 0)),
    [
      [1, 0, 0],
      [4, 0, 0],
    ],
  ],
  [
    'a line and a circle',
    line(at(-5, 0), at(5, 0)),
    circle(WORLD_XY, 2),
    [
      [-2, 0, 0],
      [2, 0, 0],
    ],
  ],
  [
    'two circles',
    circle(WORLD_XY, 5),
    circle(xyPlane(at(6, 0)), 5),
    [
      [3, 4, 0],
      [3, -4, 0],
    ],
  ],
  ['circles that touch', circle(WORLD_XY, 1), circle(xyPlane(at(3, 0)), 2), [[1, 0, 0]]],
  [
    'a half circle that ends on a line',
    arc(WORLD_XY, 1, 0, Math.PI),
    line(at(-3, -3), at(1, 1)),
    [[round(Math.SQRT1_2), round(Math.SQRT1_2), 0]],
  ],
] as const) {
  test(`curve and curve: given ${name}, then the points worked out by hand are the result`, () => {
    const crossings = findCrossings(a, b, 1e-6)
    assert.deepEqual(
      crossings?.map(({ point: { x, y, z } }) => [round(x), round(y), round(z)]),
      expected,
    )
    for (const crossing of crossings ?? []) {
      assert.ok(distance(getPoint(a, crossing.a), getPoint(b, crossing.b)) <= 1e-6)
    }
  })
}

test('curve and curve: given a wave and a line through its points, then it meets the line at each of them', () => {
  const points = [0, 1, 2, 3, 4, 5].map((x) => at(x, x % 2 === 0 ? 0.5 : -0.5))
  const wave = interpolatePoints(points)
  const crossings = findCrossings(wave, line(at(-1, 0), at(7, 0)), 1e-9)
  assert.equal(crossings?.length, 5)
  for (const { point } of crossings) assert.ok(Math.abs(point.y) < 1e-12)
})

test('turns: given a circle and a square around a point or beside it, then it is one or none', () => {
  const square = polyline([at(0, 0), at(4, 0), at(4, 4), at(0, 4), at(0, 0)])
  for (const [curve, point, turns] of [
    [circle(WORLD_XY, 2), at(1.999, 0), 1],
    [circle(WORLD_XY, 2), at(2.001, 0), 0],
    [square, at(1, 1), 1],
    [square, at(5, 1), 0],
  ] as const) {
    assert.equal(getWindingNumber(curve, WORLD_XY, point), turns)
  }
})
