import { toNurbs } from '../curves/to-nurbs.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, type Domain, domain } from '../values/value.ts'
import { add, distance, length } from '../values/vector.ts'
import { type ArcSurface, findSpanAngle } from './arcs.ts'
import { clampNurbs, makeCompatible } from './compatible.ts'

/** The surface swept by a curve along a vector: u along the curve, v along the vector, by its length. */
export function createExtrusion(curve: Curve, direction: Xyz): ArcSurface {
  const rail = clampNurbs(toNurbs(curve))
  const moved = { ...rail, points: rail.points.map((point) => add(point, direction)) }
  const arc = findSpanAngle(curve, rail)
  return { ...createBetween(rail, moved, domain(0, length(direction))), ...(arc ? { arcs: { u: arc } } : {}) }
}

/** The ruled surface between two curves at equal normalised parameters; u along the curves, v from 0 to 1. */
export function createRuledSurface(one: Curve, other: Curve): NurbsSurface {
  const [a, b] = makeCompatible([toNurbs(one), toNurbs(other)])
  return createBetween(a as NurbsCurve, b as NurbsCurve, domain(0, 1))
}

/** The ruled surface between two compatible curves. */
export function createBetween(one: NurbsCurve, other: NurbsCurve, { start, end }: Domain): NurbsSurface {
  const weights = one.weights || other.weights
  return {
    type: 'nurbsSurface',
    degreeU: one.degree,
    degreeV: 1,
    points: one.points.map((point, i) => [point, other.points[i] as Xyz]),
    ...(weights
      ? { weights: one.points.map((_, i) => [one.weights?.[i] ?? 1, other.weights?.[i] ?? 1]) }
      : {}),
    knotsU: one.knots,
    knotsV: [start, end],
  }
}

/**
 * The bilinear surface of four corners, A to B along u and A to D along v; each domain is from 0 to the longer
 * of both sides. A triangle repeats its third corner.
 */
export function createCornerSurface(a: Xyz, b: Xyz, c: Xyz, d: Xyz): NurbsSurface {
  return {
    type: 'nurbsSurface',
    degreeU: 1,
    degreeV: 1,
    points: [
      [a, d],
      [b, c],
    ],
    knotsU: [0, Math.max(distance(a, b), distance(d, c))],
    knotsV: [0, Math.max(distance(a, d), distance(b, c))],
  }
}
