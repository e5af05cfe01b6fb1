import type { Rectangle } from '../values/curves.ts'
import { pointAt } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual } from '../values/vector.ts'

/**
 * The vertices of a curve that consists of straight pieces; undefined for other curves. A closed curve repeats
 * the first vertex at the end.
 */
export function findVertices(curve: Curve): readonly Xyz[] | undefined {
  switch (curve.type) {
    case 'line':
      return [curve.from, curve.to]
    case 'polyline':
      return curve.vertices
    case 'rectangle':
      return listCorners(curve)
    case 'nurbsCurve':
      return curve.degree === 1 ? curve.points : undefined
    case 'polyCurve':
      return joinVertices(curve.segments)
    default:
      return undefined
  }
}

function joinVertices(segments: readonly Curve[]): Xyz[] | undefined {
  const joined: Xyz[] = []
  for (const segment of segments) {
    const vertices = findVertices(segment)
    const [first] = vertices ?? []
    if (!vertices || !first) return undefined
    const last = joined.at(-1)
    const continues = last !== undefined && areEqual(last, first, 1e-9)
    for (const vertex of continues ? vertices.slice(1) : vertices) joined.push(vertex)
  }
  return joined
}

/** The four corners, and the first one again. */
function listCorners({ plane, x, y }: Rectangle): Xyz[] {
  const corners = [
    pointAt(plane, x.start, y.start),
    pointAt(plane, x.end, y.start),
    pointAt(plane, x.end, y.end),
    pointAt(plane, x.start, y.end),
  ]
  return [...corners, ...corners.slice(0, 1)]
}
