import type { NurbsCurve } from '../../values/curves.ts'
import type { Xyz } from '../../values/points.ts'

/** A NURBS curve as plain numbers, made once per curve, since it is evaluated very often. */
export interface FlatNurbs {
  readonly degree: number
  readonly knots: Float64Array
  /** Four for each control point: its place times its weight, and the weight. */
  readonly points: Float64Array
  readonly isRational: boolean
}

const KNOWN = new WeakMap<NurbsCurve, FlatNurbs>()

export function flatten(curve: NurbsCurve): FlatNurbs {
  let flat = KNOWN.get(curve)
  if (!flat) {
    const points = new Float64Array(4 * curve.points.length)
    for (let i = 0; i < curve.points.length; i++) {
      const { x, y, z } = curve.points[i] as Xyz
      const weight = curve.weights?.[i] ?? 1
      points[4 * i] = x * weight
      points[4 * i + 1] = y * weight
      points[4 * i + 2] = z * weight
      points[4 * i + 3] = weight
    }
    const isRational = curve.weights !== undefined
    flat = { degree: curve.degree, knots: Float64Array.from(curve.knots), points, isRational }
    KNOWN.set(curve, flat)
  }
  return flat
}
