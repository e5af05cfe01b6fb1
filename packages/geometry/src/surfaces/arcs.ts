import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Curve } from '../values/value.ts'
import type { SurfaceParameter } from './closest-point.ts'

/**
 * A surface of revolution or along an arc, as in Rhino: its parameter is the angle, while in its NURBS form the
 * two agree at knots only. `arcs` holds the angle of the knot spans along u and v. Kinds that expose parameters
 * convert them; all other code works on the NURBS form and may drop `arcs`.
 */
export interface ArcSurface extends NurbsSurface {
  readonly arcs?: { readonly u?: number; readonly v?: number }
}

/** The angle of the knot spans of an arc or circle in NURBS form. */
export function findSpanAngle(curve: Curve, nurbs: NurbsCurve): number | undefined {
  if (curve.type !== 'arc' && curve.type !== 'circle') return undefined
  const angle = curve.type === 'arc' ? curve.endAngle - curve.startAngle : 2 * Math.PI
  return (2 * angle) / (nurbs.points.length - 1)
}

/** Converts exposed parameters to those of the NURBS form. */
export function toKnots(surface: NurbsSurface, { u, v }: SurfaceParameter): SurfaceParameter {
  const { arcs } = surface as ArcSurface
  return {
    u: arcs?.u ? mapInSpan(surface.knotsU, u, (t) => toSpanParameter(t, arcs.u as number)) : u,
    v: arcs?.v ? mapInSpan(surface.knotsV, v, (t) => toSpanParameter(t, arcs.v as number)) : v,
  }
}

/** Converts parameters of the NURBS form to exposed ones. */
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
 * The normalised NURBS parameter of a span at a normalised angle. The rational quadratic of an arc has the
 * angle a at s / (1 - s) = sin(a / 2) / sin((whole - a) / 2).
 */
function toSpanParameter(t: number, angle: number): number {
  const [before, after] = [Math.sin((angle * t) / 2), Math.sin((angle * (1 - t)) / 2)]
  return before / (before + after)
}

function fromSpanParameter(t: number, angle: number): number {
  const half = angle / 2
  return (2 * Math.atan2(t * Math.sin(half), 1 - t + t * Math.cos(half))) / angle
}
