import { getSurfaceDomains } from '../../values/curve-domain.ts'
import type { NurbsSurface } from '../../values/nurbs-surface.ts'
import { findKinks } from '../curves/discontinuities.ts'
import { clampNurbs } from './compatible.ts'
import { getColumn } from './rows.ts'

/** A surface as its parts between the lines along v at which it has a kink all along, or somewhere. */
export function splitAtKinksInU(surface: NurbsSurface): NurbsSurface[] {
  const { degreeU, knotsU, points, weights } = surface
  const kinks = new Set((points[0] ?? []).flatMap((_, j) => findKinks(clampNurbs(getColumn(surface, j)))))
  const { u } = getSurfaceDomains(surface)
  const cuts = [u.start, ...[...kinks].sort((a, b) => a - b), u.end]
  return cuts.slice(1).map((to, i) => {
    const from = cuts[i] as number
    // At a kink a knot is there as often as the degree says, so a control point of each row lies on the cut.
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
