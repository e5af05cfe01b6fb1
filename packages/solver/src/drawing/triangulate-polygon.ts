import earcut from 'earcut'

/** A place in a plane. */
export interface Flat {
  readonly x: number
  readonly y: number
}

/**
 * The triangles of a polygon with holes: three numbers of vertices for each, in the list of all rings one after the
 * other, counter-clockwise. Rings may run either way and do not repeat their first place. What crosses itself gives
 * some triangles too; nothing fails.
 */
export function triangulatePolygon(outer: readonly Flat[], holes: readonly (readonly Flat[])[]): number[] {
  if (outer.length < 3) return []
  const points = [...outer, ...holes.flat()]
  let start = outer.length
  const starts: number[] = []
  for (const hole of holes) {
    // The library takes no empty ring.
    if (hole.length > 0) starts.push(start)
    start += hole.length
  }
  const triangles = earcut(
    points.flatMap(({ x, y }) => [x, y]),
    starts,
  )
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at]!, triangles[at + 1]!, triangles[at + 2]!]
    if (areaOf([points[a]!, points[b]!, points[c]!]) < 0) {
      triangles[at + 1] = c
      triangles[at + 2] = b
    }
  }
  return triangles
}

/** Twice the area; positive for a ring that runs counter-clockwise. */
export function areaOf(ring: readonly Flat[]): number {
  let area = 0
  for (const [i, { x, y }] of ring.entries()) {
    const next = ring[(i + 1) % ring.length]!
    area += x * next.y - next.x * y
  }
  return area
}
