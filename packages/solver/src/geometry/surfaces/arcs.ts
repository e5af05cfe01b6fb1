import type { NurbsCurve } from '../../values/curves.ts'
import type { NurbsSurface } from '../../values/nurbs-surface.ts'
import type { Curve } from '../../values/value.ts'
import type { SurfaceParameter } from './closest-point.ts'

/**
 * A surface of revolution or along an arc, as Rhino has it: there the parameter is the angle all along, while in its
 * NURBS form it is so at knots only. `arcs` tells the angle of each knot span along u and v. Kinds that show
 * parameters translate; all else works on the NURBS form and may forget it.
 */
export interface ArcSurface extends NurbsSurface {
  readonly arcs?: { readonly u?: number; readonly v?: number }
}

/** The angle of each knot span of a curve that is one arc or circle in its NURBS form. */
export function findSpanAngle(curve: Curve, nurbs: NurbsCurve): number | undefined {
  if (curve.type !== 'arc' && curve.type !== 'circle') return undefined
  const angle = curve.type === 'arc' ? curve.endAngle - curve.startAngle : 2 * Math.PI
  return (2 * angle) / (nurbs.points.length - 1)
}

/** From the parameters that are shown to those of the NURBS form. */
export function toKnots(surface: NurbsSurface, { u, v }: SurfaceParameter): SurfaceParameter {
  const { arcs } = surface as ArcSurface
  return {
    u: arcs?.u ? mapInSpan(surface.knotsU, u, (t) => toSpanParameter(t, arcs.u as number)) : u,
    v: arcs?.v ? mapInSpan(surface.knotsV, v, (t) => toSpanParameter(t, arcs.v as number)) : v,
  }
}

/** From the parameters of the NURBS form to those that are shown. */
export function fromKnots(surface: NurbsSurface, { u, v }: SurfaceParameter): SurfaceParameter {
  const { arcs } = surface as ArcSurface
  return {
    u: arcs?.u ? mapInSpan(surface.knotsU, u, (t) => fromSpanParameter(t, arcs.u as number)) : u,
    v: arcs?.v ? mapInSpan(surface.knotsV, v, (t) => fromSpanParameter(t, arcs.v as number)) : v,
  }
}

function locateInSpan(knots: readonly number[], t: number): { from: number; to: number; ratio: number } {
  let from = knots[0] as number
  let to = knots.at(-1) as number
  for (const knot of knots) {
    if (knot <= t) from = knot
    if (knot > t) {
      to = knot
      break
    }
  }
  if (from >= to) from = knots.findLast((knot) => knot < to) ?? to - 1
  return { from, to, ratio: (t - from) / (to - from) }
}

function mapInSpan(knots: readonly number[], t: number, map: (ratio: number) => number): number {
  const { from, to, ratio } = locateInSpan(knots, t)
  return ratio <= 0 || ratio >= 1 ? t : from + (to - from) * map(ratio)
}

/**
 * The share of the span's parameter at a share of its angle. An arc's rational quadratic passes the angle a at
 * s / (1 - s) = sin(a / 2) / sin((whole - a) / 2).
 */
function toSpanParameter(t: number, angle: number): number {
  const [before, after] = [Math.sin((angle * t) / 2), Math.sin((angle * (1 - t)) / 2)]
  return before / (before + after)
}

function fromSpanParameter(t: number, angle: number): number {
  const half = angle / 2
  return (2 * Math.atan2(t * Math.sin(half), 1 - t + t * Math.cos(half))) / angle
}
