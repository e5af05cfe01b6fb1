import { checkpoint } from '../budget/budget.ts'
import type { Domain } from '../values/value.ts'
import { findConvexHull } from './convex-hull.ts'
import type { Triangle } from './delaunay.ts'
import type { Xy } from './predicates.ts'

/** A half plane around the origin: the points whose component along the unit vector is at most `reach`. */
interface Half extends Xy {
  readonly reach: number
}

/** The ranges of a rectangle along x and y, in either direction. */
interface Frame {
  readonly x: Domain
  readonly y: Domain
}

/** The neighbours of each point in a triangulation, in ascending order. */
export function listNeighbours(count: number, triangles: readonly Triangle[]): number[][] {
  const neighbours = Array.from({ length: count }, () => new Set<number>())
  for (const [a, b, c] of triangles) {
    checkpoint()
    neighbours[a]!.add(b).add(c)
    neighbours[b]!.add(a).add(c)
    neighbours[c]!.add(a).add(b)
  }
  return neighbours.map((own) => [...own].sort((a, b) => a - b))
}

/**
 * The part of a frame that is closer to a point inside of it than to any of its neighbours: a convex polygon, counter-
 * clockwise.
 * Source: half planes around a point are dual to points, and their intersection to the convex hull of these.
 */
export function findCell(site: Xy, neighbours: readonly Xy[], { x: along, y: across }: Frame): Xy[] {
  const halves: Half[] = [
    { x: 1, y: 0, reach: Math.max(along.start, along.end) - site.x },
    { x: 0, y: 1, reach: Math.max(across.start, across.end) - site.y },
    { x: -1, y: 0, reach: site.x - Math.min(along.start, along.end) },
    { x: 0, y: -1, reach: site.y - Math.min(across.start, across.end) },
    ...neighbours.map(({ x, y }) => {
      const size = Math.hypot(x - site.x, y - site.y)
      return { x: (x - site.x) / size, y: (y - site.y) / size, reach: size / 2 }
    }),
  ]
  const sides = findConvexHull(halves.map(({ x, y, reach }) => ({ x: x / reach, y: y / reach })))
  return sides.map((side, i) => {
    const corner = meet(halves[side]!, halves[sides[(i + 1) % sides.length]!]!)
    return { x: site.x + corner.x, y: site.y + corner.y }
  })
}

/** The corner between the edges of two half planes. */
function meet(a: Half, b: Half): Xy {
  const sine = a.x * b.y - a.y * b.x
  return { x: (a.reach * b.y - b.reach * a.y) / sine, y: (b.reach * a.x - a.reach * b.x) / sine }
}
