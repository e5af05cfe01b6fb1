import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evaluateNurbs } from '../curves/evaluate-nurbs.ts'
import { interpolatePoints } from '../curves/interpolate-points.ts'
import { listWeighted } from '../curves/knots.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { arc, circle, line, type NurbsCurve } from '../values/curves.ts'
import { WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { distance, dot, length } from '../values/vector.ts'
import { fromKnots, toKnots } from './arcs.ts'
import { findBasis } from './basis.ts'
import { findClosestOnSurface } from './closest-point.ts'
import { makeCompatible } from './compatible.ts'
import {
  evaluateSurface,
  findFrameAt,
  findNormalAt,
  getSurfacePoint,
  touchAlong,
  touchSurface,
} from './evaluate-surface.ts'
import { findIsotrim } from './isotrim.ts'
import { integrateFinely } from './quadrature.ts'
import { createSphere, revolve } from './revolve.ts'
import { createRuledSurface } from './ruled.ts'
import { createSkin } from './skin.ts'
import { findCurveMaximumAlong, findMaximumAlong } from './surface-bounds.ts'

const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const anyPoint = fc.record({ x: coordinate(), y: coordinate(), z: coordinate() })

function coordinate() {
  return fc.double({ min: -10, max: 10, noNaN: true })
}

function near(actual: Xyz, expected: Xyz, tolerance = 1e-9): void {
  assert.ok(
    distance(actual, expected) <= tolerance,
    `${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`,
  )
}

const CUBIC: NurbsCurve = {
  type: 'nurbsCurve',
  degree: 3,
  points: [p(0, 0), p(1, 2), p(3, 1, 1), p(4, 4), p(6, 0, 2), p(7, 1, 1)],
  weights: [1, 2, 0.5, 1, 3, 1],
  knots: [0, 0, 0, 1, 2.5, 4, 4, 4],
}
/** Bent both ways and rational. */
const BENT = createSkin({
  degreeU: 3,
  knotsU: CUBIC.knots,
  sections: [0, 3, 5, 9].map((z) =>
    listWeighted({ ...CUBIC, points: CUBIC.points.map((at) => p(at.x, at.y + z * z * 0.1, at.z + z)) }),
  ),
  parameters: [0, 3, 5, 9],
})

test('given a curve, then the sums of its basis functions are its point and derivatives by de Boor', () => {
  const plain = { ...CUBIC, weights: CUBIC.points.map(() => 1) }
  fc.assert(
    fc.property(fraction, (s) => {
      const { first, values } = findBasis(CUBIC.knots, 3, 6, 4 * s, 2)
      const expected = evaluateNurbs(plain, 4 * s, 2, s === 1 ? 'below' : 'above')
      for (const [k, row] of values.entries()) {
        const x = row.reduce((sum, value, j) => sum + value * plain.points[first + j]!.x, 0)
        assert.ok(Math.abs(x - expected[k]!.x) < 1e-9)
      }
    }),
  )
})

test('given a skin, then it passes its sections, and its derivatives are those of differences', () => {
  const sections = [0, 3, 5, 9]
  fc.assert(
    fc.property(fraction, fc.integer({ min: 0, max: 3 }), fraction, (s, i, t) => {
      const z = sections[i]!
      const at = evaluateNurbs(
        { ...CUBIC, points: CUBIC.points.map((q) => p(q.x, q.y + z * z * 0.1, q.z + z)) },
        4 * s,
        0,
        'below',
      )
      near(getSurfacePoint(BENT, 4 * s, z), at[0]!)
      const [u, v, h] = [0.1 + 3.8 * s, 0.1 + 8.7 * t, 1e-5]
      const { du, dv } = touchSurface(BENT, u, v)
      const slope = (a: Xyz, b: Xyz) => p((b.x - a.x) / (2 * h), (b.y - a.y) / (2 * h), (b.z - a.z) / (2 * h))
      near(slope(getSurfacePoint(BENT, u - h, v), getSurfacePoint(BENT, u + h, v)), du, 1e-3)
      near(slope(getSurfacePoint(BENT, u, v - h), getSurfacePoint(BENT, u, v + h)), dv, 1e-3)
      near(touchAlong(BENT, v)(u).dv, dv)
      near(touchAlong(BENT, v)(u).point, evaluateSurface(BENT, u, v).point)
    }),
  )
})

test('given a sphere, then by its angles points, normals and frames are those of geography, poles included', () => {
  const sphere = createSphere(WORLD_XY, 3)
  fc.assert(
    fc.property(fraction, fraction, (s, t) => {
      const [longitude, latitude] = [2 * Math.PI * s, Math.PI * (t - 0.5)]
      const { u, v } = toKnots(sphere, { u: 3 * longitude, v: 3 * latitude })
      const outwards = p(
        Math.cos(latitude) * Math.cos(longitude),
        Math.cos(latitude) * Math.sin(longitude),
        Math.sin(latitude),
      )
      near(getSurfacePoint(sphere, u, v), p(3 * outwards.x, 3 * outwards.y, 3 * outwards.z), 1e-9)
      near(findNormalAt(sphere, u, v)!, outwards, 1e-6)
      near(findFrameAt(sphere, u, v)!.xAxis, p(-Math.sin(longitude), Math.cos(longitude)), 1e-5)
      const back = fromKnots(sphere, { u, v })
      assert.ok(Math.abs(back.u - 3 * longitude) < 1e-9 && Math.abs(back.v - 3 * latitude) < 1e-9)
    }),
  )
})

test('given the frame of a sphere of radius 3 at (4, 1), then it equals that of rhino3dm 8', () => {
  const sphere = createSphere(WORLD_XY, 3)
  const { u, v } = toKnots(sphere, { u: 4, v: 1 })
  const frame = findFrameAt(sphere, u, v)!
  near(frame.origin, p(0.6668681367806465, 2.7553184138394924, 0.9815840903884563))
  near(frame.xAxis, p(-0.9719379013633127, 0.23523757330298944, 0))
  near(frame.yAxis, p(-0.07696848647193424, -0.31801292694125755, 0.9449569463147378))
})

test('given curves of different degree and knots, then made compatible they agree and keep their shapes', () => {
  const curves = [
    CUBIC,
    toNurbs(circle(WORLD_XY, 2)),
    toNurbs(line(p(0, 0), p(1, 1))),
    interpolatePoints([p(0, 0), p(1, 2), p(4, 0)]),
  ]
  const made = makeCompatible(curves)
  for (const curve of made) assert.deepEqual([curve.degree, curve.knots], [made[0]!.degree, made[0]!.knots])
  fc.assert(
    fc.property(fraction, (s) => {
      for (const [i, curve] of curves.entries()) {
        const [from, to] = [curve.knots[0]!, curve.knots.at(-1)!]
        near(evaluateNurbs(made[i]!, s)[0]!, evaluateNurbs(curve, from + (to - from) * s)[0]!)
      }
    }),
  )
})

test('given part of a domain, then the isotrim lies on the surface with the same parameters', () => {
  fc.assert(
    fc.property(fraction, fraction, fraction, fraction, (a, b, s, t) => {
      const u = domain(4 * Math.min(a, b), 4 * Math.max(a, b))
      const v = domain(9 * Math.min(a, b), 9 * Math.max(a, b))
      const part = findIsotrim(BENT, u, v)
      if (u.end - u.start < 1e-6) return
      assert.ok(part)
      const [x, y] = [u.start + (u.end - u.start) * s, v.start + (v.end - v.start) * t]
      near(getSurfacePoint(part, x, y), getSurfacePoint(BENT, x, y), 1e-8)
    }),
  )
  assert.equal(findIsotrim(BENT, domain(5, 6), domain(0, 1)), undefined)
})

test('given a point beside a surface, then no sampled point is nearer than the closest one', () => {
  const sphere = createSphere(WORLD_XY, 3)
  fc.assert(
    fc.property(anyPoint, (target) => {
      for (const surface of [BENT, sphere]) {
        const { u, v } = findClosestOnSurface(surface, target)
        const gap = distance(getSurfacePoint(surface, u, v), target)
        const range = getSurfaceDomains(surface)
        for (let i = 0; i <= 20; i++) {
          for (let j = 0; j <= 20; j++) {
            const [x, y] = [
              range.u.start + ((range.u.end - range.u.start) * i) / 20,
              range.v.start + ((range.v.end - range.v.start) * j) / 20,
            ]
            assert.ok(gap <= distance(getSurfacePoint(surface, x, y), target) + 1e-9)
          }
        }
      }
      const { u, v } = findClosestOnSurface(sphere, target)
      assert.ok(
        Math.abs(distance(getSurfacePoint(sphere, u, v), target) - Math.abs(length(target) - 3)) < 1e-6,
      )
    }),
    { numRuns: 40 },
  )
})

test('given a point of a surface near a pole, then it is its own closest point', () => {
  const axis = [p(0, 0), p(0, 0, 1), domain(0, 2 * Math.PI)] as const
  const cone = revolve(toNurbs(line(p(0, 0, 0.3), p(4, 0))), ...axis)
  const sphere = createSphere(WORLD_XY, 3)
  const flattened = {
    ...sphere,
    points: sphere.points.map((row) => row.map(({ x, y, z }) => p(x, y * 0.2, z * 0.5))),
  }
  // Doubles are mostly tiny: integers spread the points around the pole.
  const thousandth = (max: number) => fc.integer({ min: 0, max }).map((n) => n / 1000)
  fc.assert(
    fc.property(thousandth(1000), thousandth(200), (s, t) => {
      for (const surface of [sphere, cone, flattened]) {
        const { u, v } = getSurfaceDomains(surface)
        for (const away of [t, 1 - t]) {
          const target = getSurfacePoint(
            surface,
            u.start + (u.end - u.start) * s,
            v.start + (v.end - v.start) * away,
          )
          const found = findClosestOnSurface(surface, target)
          near(getSurfacePoint(surface, found.u, found.v), target, 1e-6)
        }
      }
    }),
  )
  // From the pole, which is near, the way to the closest point has one direction.
  const { u, v } = findClosestOnSurface(flattened, p(-0.1169, -0.00398, 1.6347))
  assert.ok(distance(getSurfacePoint(flattened, u, v), p(-0.1169, -0.00398, 1.6347)) < 0.136)
})

test('given a direction, then a surface or curve reaches as far as its furthest point', () => {
  const sphere = createSphere(WORLD_XY, 3)
  const torus = revolve(
    toNurbs(arc({ ...WORLD_XY, origin: p(5, 0) }, 1, 0, 2 * Math.PI)),
    p(0, 0),
    p(0, 1),
    domain(0, 2 * Math.PI),
  )
  fc.assert(
    fc.property(anyPoint, (direction) => {
      const size = length(direction)
      if (size < 1e-3) return
      assert.ok(Math.abs(findMaximumAlong(sphere, direction) - 3 * size) < 1e-6 * size)
      const furthest = Math.max(
        ...Array.from({ length: 401 }, (_, i) => dot(evaluateNurbs(CUBIC, i / 100)[0]!, direction)),
      )
      const maximum = findCurveMaximumAlong(CUBIC, direction)
      assert.ok(maximum >= furthest - 1e-9 && maximum < furthest + 1e-2 * size)
    }),
    { numRuns: 40 },
  )
  assert.ok(Math.abs(findMaximumAlong(torus, p(1, 0)) - 6) < 1e-9)
  assert.ok(Math.abs(findMaximumAlong(torus, p(0, 1)) - 1) < 1e-9)
})

test('given two lines that cross over, then the ruled surface between them is the saddle of their corners', () => {
  const saddle = createRuledSurface(line(p(0, 0), p(1, 0, 1)), line(p(0, 1, 1), p(1, 1)))
  near(getSurfacePoint(saddle, 0.5, 0.5), p(0.5, 0.5, 0.5))
  near(getSurfacePoint(saddle, 0.25, 0.5), p(0.25, 0.5, 0.5))
  near(getSurfacePoint(saddle, 0.25, 1), p(0.25, 1, 0.75))
})

test('given a sine, then its integral over half a period is 2', () => {
  const [value = 0] = integrateFinely(1, 0, Math.PI, (t) => [Math.sin(t)], 1e-8)
  assert.ok(Math.abs(value - 2) < 1e-12)
})
