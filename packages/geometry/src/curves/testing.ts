import fc from 'fast-check'
import { arc, circle, line, type NurbsCurve, polyline } from '../values/curves.ts'
import { findPlaneFromNormal, WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { add, subtract } from '../values/vector.ts'
import { getEnd, getStart } from './evaluate.ts'
import { interpolatePoints } from './interpolate-points.ts'
import { createClampedKnots } from './knots.ts'
import { createPolyCurve } from './split.ts'

/** A point by its coordinates. */
export const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })

const number = fc.integer({ min: -40, max: 40 }).map((n) => n / 4)
const anyPoint = fc.record({ x: number, y: number, z: number })
const distinct = (min: number, max: number) =>
  fc.uniqueArray(anyPoint, { minLength: min, maxLength: max, selector: ({ x, y, z }) => `${x} ${y} ${z}` })

const nurbs = fc
  .tuple(
    distinct(4, 8),
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([points, degree, weights]): NurbsCurve => {
    const own = weights.slice(0, points.length)
    return {
      type: 'nurbsCurve',
      degree,
      points,
      weights: own,
      knots: createClampedKnots(points.length, degree),
    }
  })

const arcs = fc
  .tuple(
    distinct(2, 2),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: -6, max: 6 }),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([[origin, normal], radius, from, size]) => {
    const plane = findPlaneFromNormal(origin as Xyz, normal as Xyz) ?? WORLD_XY
    return arc(plane, radius / 2, from / 2, (from + size) / 2)
  })

const open: fc.Arbitrary<Curve> = fc.oneof(
  distinct(2, 2).map(([from, to]) => line(from as Xyz, to as Xyz)),
  distinct(2, 6).map((vertices) => polyline(vertices)),
  distinct(3, 6).map((points) => interpolatePoints(points)),
  arcs,
  nurbs,
)

/** Curves end to end: each is moved to where the one before it ends. */
function chain(curves: readonly Curve[]): Curve {
  const moved: Curve[] = []
  for (const curve of curves) {
    const last = moved.at(-1)
    moved.push(last ? move(curve, subtract(getEnd(last), getStart(curve))) : curve)
  }
  return createPolyCurve(moved)
}

function move(curve: Curve, by: Xyz): Curve {
  switch (curve.type) {
    case 'line':
      return line(add(curve.from, by), add(curve.to, by))
    case 'polyline':
      return polyline(curve.vertices.map((vertex) => add(vertex, by)))
    case 'nurbsCurve':
      return { ...curve, points: curve.points.map((point) => add(point, by)) }
    case 'arc':
      return { ...curve, plane: { ...curve.plane, origin: add(curve.plane.origin, by) } }
    default:
      return curve
  }
}

/** Curves of every kind. */
export const anyCurve: fc.Arbitrary<Curve> = fc.oneof(
  open,
  fc.integer({ min: 1, max: 20 }).map((radius) => circle(WORLD_XY, radius / 2)),
  fc.array(open, { minLength: 1, maxLength: 3 }).map(chain),
)
