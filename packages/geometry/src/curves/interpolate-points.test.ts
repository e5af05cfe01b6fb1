import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Xyz } from '../values/points.ts'
import { distance } from '../values/vector.ts'
import { evaluate, getPoint } from './evaluate.ts'
import { interpolateClosed, interpolatePoints } from './interpolate-points.ts'
import { at } from './testing.ts'

const show = (points: readonly Xyz[]) =>
  points.map(({ x, y }) => [Number(x.toFixed(6)), Number(y.toFixed(6))])

// Published by a user of RhinoCommon with its output: https://discourse.mcneel.com/t/interpolated-curve/123999
test('interpolate: given five points, when knots go by distance, then the control points are those of Rhino', () => {
  const curve = interpolatePoints([at(0, 0), at(3, 4), at(-1, 4), at(-4, 0), at(-4, -3)])
  assert.deepEqual(curve.knots, [0, 0, 0, 5, 9, 14, 17, 17, 17])
  assert.deepEqual(show(curve.points), [
    [0, 0],
    [1.278803, 1.06885],
    [5.265114, 4.792727],
    [-2.182465, 4.50471],
    [-4.175262, 0.712181],
    [-4.204863, -2.021209],
    [-4, -3],
  ])
})

test('interpolate: given points, then the curve goes through each at its knot and is twice smooth there', () => {
  const points = [at(0, 0), at(1, 2, 1), at(4, 2), at(5, -1, 2), at(9, 0)]
  for (const style of ['uniform', 'chord', 'squareRoot'] as const) {
    const open = interpolatePoints(points, style)
    const closed = interpolateClosed(points, style)
    const knots = { open: open.knots.slice(2, -2), closed: closed.knots.slice(2, -3) }
    for (const [i, point] of points.entries()) {
      assert.ok(distance(getPoint(open, knots.open[i] as number), point) < 1e-12)
      assert.ok(distance(getPoint(closed, knots.closed[i] as number), point) < 1e-12)
      const [before, after] = (['below', 'above'] as const).map((side) =>
        evaluate(closed, knots.closed[i] as number, 2, side),
      )
      if (i > 0) assert.ok(distance(before?.[2] as Xyz, after?.[2] as Xyz) < 1e-9)
    }
    const [start, end] = [evaluate(closed, 0, 2), evaluate(closed, closed.knots.at(-3) as number, 2, 'below')]
    for (let k = 0; k <= 2; k++) assert.ok(distance(start[k] as Xyz, end[k] as Xyz) < 1e-9)
  }
})

test('interpolate: given two points, then it is the straight way', () => {
  assert.deepEqual(show(interpolatePoints([at(0, 0), at(3, 0)]).points), [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
  ])
})
