import { findClosestPoint } from '../curves/closest-point.ts'
import { findTangent } from '../curves/evaluate.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { findClosestOnSurface, type SurfaceParameter } from '../surfaces/closest-point.ts'
import { findNormalAt, getSurfacePoint } from '../surfaces/evaluate-surface.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, scale } from '../values/vector.ts'

export interface BrepPoint {
  readonly point: Xyz
  readonly distance: number
  /**
   * The outward normal inside a face, the direction of the edge on an edge; undefined if it is degenerate.
   */
  readonly direction: Xyz | undefined
}

/** The closest point of a brep, inside a face or on an edge. Undefined for a brep without faces. */
export function findClosestOnBrep(brep: Brep, target: Xyz): BrepPoint | undefined {
  let best: BrepPoint | undefined
  const take = (candidate: BrepPoint | undefined) => {
    if (!candidate) return
    if (!best || candidate.distance < best.distance - SAME * (1 + candidate.distance)) best = candidate
  }
  // A point of both a face and its edge counts as a point of the edge.
  for (const { curve } of brep.edges) take(findOnEdge(curve, target))
  for (const face of brep.faces) take(findInside(face, target))
  return best
}

/** Distances with a smaller difference are equal. */
const SAME = 1e-9

/**
 * Finds the closest point inside a face. Undefined where the closest point of the untrimmed surface is outside the
 * face: then an edge is closer.
 */
function findInside(face: BrepFace, target: Xyz): BrepPoint | undefined {
  const { u, v } = findClosestOnSurface(face.surface, target)
  if (!isInside(face, { u, v })) return undefined
  const point = getSurfacePoint(face.surface, u, v)
  const normal = findNormalAt(face.surface, u, v)
  const direction = normal && (face.isReversed ? scale(normal, -1) : normal)
  return { point: point, distance: distance(point, target), direction }
}

/** Returns whether the winding numbers of the outer loop and the holes do not cancel out, as inside a face. */
function isInside({ loops }: BrepFace, { u, v }: SurfaceParameter): boolean {
  const turns = loops.reduce((sum, loop) => {
    const outline: Curve = { type: 'polyCurve', segments: loop.map(({ curve }) => curve) }
    return sum + getWindingNumber(outline, WORLD_XY, { x: u, y: v, z: 0 })
  }, 0)
  return turns > 0
}

function findOnEdge(curve: Curve, target: Xyz): BrepPoint | undefined {
  const found = findClosestPoint(curve, target)
  return (
    found && {
      point: found.point,
      distance: found.distance,
      direction: findTangent(curve, found.parameter),
    }
  )
}
