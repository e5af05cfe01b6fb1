import type { Geometry } from '../values/value.ts'

/** The number of points in a geometry, which determines the cost of a copy. */
export function countPoints(geometry: Geometry): number {
  switch (geometry.type) {
    case 'polyline':
    case 'mesh':
      return geometry.vertices.length
    case 'nurbsCurve':
      return geometry.points.length
    case 'polyCurve':
      return sum(geometry.segments)
    case 'nurbsSurface':
      return geometry.points.length * (geometry.points[0]?.length ?? 0)
    case 'brep':
      return sum(geometry.edges.map(({ curve }) => curve)) + sum(geometry.faces.map(({ surface }) => surface))
    case 'group':
      return sum(geometry.members)
    default:
      return 1
  }
}

function sum(parts: readonly Geometry[]): number {
  return parts.reduce((count, part) => count + countPoints(part), 0)
}
