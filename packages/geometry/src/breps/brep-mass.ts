import { getSurfacePoint, touchSurface } from '../surfaces/evaluate-surface.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { WORLD_XY } from '../values/planes.ts'
import { cross, length, ORIGIN, scale } from '../values/vector.ts'
import { integrateFace, isParallelogram } from './face-integrals.ts'
import { addMasses, type Mass } from './mass.ts'
import { integrateRegion } from './region.ts'

/** The area of all faces and its first moment. */
export function getBrepArea({ faces }: Brep): Mass {
  return addMasses(
    faces.map((face) => {
      if (isParallelogram(face.surface)) return getFlatArea(face)
      const [size = 0, x = 0, y = 0, z = 0] = integrateFace(face, 4, (point, area) => {
        const t = length(area)
        return [t, t * point.x, t * point.y, t * point.z]
      })
      return { size, moment: { x, y, z } }
    }),
  )
}

/** A parallelogram maps its parameter plane linearly. */
function getFlatArea({ surface, loops }: BrepFace): Mass {
  const trims = loops.flatMap((loop) => loop.map(({ curve }) => curve))
  const { area, momentX, momentY } = integrateRegion(trims, WORLD_XY)
  const { u, v } = getSurfaceDomains(surface)
  const { du, dv } = touchSurface(surface, u.start, v.start)
  const size = area * length(cross(du, dv))
  const middle = area === 0 ? ORIGIN : getSurfacePoint(surface, momentX / area, momentY / area)
  return { size, moment: scale(middle, size) }
}

/**
 * The volume enclosed by the faces; meaningless for an open brep. Positive when the normals point outwards.
 * Source: the divergence theorem.
 */
export function getBrepVolume({ faces, vertices }: Brep): Mass {
  // Points are relative to one of the brep, to keep precision far from the origin.
  const { x: x0, y: y0, z: z0 } = vertices[0] ?? { x: 0, y: 0, z: 0 }
  const parts = faces.map((face) => {
    const [size = 0, x = 0, y = 0, z = 0] = integrateFace(face, 4, (point, area) => {
      const [px, py, pz] = [point.x - x0, point.y - y0, point.z - z0]
      const flow = (px * area.x + py * area.y + pz * area.z) / 3
      return [flow, (px * px * area.x) / 2, (py * py * area.y) / 2, (pz * pz * area.z) / 2]
    })
    const sign = face.isReversed ? -1 : 1
    return { size: sign * size, moment: { x: sign * x, y: sign * y, z: sign * z } }
  })
  const { size, moment } = addMasses(parts)
  return { size, moment: { x: moment.x + size * x0, y: moment.y + size * y0, z: moment.z + size * z0 } }
}
