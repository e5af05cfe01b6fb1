import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from '../values/points.ts'
import { addScaled, areEqual, distance, dot, interpolate, subtract } from '../values/vector.ts'

/** The distance of a point from a line segment. */
export function getGapToSegment(point: Xyz, from: Xyz, to: Xyz): number {
  const along = subtract(to, from)
  const square = dot(along, along)
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, dot(subtract(point, from), along) / square))
  return distance(point, addScaled(from, along, t))
}

/**
 * Removes the vertices of a polyline that are within the tolerance of the segment between their kept neighbours. The
 * farthest vertex of each part is kept first. A closed triangle keeps its vertices.
 * Source: `Polyline.ReduceSegments` of RhinoCommon, published in mcneel/rhino3dm; the Ramer–Douglas–Peucker algorithm.
 */
export function reduceVertices(vertices: readonly Xyz[], tolerance: number): readonly Xyz[] {
  const last = vertices.length - 1
  const isClosed = last > 0 && areEqual(vertices[0] as Xyz, vertices[last] as Xyz)
  if (last < 2 || (last < 4 && isClosed)) return vertices
  const isKept = vertices.map((_, i) => i === 0 || i === last)
  const parts: [from: number, to: number][] = [[0, last]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part
    const farthest = findFarthest(vertices, from, to)
    if (farthest.gap <= tolerance || farthest.index === from) continue
    isKept[farthest.index] = true
    parts.push([from, farthest.index], [farthest.index, to])
  }
  return vertices.filter((_, i) => isKept[i])
}

function findFarthest(vertices: readonly Xyz[], from: number, to: number): { index: number; gap: number } {
  checkpoint(to - from)
  let farthest = { index: from, gap: 0 }
  for (let i = from + 1; i < to; i++) {
    const gap = getGapToSegment(vertices[i] as Xyz, vertices[from] as Xyz, vertices[to] as Xyz)
    if (gap > farthest.gap) farthest = { index: i, gap }
  }
  return farthest
}

/**
 * Collapses the shortest segment of a polyline as long as it is shorter than the tolerance: its two vertices become
 * their midpoint, at an end of the polyline the end.
 * Source: `Polyline.CollapseShortSegments` of RhinoCommon, published in mcneel/rhino3dm, and results of Grasshopper in
 * pyhopper (github.com/ezzahiranass/pyhopper). Takes quadratic time.
 */
export function collapseSegments(vertices: readonly Xyz[], tolerance: number): readonly Xyz[] {
  const left = [...vertices]
  while (left.length > 2) {
    const index = findShortest(left)
    const [from, to] = [left[index] as Xyz, left[index + 1] as Xyz]
    if (!(distance(from, to) < tolerance)) break
    const isFirst = index === 0
    const isLast = index === left.length - 2
    left.splice(index, 2, isFirst ? from : isLast ? to : interpolate(from, to, 0.5))
  }
  return left
}

function findShortest(vertices: readonly Xyz[]): number {
  checkpoint(vertices.length)
  let [shortest, size] = [0, Infinity]
  for (let i = 0; i + 1 < vertices.length; i++) {
    const length = distance(vertices[i] as Xyz, vertices[i + 1] as Xyz)
    if (length < size) [shortest, size] = [i, length]
  }
  return shortest
}

/**
 * Moves each vertex by half of `strength` towards the middle of its neighbours, `times` times. The ends of an open
 * polyline stay.
 * Source: `Polyline.Smooth` of RhinoCommon, published in mcneel/rhino3dm.
 */
export function smoothVertices(vertices: readonly Xyz[], strength: number, times: number): readonly Xyz[] {
  const last = vertices.length - 1
  if (last < 2) return vertices
  const isClosed = areEqual(vertices[0] as Xyz, vertices[last] as Xyz)
  let smooth = vertices
  for (let round = 0; round < times; round++) {
    checkpoint(vertices.length)
    const before = smooth
    const move = (i: number, previous: number, next: number) => {
      const middle = interpolate(before[previous] as Xyz, before[next] as Xyz, 0.5)
      return interpolate(before[i] as Xyz, middle, strength / 2)
    }
    const seam = isClosed ? move(0, last - 1, 1) : undefined
    smooth = before.map((vertex, i) => (i === 0 || i === last ? (seam ?? vertex) : move(i, i - 1, i + 1)))
  }
  return smooth
}
