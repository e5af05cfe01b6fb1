import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { roundCorners } from '@meadow/geometry/curve-editing/corners'
import { getLength } from '@meadow/geometry/curves/length'
import { createPolyCurve } from '@meadow/geometry/curves/split'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { arc, circle, line, polyline, type Rectangle } from '@meadow/geometry/values/curves'
import { plane as createPlane, findPlaneFromPoints, pointAt, toLocal } from '@meadow/geometry/values/planes'
import { type Plane, toPoint, toXyz, type Xyz } from '@meadow/geometry/values/points'
import { type Curve, type Domain, domain } from '@meadow/geometry/values/value'
import {
  add,
  addScaled,
  areEqual,
  cross,
  distance,
  dot,
  interpolate,
  length,
  ORIGIN,
  scale,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'

export const POLYGONS: readonly Kind[] = [
  defineKind({
    guid: '845527a6-5cea-4ae9-a667-96ae1667a4e8',
    description:
      'A regular polygon around the origin of a plane, with optionally rounded corners. The first corner is on the x axis.',
    solve: ([plane, radius, segments, fillet], context) => {
      if (segments < 3 || radius === 0) {
        context.error(radius === 0 ? 'The radius is zero' : 'A polygon has at least three sides')
        return []
      }
      context.reserve(2 * segments, POINT_BYTES)
      const corners = Array.from({ length: segments }, (_, i) => {
        const angle = (2 * Math.PI * i) / segments
        return pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle))
      })
      const vertices = [...corners, ...corners.slice(0, 1)].map(({ x, y, z }) => ({ x, y, z }))
      const polygon = fillet > 0 ? roundCorners(vertices, fillet) : polyline(vertices)
      return [polygon, getLength(polygon)]
    },
  }),
  defineKind({
    guid: 'f4568ce6-aade-4511-8f32-f27d8a6bf9e9',
    description:
      'A regular polygon with a given edge, on the side of a point, with its centre and both radii.',
    solve: ([from, to, side, segments], context) => {
      const plane = findPlaneFromPoints(from, to, side)
      if (segments < 3 || !plane) {
        context.error(plane ? 'A polygon has at least three sides' : 'The points lie on one line')
        return []
      }
      context.reserve(segments, POINT_BYTES)
      const half = distance(from, to) / 2
      const [corner, edge] = [half / Math.sin(Math.PI / segments), half / Math.tan(Math.PI / segments)]
      const at = (i: number) => Math.PI * ((2 * i - 1) / segments - 0.5)
      const vertices = Array.from({ length: segments }, (_, i) =>
        pointAt(plane, half + corner * Math.cos(at(i)), edge + corner * Math.sin(at(i))),
      ).map(toXyz)
      const polygon = polyline([...vertices, ...vertices.slice(0, 1)])
      return [polygon, pointAt(plane, half, edge), corner, edge]
    },
  }),
  defineKind({
    guid: '28b1c4d4-ab1c-4309-accd-1b7a954ed948',
    description: 'The circle inside of a triangle, with its plane and radius.',
    solve: ([a, b, c], context) => {
      const plane = findPlaneFromPoints(a, b, c)
      if (!plane) {
        context.error('The corners lie on one line')
        return []
      }
      const sides = [distance(b, c), distance(c, a), distance(a, b)] as const
      const around = sides[0] + sides[1] + sides[2]
      const weighted = addScaled(addScaled(scale(a, sides[0]), b, sides[1]), c, sides[2])
      const placed = { ...plane, origin: scale(weighted, 1 / around) }
      const radius = length(cross(subtract(b, a), subtract(c, a))) / around
      return [circle(placed, radius), placed, radius]
    },
  }),
  defineKind({
    guid: '59e94548-cefd-4774-b3de-48142fc783fb',
    description:
      'The centre of a polyline: the averages of its vertices and its edges, and the area centroid if it is closed.',
    solve: ([curve], context) => {
      const vertices = findVertices(curve)
      const [first, last] = [vertices?.[0], vertices?.at(-1)]
      if (!vertices || !first || !last) {
        context.error('The curve is no polyline')
        return []
      }
      const isClosed = areEqual(first, last, 1e-9)
      const distinct = isClosed ? vertices.slice(0, -1) : vertices
      const centre = isClosed ? findAreaCentre(vertices) : undefined
      return [
        toPoint(scale(distinct.reduce(add, ORIGIN), 1 / distinct.length)),
        toPoint(findEdgeCentre(vertices)),
        centre && toPoint(centre),
      ]
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

/** The area centroid, from the triangles of the first vertex with areas signed by the normal. */
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

export const RECTANGLES: readonly Kind[] = [
  defineKind({
    guid: 'd93100b6-d50b-40b2-831a-814659dc38e3',
    description: 'A rectangle in a plane, with optionally rounded corners.',
    outputs: [item.curve, item.number],
    solve: ([plane, x, y, radius], context) => createRectangle(plane, x, y, radius, context),
  }),
  defineKind({
    guid: '575660b1-8c79-4b8d-9222-7ab4a6ddb359',
    description: 'A rectangle in a plane between two opposite corners, with optionally rounded corners.',
    outputs: [item.curve, item.number],
    solve: ([plane, a, b, radius], context) => {
      const [from, to] = [toLocal(plane, a), toLocal(plane, b)]
      const centre = pointAt(plane, (from.x + to.x) / 2, (from.y + to.y) / 2)
      const own = createPlane(centre, plane.xAxis, plane.yAxis, plane.zAxis)
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
      return createRectangle(own, around(width), around(height), radius, context)
    },
  }),
  defineKind({
    guid: '9bc98a1d-2ecc-407e-948a-09a09ed3e69d',
    description: 'A rectangle with one side between two points and a width that reaches a third point.',
    solve: ([a, b, c], context) => {
      const side = findPlaneFromPoints(a, b, c)
      if (!side) {
        context.error('The three points lie on one line')
        return []
      }
      const [width, height] = [distance(a, b), toLocal(side, c).y]
      const plane = createPlane(pointAt(side, width / 2, height / 2), side.xAxis, side.yAxis, side.zAxis)
      const rectangle: Rectangle = { type: 'rectangle', plane, x: around(width), y: around(height) }
      return [rectangle, 2 * (width + height)]
    },
  }),
]

function createRectangle(
  plane: Plane,
  x: Domain,
  y: Domain,
  radius: number,
  context: KindContext,
): [rectangle?: Curve, length?: number] {
  const rectangle: Rectangle = { type: 'rectangle', plane, x, y }
  const shortest = Math.min(getSize(x), getSize(y))
  if (shortest === 0) {
    context.warn('The rectangle has no size')
    return []
  }
  const curve = radius > 0 ? roundRectangle(rectangle, Math.min(radius, shortest / 2)) : rectangle
  return [curve, getLength(curve)]
}

function around(size: number): Domain {
  return domain(-size / 2, size / 2)
}

function getSize({ start, end }: Domain): number {
  return Math.abs(end - start)
}

/** Rounds the corners of a rectangle. The result starts at the end of the first rounded corner, along x. */
function roundRectangle({ plane, x, y }: Rectangle, radius: number): Curve {
  const [minX, maxX] = [Math.min(x.start, x.end), Math.max(x.start, x.end)]
  const [minY, maxY] = [Math.min(y.start, y.end), Math.max(y.start, y.end)]
  const [left, right, bottom, top] = [minX + radius, maxX - radius, minY + radius, maxY - radius]
  const corners = [
    { u: right, v: bottom, from: [left, minY], to: [right, minY] },
    { u: right, v: top, from: [maxX, bottom], to: [maxX, top] },
    { u: left, v: top, from: [right, maxY], to: [left, maxY] },
    { u: left, v: bottom, from: [minX, top], to: [minX, bottom] },
  ] as const
  const segments = corners.flatMap(({ u, v, from, to }, i): Curve[] => {
    const [start, end] = [pointAt(plane, ...from), pointAt(plane, ...to)]
    const centre = createPlane(pointAt(plane, u, v), plane.xAxis, plane.yAxis, plane.zAxis)
    const corner = arc(centre, radius, ((i - 1) * Math.PI) / 2, (i * Math.PI) / 2)
    return areEqual(start, end, 1e-12) ? [corner] : [line(start, end), corner]
  })
  return createPolyCurve(segments)
}
