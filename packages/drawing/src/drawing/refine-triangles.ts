import type { Flat } from '@meadow/geometry/meshing/triangulate-polygon'

/** Triangles over points, as three indices each. */
export interface Triangulation {
  points: Flat[]
  triangles: number[]
}

/** With this many triangles, sides are not halved any more, however long they are. */
const MAX_TRIANGLES = 100_000
const MAX_ROUNDS = 12

/**
 * Halves sides until none is too long. The decision depends only on the side, so both triangles at a side agree
 * and no gap opens.
 */
export function refineTriangles(
  { points, triangles }: Triangulation,
  isLong: (a: Flat, b: Flat) => boolean,
): Triangulation {
  const all = [...points]
  let current = triangles
  for (let round = 0; round < MAX_ROUNDS && current.length < 3 * MAX_TRIANGLES; round++) {
    const middles = new Map<number, number>()
    const findMiddle = (a: number, b: number): number | undefined => {
      const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b)
      const known = middles.get(key)
      if (known !== undefined) return known
      const [p, q] = [all[a]!, all[b]!]
      if (!isLong(p, q)) return undefined
      all.push({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 })
      middles.set(key, all.length - 1)
      return all.length - 1
    }
    const next: number[] = []
    for (let i = 0; i < current.length; i += 3) {
      split(next, [current[i]!, current[i + 1]!, current[i + 2]!], findMiddle)
    }
    current = next
    if (middles.size === 0) break
  }
  return { points: all, triangles: current }
}

/** A triangle as the triangles between its corners and the middles of its long sides. */
function split(
  into: number[],
  [a, b, c]: readonly [number, number, number],
  findMiddle: (a: number, b: number) => number | undefined,
): void {
  const [ab, bc, ca] = [findMiddle(a, b), findMiddle(b, c), findMiddle(c, a)]
  const corners = [a, ab, b, bc, c, ca].filter((corner) => corner !== undefined)
  if (corners.length === 6) {
    into.push(a, ab!, ca!, ab!, b, bc!, ca!, bc!, c, ab!, bc!, ca!)
    return
  }
  // The corners become a fan from a midpoint, so that no triangle is degenerate.
  const start = corners.findIndex((corner) => corner === ab || corner === bc || corner === ca)
  const fan = start < 1 ? corners : [...corners.slice(start), ...corners.slice(0, start)]
  for (let i = 1; i < fan.length - 1; i++) into.push(fan[0]!, fan[i]!, fan[i + 1]!)
}
