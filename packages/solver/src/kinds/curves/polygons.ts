import { POINT_BYTES } from '../../budget/budget.ts'
import { findVertices } from '../../conversions/to-curve.ts'
import { roundCorners } from '../../geometry/curves/corners.ts'
import { getLength } from '../../geometry/curves/length.ts'
import { polyline } from '../../values/curves.ts'
import { pointAt } from '../../values/planes.ts'
import { toPoint, type Xyz } from '../../values/points.ts'
import {
  add,
  addScaled,
  areEqual,
  cross,
  distance,
  dot,
  interpolate,
  ORIGIN,
  scale,
  subtract,
} from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

export const POLYGONS: readonly Kind[] = [
  defineKind({
    guid: '845527a6-5cea-4ae9-a667-96ae1667a4e8',
    name: 'Polygon',
    description:
      'A regular polygon in a plane around its origin, from the x axis on, its corners rounded if told.',
    inputs: {
      plane: named('Plane (P)', item.plane),
      radius: named('Radius (R)', item.number),
      segments: named('Segments (S)', item.integer),
      fillet: named('Fillet Radius (Rf)', item.number),
    },
    outputs: { polygon: named('Polygon (P)', item.curve), length: named('Length (L)', item.number) },
    solve: ({ plane, radius, segments, fillet }, context) => {
      if (segments < 3 || radius === 0) {
        context.error(radius === 0 ? 'The radius is zero' : 'A polygon has at least three sides')
        return {}
      }
      context.reserve(2 * segments, POINT_BYTES)
      const corners = Array.from({ length: segments }, (_, i) => {
        const angle = (2 * Math.PI * i) / segments
        return pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle))
      })
      const vertices = [...corners, ...corners.slice(0, 1)].map(({ x, y, z }) => ({ x, y, z }))
      const polygon = fillet > 0 ? roundCorners(vertices, fillet) : polyline(vertices)
      return { polygon, length: getLength(polygon) }
    },
  }),
  defineKind({
    guid: '59e94548-cefd-4774-b3de-48142fc783fb',
    name: 'Polygon Center',
    description:
      'The middle of a polyline: of its vertices, of its edges, and of the area that a closed one encloses.',
    inputs: { polyline: named('Polyline (P)', item.curve) },
    outputs: {
      vertices: named('Center(V) (Cv)', item.point),
      edges: named('Center(E) (Ce)', item.point),
      area: named('Center(A) (Ca)', item.point),
    },
    solve: ({ polyline: curve }, context) => {
      const vertices = findVertices(curve)
      const [first, last] = [vertices?.[0], vertices?.at(-1)]
      if (!vertices || !first || !last) {
        context.error('The curve is no polyline')
        return {}
      }
      const isClosed = areEqual(first, last, 1e-9)
      const distinct = isClosed ? vertices.slice(0, -1) : vertices
      const centre = isClosed ? findAreaCentre(vertices) : undefined
      return {
        vertices: toPoint(scale(distinct.reduce(add, ORIGIN), 1 / distinct.length)),
        edges: toPoint(findEdgeCentre(vertices)),
        area: centre && toPoint(centre),
      }
    },
  }),
]

function findEdgeCentre(vertices: readonly Xyz[]): Xyz {
  let [sum, total]: [Xyz, number] = [ORIGIN, 0]
  for (let i = 1; i < vertices.length; i++) {
    const [from, to] = [vertices[i - 1] as Xyz, vertices[i] as Xyz]
    const size = distance(from, to)
    sum = addScaled(sum, interpolate(from, to, 0.5), size)
    total += size
  }
  return total === 0 ? (vertices[0] as Xyz) : scale(sum, 1 / total)
}

/** The mean of the triangles from the first vertex, each with its area as seen along the whole's normal. */
function findAreaCentre(vertices: readonly Xyz[]): Xyz | undefined {
  const first = vertices[0] as Xyz
  const triangles = vertices.slice(2).map((vertex, i) => {
    const before = vertices[i + 1] as Xyz
    const centre = scale(add(add(first, before), vertex), 1 / 3)
    return { centre, area: cross(subtract(before, first), subtract(vertex, first)) }
  })
  const normal = triangles.reduce((sum, { area }) => add(sum, area), ORIGIN)
  const total = dot(normal, normal)
  if (total === 0) return undefined
  const sum = triangles.reduce(
    (whole, { centre, area }) => addScaled(whole, centre, dot(area, normal)),
    ORIGIN,
  )
  return scale(sum, 1 / total)
}
