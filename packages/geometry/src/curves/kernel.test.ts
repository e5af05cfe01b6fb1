import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extendEnd } from '../curve-editing/extend.ts'
import { shatterCurve } from '../curve-editing/seam.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { circle, line, polyline } from '../values/curves.ts'
import { WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, length, subtract } from '../values/vector.ts'
import { findClosestPoint } from './closest-point.ts'
import { divideByChord, divideByCount } from './divide.ts'
import { evaluate, findTangent, getEnd, getPoint, getStart } from './evaluate.ts'
import { listPerpFrames } from './frames.ts'
import { createNurbs, elevateDegree, insertKnots } from './knots.ts'
import { getLength, getParameterAtLength } from './length.ts'
import { reverseCurve, splitCurve } from './split.ts'
import { anyCurve, at } from './testing.ts'
import { toNurbs } from './to-nurbs.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const parameterAt = (curve: Curve, s: number) => {
  const { start, end } = getCurveDomain(curve)
  return start + (end - start) * s
}
const near = (a: Xyz, b: Xyz, tolerance = 1e-8) =>
  assert.ok(distance(a, b) <= tolerance, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`)
const nearNumber = (a: number, b: number, tolerance = 1e-8) =>
  assert.ok(Math.abs(a - b) <= tolerance * (1 + Math.abs(b)), `${a} is not ${b}`)

test('given weights next to one, when a NURBS curve is made, then rounding errors are left out and other weights stay', () => {
  const weightsOf = (w: number) => {
    const points = [
      { x: 0, y: 0, z: 0, w: 1 },
      { x: w, y: w, z: 0, w },
      { x: 2, y: 0, z: 0, w: 1 },
    ]
    return createNurbs(points, 2, [0, 0, 1, 1]).weights
  }
  assert.equal(weightsOf(1), undefined)
  assert.equal(weightsOf(1 + 2 ** -52), undefined)
  assert.equal(weightsOf(1 - 8e-15), undefined)
  for (const w of [1 + 2e-14, 1 - 2e-14, 1.001, 0.5]) assert.deepEqual(weightsOf(w), [1, w, 1])
})

test('knots: given any NURBS curve, when knots of its domain are inserted, then it has them, and is the same curve', () => {
  const share = fc.integer({ min: 0, max: 16 }).map((n) => n / 16)
  fc.assert(
    fc.property(anyCurve, fc.uniqueArray(share, { maxLength: 6 }), fraction, (any, shares, s) => {
      const curve = toNurbs(any)
      const { start, end } = getCurveDomain(curve)
      const wanted = shares.map((part) => start + (end - start) * part).sort((a, b) => a - b)
      const missing = wanted.flatMap((knot) => {
        const present = curve.knots.filter((own) => own === knot).length
        return Array<number>(Math.max(0, curve.degree - present)).fill(knot)
      })
      const refined = insertKnots(curve, missing)
      assert.deepEqual(
        refined.knots,
        [...curve.knots, ...missing].sort((a, b) => a - b),
      )
      const t = start + (end - start) * s
      assert.ok(distance(getPoint(refined, t), getPoint(curve, t)) < 1e-9)
    }),
  )
})

test('derivatives: given any curve, when it moves a little, then they foretell where to', () => {
  fc.assert(
    fc.property(anyCurve, fraction, (curve, s) => {
      const { start, end } = getCurveDomain(curve)
      const step = 1e-5 * (end - start)
      const t = Math.min(Math.max(parameterAt(curve, s), start + step), end - step)
      const [point, first, second] = evaluate(curve, t, 2) as [Xyz, Xyz, Xyz]
      const side = t + step <= end ? evaluate(curve, t + step / 8)[0] : undefined
      if (!side || evaluate(curve, t, 0, 'below').length === 0) return
      const h = step / 8
      const expected = {
        x: point.x + first.x * h + (second.x * h * h) / 2,
        y: point.y + first.y * h + (second.y * h * h) / 2,
        z: point.z + first.z * h + (second.z * h * h) / 2,
      }
      // A vertex or the next piece may lie between: then only that the curve does not jump is known.
      const crossesSeam =
        length(subtract(evaluate(curve, t + h, 1)[1] as Xyz, first)) > 1e-2 * (1 + length(first))
      if (!crossesSeam) near(side, expected, 1e-6 * (1 + length(first)))
    }),
  )
})

test('length: given any curve, when it is split or reversed, then the parts add up to the whole', () => {
  fc.assert(
    fc.property(anyCurve, fraction, fraction, (curve, a, b) => {
      const whole = getLength(curve)
      const parts = splitCurve(curve, [parameterAt(curve, a), parameterAt(curve, b)])
      nearNumber(
        parts.reduce((sum, part) => sum + getLength(part), 0),
        whole,
      )
      nearNumber(getLength(reverseCurve(curve)), whole)
      nearNumber(getLength(toNurbs(curve)), whole)
    }),
  )
})

test('parameter at length: given any curve, when it is asked back, then the length up to there is the same', () => {
  fc.assert(
    fc.property(anyCurve, fraction, (curve, s) => {
      const target = getLength(curve) * s
      nearNumber(getLength(curve, getParameterAtLength(curve, target)), target)
    }),
  )
})

test('length: given a circle, an ellipse quarter and a parabola, then it is the published one', () => {
  nearNumber(getLength(circle(WORLD_XY, 3)), 6 * Math.PI, 1e-15)
  // A parabola y = x² from 0 to 1: asinh(2) / 4 + sqrt(5) / 2.
  const parabola: Curve = {
    type: 'nurbsCurve',
    degree: 2,
    points: [at(0, 0), at(0.5, 0), at(1, 1)],
    knots: [0, 0, 1, 1],
  }
  nearNumber(getLength(parabola), Math.asinh(2) / 4 + Math.sqrt(5) / 2, 1e-12)
})

test('split: given any curve, when it is cut, then each part goes where the curve goes, at the same parameters', () => {
  fc.assert(
    fc.property(anyCurve, fraction, fraction, fraction, (curve, a, b, s) => {
      for (const part of splitCurve(curve, [parameterAt(curve, a), parameterAt(curve, b)])) {
        const t = parameterAt(part, 0.001 + 0.998 * s)
        near(getPoint(part, t), getPoint(curve, t), 1e-6)
      }
    }),
  )
})

test('reverse: given any curve, when it is reversed, then it runs backwards, and reversing it twice restores it', () => {
  fc.assert(
    fc.property(anyCurve, fraction, (curve, s) => {
      const reversed = reverseCurve(curve)
      const { start, end } = getCurveDomain(curve)
      near(getStart(reversed), getEnd(curve))
      assert.deepEqual(getCurveDomain(reversed), { type: 'domain', start: 0 - end, end: 0 - start })
      const t = parameterAt(curve, 0.001 + 0.998 * s)
      near(getPoint(reverseCurve(reversed), t), getPoint(curve, t))
      if (curve.type !== 'polyCurve') near(getPoint(reversed, -t), getPoint(curve, t))
    }),
  )
})

test('NURBS form: given any curve without gaps, then it has the same ends and domain and lies on the curve', () => {
  fc.assert(
    fc.property(anyCurve, fraction, (curve, s) => {
      if (curve.type === 'polyCurve') return
      const nurbs = toNurbs(curve)
      const { start, end } = getCurveDomain(nurbs)
      nearNumber(start, getCurveDomain(curve).start)
      nearNumber(end, getCurveDomain(curve).end)
      const closest = findClosestPoint(curve, getPoint(nurbs, parameterAt(nurbs, s)))
      nearNumber(closest?.distance ?? 1, 0, 1e-6)
      const raised = elevateDegree(nurbs, nurbs.degree + 2)
      near(getPoint(raised, parameterAt(nurbs, s)), getPoint(nurbs, parameterAt(nurbs, s)))
    }),
  )
})

test('closest point: given any curve and point, then no sample of the curve is nearer', () => {
  fc.assert(
    fc.property(anyCurve, fc.record({ x: fraction, y: fraction, z: fraction }), (curve, point) => {
      const closest = findClosestPoint(curve, point)
      assert.ok(closest)
      near(getPoint(curve, closest.parameter), closest.point, 1e-7)
      for (let i = 0; i <= 50; i++) {
        assert.ok(distance(getPoint(curve, parameterAt(curve, i / 50)), point) >= closest.distance - 1e-9)
      }
    }),
  )
})

test('closest point: given a point at a vertex of a curve with weights, then it is that vertex', () => {
  const curve: Curve = {
    type: 'nurbsCurve',
    degree: 1,
    points: [at(0, 0, -0.25), at(0, 0, -0.5), at(0, 0), at(0, 0, 0.25), at(0, 0, 0.5)],
    weights: [1, 4, 1, 2, 1],
    knots: [0, 1, 2, 3, 4],
  }
  assert.equal(findClosestPoint(curve, at(0, 0))?.distance, 0)
})

test('divide: given any curve, when it is divided by count, then its parts are of one length', () => {
  fc.assert(
    fc.property(anyCurve, fc.integer({ min: 1, max: 12 }), (curve, count) => {
      const lengths = divideByCount(curve, count).map((t) => getLength(curve, t))
      for (const [i, size] of lengths.entries()) nearNumber(size, (getLength(curve) * i) / count)
    }),
  )
})

test('divide by distance: given a square, when points are 0.5 apart, then each is 0.5 from the one before', () => {
  const square = polyline([at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)])
  const points = divideByChord(square, 0.75).map((t) => getPoint(square, t))
  for (let i = 1; i < points.length; i++) nearNumber(distance(points[i] as Xyz, points[i - 1] as Xyz), 0.75)
  // From (0.75, 0) around the corner: 0.25² + y² = 0.75².
  near(points[2] as Xyz, at(1, Math.sqrt(0.5)))
})

test('frames: given any curve, then they are perpendicular to it and to themselves', () => {
  fc.assert(
    fc.property(anyCurve, (curve) => {
      const parameters = divideByCount(curve, 5)
      for (const [i, frame] of listPerpFrames(curve, parameters).entries()) {
        if (!frame) continue
        const tangent = findTangent(curve, parameters[i] as number, i === 0 ? 'above' : 'below')
        if (tangent) nearNumber(dot(tangent, frame.zAxis), 1)
        for (const axis of [frame.xAxis, frame.yAxis, frame.zAxis]) nearNumber(length(axis), 1)
        nearNumber(dot(frame.xAxis, frame.zAxis), 0)
      }
    }),
  )
})

test('frames: given a circle, when they are aligned, then x goes on pointing to the centre', () => {
  const curve = circle(WORLD_XY, 2)
  for (const frame of listPerpFrames(curve, divideByCount(curve, 7))) {
    near(frame?.xAxis as Xyz, { x: -(frame?.origin.x ?? 0) / 2, y: -(frame?.origin.y ?? 0) / 2, z: 0 })
  }
})

test('shatter: given a closed curve, when it is cut off its seam, then the part through the seam is the last', () => {
  const parts = shatterCurve(circle(WORLD_XY, 1), [1, 2, 4])
  assert.deepEqual(
    parts.map((part) => Number(getLength(part).toFixed(9))),
    [1, 2, Number((2 * Math.PI - 3).toFixed(9))],
  )
  assert.equal(shatterCurve(circle(WORLD_XY, 1), [0, 1, 2, 4]).length, 4)
  assert.deepEqual(shatterCurve(line(at(0, 0), at(1, 0)), []), [])
})

test('extend: given any curve without gaps, when it goes on smoothly, then it is longer by that and as it was before', () => {
  fc.assert(
    fc.property(anyCurve, fc.integer({ min: 1, max: 8 }), fraction, (curve, by, s) => {
      if (curve.type === 'polyCurve' || curve.type === 'circle') return
      if (curve.type === 'nurbsCurve' && curve.weights) return
      const longer = extendEnd(curve, by, 'smooth')
      assert.ok(longer)
      nearNumber(getLength(longer), getLength(curve) + by, 1e-7)
      if (curve.type !== 'polyline')
        near(getPoint(longer, parameterAt(curve, s)), getPoint(curve, parameterAt(curve, s)), 1e-7)
    }),
  )
})
