import { checkpoint } from '../budget/budget.ts'
import { findCrossings } from '../curve-intersection/intersect-curves.ts'
import { findNormalAt } from '../surfaces/evaluate-surface.ts'
import type { Brep } from '../values/brep.ts'
import { isCurve } from '../values/curves.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import type { Geometry } from '../values/value.ts'
import { distance, dot, scale, subtract } from '../values/vector.ts'
import { findBrepHits, locateInBrep } from './brep-hits.ts'
import { listStraightEdges, type Segment } from './segments-in-brep.ts'
import { toBrep } from './to-brep.ts'

/** Whether the boundaries of two shapes cross, or the shapes are apart. */
export type Contact = 'crossing' | 'apart'

/**
 * The contact of two curves, or of two closed breps with flat faces and straight edges. Undefined for other shapes, for
 * breps that only touch, and for one inside the other.
 */
export function findContact(a: Geometry, b: Geometry, tolerance: number): Contact | undefined {
  if (isCurve(a) && isCurve(b)) {
    const crossings = findCrossings(a, b, tolerance)
    return crossings && (crossings.length > 0 ? 'crossing' : 'apart')
  }
  const [one, other] = [toBrep(a), toBrep(b)]
  if (!one || !other || !isClosedBrep(one) || !isClosedBrep(other)) return undefined
  const [ours, theirs] = [listStraightEdges(one), listStraightEdges(other)]
  if (!ours || !theirs) return undefined
  const relations = [pierce(ours, other, tolerance), pierce(theirs, one, tolerance)]
  if (relations.includes('through')) return 'crossing'
  if (relations.includes('unclear')) return undefined
  const isOutside = ([segment]: readonly Segment[], brep: Brep) =>
    segment !== undefined && locateInBrep(brep, segment[0], tolerance) === 'outside'
  return isOutside(ours, other) && isOutside(theirs, one) ? 'apart' : undefined
}

/** Whether segments pass through a face of a brep, with both ends further from it than the tolerance. */
function pierce(segments: readonly Segment[], brep: Brep, tolerance: number): 'through' | 'unclear' | 'none' {
  let isUnclear = false
  for (const [from, to] of segments) {
    checkpoint(brep.faces.length)
    const size = distance(from, to)
    if (size <= tolerance) continue
    const along = scale(subtract(to, from), 1 / size)
    const hits = findBrepHits(brep, from, along, tolerance)
    if (!hits) isUnclear = true
    for (const { point, face, u, v, isOnEdge } of hits ?? []) {
      const reached = dot(subtract(point, from), along)
      if (reached < -tolerance || reached > size + tolerance) continue
      const surface = brep.faces[face]?.surface
      const normal = surface && findNormalAt(surface, u, v)
      const depth = normal ? Math.min(reached, size - reached) * Math.abs(dot(along, normal)) : 0
      if (depth > tolerance && !isOnEdge) return 'through'
      isUnclear = true
    }
  }
  return isUnclear ? 'unclear' : 'none'
}
