import { getEnd, getStart } from '../curves/evaluate.ts'
import { reverseCurve } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { add, areEqual, interpolate, subtract } from '../values/vector.ts'
import { makeCompatible } from './compatible.ts'

/** Turns curves so that each starts where the one before ends, in an order of a loop; undefined if they form none. */
export function findLoop(curves: readonly Curve[], tolerance: number): Curve[] | undefined {
  const [first, ...rest] = curves
  if (!first) return undefined
  const loop = [first]
  while (rest.length > 0) {
    const end = getEnd(loop.at(-1) as Curve)
    const next = rest.findIndex((curve) =>
      [getStart(curve), getEnd(curve)].some((p) => areEqual(p, end, tolerance)),
    )
    const [curve] = next < 0 ? [] : rest.splice(next, 1)
    if (!curve) return undefined
    loop.push(areEqual(getStart(curve), end, tolerance) ? curve : reverseCurve(curve))
  }
  return areEqual(getEnd(loop.at(-1) as Curve), getStart(first), tolerance) ? loop : undefined
}

/**
 * The surface inside a loop of four curves, u along the first and v along the second; undefined for curves with weights.
 * Source: the bilinearly blended patch of Coons. A linear function has the Greville parameters as its control points, so
 * the control points of the patch are blended as its points are.
 */
export function findCoonsPatch(loop: readonly Curve[]): NurbsSurface | undefined {
  const [bottom, right, top, left] = loop.map((curve, i) => toNurbs(i < 2 ? curve : reverseCurve(curve)))
  if (!bottom || !right || !top || !left) return undefined
  if ([bottom, right, top, left].some(({ weights }) => weights?.some((weight) => weight !== weights[0])))
    return undefined
  const [low, high] = makeCompatible([bottom, top].map(withoutWeights)) as [NurbsCurve, NurbsCurve]
  const [near, far] = makeCompatible([left, right].map(withoutWeights)) as [NurbsCurve, NurbsCurve]
  const [us, vs] = [listGreville(low.knots, low.degree), listGreville(near.knots, near.degree)]
  const corner = (curve: NurbsCurve, index: number) => curve.points.at(index) as Xyz
  const points = us.map((u, i) =>
    vs.map((v, j) => {
      const acrossV = interpolate(corner(low, i), corner(high, i), v)
      const acrossU = interpolate(corner(near, j), corner(far, j), u)
      const bilinear = interpolate(
        interpolate(corner(low, 0), corner(low, -1), u),
        interpolate(corner(high, 0), corner(high, -1), u),
        v,
      )
      return subtract(add(acrossV, acrossU), bilinear)
    }),
  )
  const [degreeU, degreeV] = [low.degree, near.degree]
  return { type: 'nurbsSurface', degreeU, degreeV, points, knotsU: low.knots, knotsV: near.knots }
}

function withoutWeights({ weights: _, ...curve }: NurbsCurve): NurbsCurve {
  return curve
}

/** The parameter of each control point: the middle of the knots that it depends on. */
export function listGreville(knots: readonly number[], degree: number): number[] {
  return Array.from({ length: knots.length - degree + 1 }, (_, i) => {
    const own = knots.slice(i, i + degree)
    return own.reduce((sum, knot) => sum + knot, 0) / degree
  })
}
