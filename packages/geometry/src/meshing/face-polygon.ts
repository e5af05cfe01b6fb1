import { sampleCurve } from '../curves/sample-curve.ts'
import type { BrepFace, BrepLoop } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { areaOf, type Flat } from './triangulate-polygon.ts'

/** The sampled trims of a loop, without the end point of each, which is the start of the next. */
export const toPolygon = (loop: BrepLoop, turn?: number): Flat[] =>
  dropRepeated(
    loop.flatMap(({ curve }) =>
      sampleCurve(curve, turn)
        .slice(0, -1)
        .map(({ x, y }) => ({ x, y })),
    ),
  )

const dropRepeated = (polygon: readonly Flat[]): Flat[] =>
  polygon.filter(({ x, y }, i) => {
    const before = polygon[(i + polygon.length - 1) % polygon.length]!
    return x !== before.x || y !== before.y
  })

/** Whether the loops of a face leave out nothing of its surface. */
export function isUntrimmed({ surface, loops }: BrepFace): boolean {
  const [outer, ...holes] = loops
  return !outer || (holes.length === 0 && isWhole(surface, toPolygon(outer)))
}

/** Whether the polygon is the border of the whole surface. */
export function isWhole(surface: NurbsSurface, polygon: readonly Flat[]): boolean {
  const { u, v } = getSurfaceDomains(surface)
  const whole = 2 * (u.end - u.start) * (v.end - v.start)
  return Math.abs(Math.abs(areaOf(polygon)) - whole) <= 1e-6 * whole
}
