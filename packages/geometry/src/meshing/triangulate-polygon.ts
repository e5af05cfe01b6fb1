import earcut from 'earcut'

/** A point in a plane. */
export interface Flat {
  readonly x: number
  readonly y: number
}

/**
 * Triangulates a polygon with holes. Returns three vertex indices for each triangle, counter-clockwise, into
 * the list of all rings in order. Rings may have any orientation and do not repeat their first point. A polygon
 * that intersects itself yields some triangulation.
 */
export function triangulatePolygon(outer: readonly Flat[], holes: readonly (readonly Flat[])[]): number[] {
  const points = [...outer, ...holes.flat()]
  const triangles = clipEars(outer, holes)
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at]!, triangles[at + 1]!, triangles[at + 2]!]
    if (areaOf([points[a]!, points[b]!, points[c]!]) < 0) {
      triangles[at + 1] = c
      triangles[at + 2] = b
    }
  }
  return triangles
}

/**
 * Triangulates like `triangulatePolygon`, but with triangles that all turn in one direction, so that neighbours pass
 * their edge in opposite directions: where rounding errors turn a thin one around, its area has the other sign.
 */
export function clipEars(outer: readonly Flat[], holes: readonly (readonly Flat[])[]): number[] {
  if (outer.length < 3) return []
  const points = [...outer, ...holes.flat()]
  let start = outer.length
  const starts: number[] = []
  for (const hole of holes) {
    // The library does not accept empty rings.
    if (hole.length > 0) starts.push(start)
    start += hole.length
  }
  return earcut(
    points.flatMap(({ x, y }) => [x, y]),
    starts,
  )
}

/** Twice the signed area, positive for counter-clockwise rings. */
export function areaOf(polygon: readonly Flat[]): number {
  let area = 0
  for (const [i, { x, y }] of polygon.entries()) {
    const next = polygon[(i + 1) % polygon.length]!
    area += x * next.y - next.x * y
  }
  return area
}
