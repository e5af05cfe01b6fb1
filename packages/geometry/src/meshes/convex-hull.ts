import { checkpoint } from '../budget/budget.ts'
import { sortWithoutRepeats } from './delaunay.ts'
import { createPredicates, type Xy } from './predicates.ts'

/**
 * The convex hull of points in a plane by index: counter-clockwise from the point with the largest x, and of these the
 * smallest y. Points on an edge are left out, and of points in one place all but the first. Empty for points on one line.
 * Coordinates must be finite.
 * Source: Andrew's monotone chain.
 */
export function findConvexHull(points: readonly Xy[]): number[] {
  const predicates = createPredicates(points)
  const { orient } = predicates
  const order = sortWithoutRepeats(points.length, predicates)
  const walk = (along: readonly number[]) => {
    const chain: number[] = []
    for (const index of along) {
      checkpoint()
      while (chain.length > 1 && orient(chain.at(-2)!, chain.at(-1)!, index) <= 0) chain.pop()
      chain.push(index)
    }
    return chain.slice(0, -1)
  }
  const [lower, upper] = [walk(order), walk(order.toReversed())]
  const hull = [...upper, ...lower]
  if (hull.length < 3) return []
  // The upper chain starts with the largest y of those with the largest x; the others end the lower one.
  const largest = points[hull[0]!]!.x
  const last = hull.at(-1)!
  return points[last]!.x === largest ? [last, ...hull.slice(0, -1)] : hull
}
