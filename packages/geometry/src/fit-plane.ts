import { FLAT, findPrincipalAxes } from './principal-axes.ts'
import { findPlaneFromNormal } from './values/planes.ts'
import type { Plane, Xyz } from './values/points.ts'
import { dot, scale, subtract } from './values/vector.ts'

/** A fitted plane, and the largest distance of a point from it. */
export interface PlaneFit {
  readonly plane: Plane
  readonly deviation: number
}

/**
 * The least-squares plane of points; undefined for collinear points. Its normal does not point down, and its
 * origin is the projection of the world origin.
 */
export function fitPlane(points: readonly Xyz[]): PlaneFit | undefined {
  if (points.length < 3) return undefined
  const { middle, axes } = findPrincipalAxes(points)
  const [least, between, most] = axes
  if (!least || !between || !most || between.spread <= FLAT * most.spread) return undefined
  const normal = least.axis.z < 0 ? scale(least.axis, -1) : least.axis
  const plane = findPlaneFromNormal(scale(normal, dot(normal, middle)), normal)
  const gaps = points.map((point) => Math.abs(dot(subtract(point, middle), normal)))
  return plane && { plane, deviation: gaps.reduce((widest, gap) => Math.max(widest, gap), 0) }
}
