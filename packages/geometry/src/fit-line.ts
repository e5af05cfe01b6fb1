import { FLAT, findPrincipalAxes } from './principal-axes.ts'
import { type Line, line } from './values/curves.ts'
import type { Xyz } from './values/points.ts'
import { addScaled, dot, scale, subtract } from './values/vector.ts'

/** A fitted line. `hasDirection` is false where it is a matter of convention which end is its start. */
export interface LineFit {
  readonly line: Line
  readonly hasDirection: boolean
}

/**
 * The least-squares line of points, between their outermost projections. It runs along its largest component.
 * Undefined for points in one place, `'round'` for points that spread equally in two directions.
 */
export function fitLine(points: readonly Xyz[]): LineFit | 'round' | undefined {
  const { middle, axes } = findPrincipalAxes(points)
  const [, between, most] = axes
  if (!between || !most || !(most.spread > 0)) return undefined
  if (most.spread - between.spread <= FLAT * most.spread) return 'round'
  const { axis } = most
  const [second = 0, first = 0] = [axis.x, axis.y, axis.z]
    .toSorted((a, b) => Math.abs(a) - Math.abs(b))
    .slice(1)
  const along = first < 0 ? scale(axis, -1) : axis
  let [start, end] = [Infinity, -Infinity]
  for (const point of points) {
    const t = dot(subtract(point, middle), along)
    start = Math.min(start, t)
    end = Math.max(end, t)
  }
  return {
    line: line(addScaled(middle, along, start), addScaled(middle, along, end)),
    hasDirection: first * second > 0 || Math.abs(first) - Math.abs(second) > SAME,
  }
}

/** Components of a unit vector are of equal size within this tolerance. */
const SAME = 1e-9
