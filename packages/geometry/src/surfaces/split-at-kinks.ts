import { findKinks } from '../curves/discontinuities.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { clampNurbs } from './compatible.ts'
import { getColumn } from './rows.ts'

/** Splits a surface along v at kinks in u. */
export function splitAtKinksInU(surface: NurbsSurface): NurbsSurface[] {
  const { degreeU, knotsU, points, weights } = surface
  const kinks = new Set((points[0] ?? []).flatMap((_, j) => findKinks(clampNurbs(getColumn(surface, j)))))
  const { u } = getSurfaceDomains(surface)
  const cuts = [u.start, ...[...kinks].sort((a, b) => a - b), u.end]
  return cuts.slice(1).map((to, i) => {
    const from = cuts[i] as number
    // A knot at a kink has full multiplicity, so a control point of each row is on the cut.
    const first = knotsU.lastIndexOf(from) - degreeU + 1
    const last = knotsU.indexOf(to)
    return {
      ...surface,
      points: points.slice(first, last + 1),
      ...(weights ? { weights: weights.slice(first, last + 1) } : {}),
      knotsU: knotsU.slice(first, last + degreeU),
    }
  })
}
