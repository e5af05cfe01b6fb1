import { checkpoint } from '../budget/budget.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { findLineHits } from '../surfaces/line-hits.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, findUnit, subtract } from '../values/vector.ts'
import { findClosestOnBrep } from './closest-on-brep.ts'

/** A point of a face on a line. */
export interface BrepHit {
  readonly point: Xyz
  readonly face: number
  readonly u: number
  readonly v: number
  readonly isOnEdge: boolean
}

/** The points of faces on an infinite line, face by face. Undefined where the line touches a face or lies on it. */
export function findBrepHits(
  brep: Brep,
  from: Xyz,
  direction: Xyz,
  tolerance: number,
): BrepHit[] | undefined {
  const hits: BrepHit[] = []
  for (const [index, face] of brep.faces.entries()) {
    const found = findLineHits(face.surface, from, direction, tolerance)
    if (!found || found.some(({ isTouch }) => isTouch)) return undefined
    for (const { point, u, v } of found) {
      checkpoint()
      const position = locateOnFace(face, { x: u, y: v, z: 0 }, point, brep, tolerance)
      if (position !== 'outside') hits.push({ point, face: index, u, v, isOnEdge: position === 'edge' })
    }
  }
  return hits
}

/** Determines where a parameter of a face, and the point there, are in relation to its border. */
export function locateOnFace(
  { surface, loops }: BrepFace,
  parameter: Xyz,
  point: Xyz,
  brep: Brep,
  tolerance: number,
): 'inside' | 'edge' | 'outside' {
  const edges = loops
    .flat()
    .flatMap(({ edge }) => (edge === undefined ? [] : [brep.edges[edge]?.curve as Curve]))
  const isOnEdge = edges.some((edge) => (findClosestPoint(edge, point)?.distance ?? Infinity) <= tolerance)
  if (isOnEdge) return 'edge'
  const { u, v } = getSurfaceDomains(surface)
  const slack = 1e-9 * (u.end - u.start + v.end - v.start)
  const outlines = loops.map(
    (loop): Curve => ({ type: 'polyCurve', segments: loop.map(({ curve }) => curve) }),
  )
  // A pole and a seam have no edge in space, so the outline on the surface is checked too.
  if (outlines.some((outline) => (findClosestPoint(outline, parameter)?.distance ?? Infinity) <= slack))
    return 'edge'
  const turns = outlines.reduce((sum, outline) => sum + getWindingNumber(outline, WORLD_XY, parameter), 0)
  return turns === 0 ? 'outside' : 'inside'
}

/** Directions that are parallel to no face that was drawn with whole numbers. */
const DIRECTIONS: readonly Xyz[] = [
  { x: 0.5773, y: 0.6317, z: 0.5173 },
  { x: -0.3719, y: 0.2817, z: 0.8841 },
  { x: 0.8123, y: -0.5419, z: 0.2153 },
  { x: -0.1937, y: -0.9341, z: 0.2997 },
  { x: 0.4127, y: 0.3391, z: -0.8453 },
  { x: -0.7151, y: -0.4703, z: -0.5171 },
  { x: 0.0913, y: 0.7717, z: -0.6293 },
  { x: 0.9371, y: 0.1279, z: 0.3249 },
]

/**
 * Determines where a point is in relation to a closed brep, from how often rays leave it. Undefined if all rays that
 * are tried touch a face or pass an edge.
 */
export function locateInBrep(
  brep: Brep,
  point: Xyz,
  tolerance: number,
): 'inside' | 'on' | 'outside' | undefined {
  const closest = findClosestOnBrep(brep, point)
  if (closest && closest.distance <= tolerance) return 'on'
  for (const direction of DIRECTIONS) {
    const along = findUnit(direction) as Xyz
    const hits = findBrepHits(brep, point, along, tolerance)?.filter(
      (hit) => dot(subtract(hit.point, point), along) > 0,
    )
    if (!hits || hits.some(({ isOnEdge }) => isOnEdge)) continue
    return hits.length % 2 === 1 ? 'inside' : 'outside'
  }
  return undefined
}

/** Leaves out hits of other faces at the same place. */
export function withoutRepeats(hits: readonly BrepHit[], tolerance: number): BrepHit[] {
  return hits.filter((hit, i) => {
    checkpoint(i)
    return !hits.slice(0, i).some((other) => distance(other.point, hit.point) <= tolerance)
  })
}
