import { trimNurbs } from '../curves/knots.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Domain } from '../values/value.ts'
import { fromKnots, toKnots } from './arcs.ts'
import type { SurfaceParameter } from './closest-point.ts'
import { clampNurbs } from './compatible.ts'
import { fromRows, getRow, transpose } from './rows.ts'

/** The part of a surface over a subdomain, which must be inside the domain; undefined for an empty part. */
export function findIsotrim(surface: NurbsSurface, u: Domain, v: Domain): NurbsSurface | undefined {
  const whole = getSurfaceDomains(surface)
  const [rangeU, rangeV] = [findPart(u, whole.u), findPart(v, whole.v)]
  if (!rangeU || !rangeV) return undefined
  const [from, to] = [0, 1].map((end) =>
    toKnots(surface, { u: rangeU[end] as number, v: rangeV[end] as number }),
  ) as [SurfaceParameter, SurfaceParameter]
  const part = transpose(trimInV(transpose(trimInV(surface, [from.v, to.v])), [from.u, to.u]))
  // The spans of arcs are independent, so knots can be placed at the exposed parameters.
  return {
    ...part,
    knotsU: part.knotsU.map((knot) => fromKnots(surface, { u: knot, v: from.v }).u),
    knotsV: part.knotsV.map((knot) => fromKnots(surface, { u: from.u, v: knot }).v),
  }
}

/** Clamps a surface: its border consists of control points. */
export function clampSurface(surface: NurbsSurface): NurbsSurface {
  return transpose(mapRows(transpose(mapRows(surface, clampNurbs)), clampNurbs))
}

function trimInV(surface: NurbsSurface, [from, to]: readonly [number, number]): NurbsSurface {
  return mapRows(surface, (row) => trimNurbs(row, from, to))
}

/** Changes all rows and their common knots; the knots along u stay. */
function mapRows(surface: NurbsSurface, change: (row: NurbsCurve) => NurbsCurve): NurbsSurface {
  const rows = surface.points.map((_, i) => change(getRow(surface, i)))
  return fromRows(rows, surface.degreeU, surface.knotsU)
}

function findPart(part: Domain, whole: Domain): readonly [number, number] | undefined {
  const slack = 1e-12 * (whole.end - whole.start)
  const near = (value: number) => {
    if (Math.abs(value - whole.start) <= slack) return whole.start
    return Math.abs(value - whole.end) <= slack ? whole.end : value
  }
  const from = Math.max(near(Math.min(part.start, part.end)), whole.start)
  const to = Math.min(near(Math.max(part.start, part.end)), whole.end)
  return to - from > slack ? [from, to] : undefined
}
