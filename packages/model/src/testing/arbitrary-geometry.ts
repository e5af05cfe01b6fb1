import type { NurbsCurve } from '@meadow/geometry/values/curves'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Curve, Domain, Geometry } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { xyz } from '../geometry/xyz.ts'
import { box, net, plateWithHole } from './geometries.ts'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)
const positive = fc.double({ min: 1e-3, max: 1e4, noNaN: true })
const anyPoint = fc.tuple(number, number, number).map(([x, y, z]) => xyz(x, y, z))

const domain = fc
  .tuple(fc.double({ min: -1e3, max: 1e3, noNaN: true }), positive)
  .map(([start, size]): Domain => ({ type: 'domain', start: start + 0, end: start + size }))

/** Turned around the world's z axis, then tilted around its own x axis. */
const plane = fc
  .tuple(anyPoint, fc.double({ min: 0, max: 6, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true }))
  .map(([origin, angle, tilt]): Plane => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const [ct, st] = [Math.cos(tilt), Math.sin(tilt)]
    return {
      type: 'plane',
      origin,
      xAxis: xyz(c, s, 0),
      yAxis: xyz(-s * ct, c * ct, st),
      zAxis: xyz(s * st, -c * st, ct),
    }
  })

/** One after the other, each some way further, so that no two meet. */
function path(minLength: number, maxLength: number): fc.Arbitrary<Xyz[]> {
  return fc.array(fc.tuple(positive, number, number), { minLength, maxLength }).map((steps) => {
    let x = 0
    return steps.map(([step, y, z]) => {
      x += step
      return xyz(x, y, z)
    })
  })
}

/** Clamped, with inner knots one apart. */
function clampedKnots(count: number, degree: number): number[] {
  const last = count - degree
  return Array.from({ length: count + degree - 1 }, (_, i) => Math.min(last, Math.max(0, i - degree + 1)))
}

const nurbsCurve = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    path(5, 12),
    fc.option(fc.array(positive, { minLength: 12, maxLength: 12 })),
  )
  .map(
    ([degree, points, weights]): NurbsCurve => ({
      type: 'nurbsCurve',
      degree,
      points,
      ...(weights && { weights: points.map((_, i) => 2 ** Math.round(Math.log2(weights[i]!) % 3)) }),
      knots: clampedKnots(points.length, degree),
    }),
  )
  .map((curve) => (curve.weights?.every((weight) => weight === 1) ? withoutWeights(curve) : curve))

function withoutWeights({ weights: _, ...rest }: NurbsCurve): NurbsCurve {
  return rest
}

const simpleCurve: fc.Arbitrary<Curve> = fc.oneof(
  path(2, 2).map(([from, to]): Curve => ({ type: 'line', from: from!, to: to! })),
  path(2, 20).map((vertices): Curve => ({ type: 'polyline', vertices })),
  fc.tuple(plane, positive).map(([on, radius]): Curve => ({ type: 'circle', plane: on, radius })),
  fc
    .tuple(
      plane,
      positive,
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    )
    .map(
      ([on, radius, startAngle, sweep]): Curve => ({
        type: 'arc',
        plane: on,
        radius,
        startAngle,
        endAngle: startAngle + sweep,
      }),
    ),
  nurbsCurve,
)

const curve: fc.Arbitrary<Curve> = fc.oneof(
  simpleCurve,
  fc
    .tuple(simpleCurve, domain)
    .map(([on, over]) => (on.type === 'nurbsCurve' ? on : { ...on, domain: over })),
)

const surface = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 4, max: 6 }),
    fc.integer({ min: 4, max: 6 }),
  )
  .map(
    ([degreeU, degreeV, countU, countV]): NurbsSurface => ({
      type: 'nurbsSurface',
      degreeU,
      degreeV,
      points: Array.from({ length: countU }, (_, i) =>
        Array.from({ length: countV }, (_, j) => xyz(i, j, Math.sin(3 * i + j))),
      ),
      knotsU: clampedKnots(countU, degreeU),
      knotsV: clampedKnots(countV, degreeV),
    }),
  )

/** Valid geometry that comes back from its openNURBS object as it was. */
export const arbitraryGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  anyPoint.map((at): Geometry => ({ type: 'point', ...at })),
  curve,
  surface,
  fc.integer({ min: 2, max: 12 }).map(net),
  fc.constant(plateWithHole()),
)

/** The same, and boxes, which come back as breps. */
export const arbitraryObject: fc.Arbitrary<Geometry> = fc.oneof(
  arbitraryGeometry,
  fc.tuple(positive, positive, positive).map(([x, y, z]) => box(x, y, z)),
)
