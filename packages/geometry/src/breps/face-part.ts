import { findIsotrim } from '../surfaces/isotrim.ts'
import { findBoundsOfPoints } from '../values/bounding-box.ts'
import type { BrepFace } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { domain } from '../values/value.ts'

/**
 * The part of a face's surface over the rectangle of parameters around its outer loop, larger by `margin` of its size on
 * each side, as far as the surface goes. The whole surface for a face without loops.
 */
export function getFacePart({ surface, loops: [outer = []] }: BrepFace, margin = 0): NurbsSurface {
  const box = findBoundsOfPoints(
    outer.flatMap(({ curve }) => (curve.type === 'polyline' ? curve.vertices : curve.points)),
  )
  if (!box) return surface
  const { u, v } = getSurfaceDomains(surface)
  const [partU, partV] = (['x', 'y'] as const).map((axis) => {
    const grown = margin * (box.max[axis] - box.min[axis])
    return domain(box.min[axis] - grown, box.max[axis] + grown)
  }) as [ReturnType<typeof domain>, ReturnType<typeof domain>]
  const isWhole = partU.start <= u.start && partU.end >= u.end && partV.start <= v.start && partV.end >= v.end
  return isWhole ? surface : (findIsotrim(surface, partU, partV) ?? surface)
}
