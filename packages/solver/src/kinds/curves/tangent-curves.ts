import { roundCorners } from '@meadow/geometry/curve-editing/corners'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { findTangent } from '@meadow/geometry/curves/evaluate'
import { interpolatePoints } from '@meadow/geometry/curves/interpolate-points'
import { createClampedKnots } from '@meadow/geometry/curves/knots'
import { getLength } from '@meadow/geometry/curves/length'
import { createPolyCurve } from '@meadow/geometry/curves/split'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { line, type NurbsCurve } from '@meadow/geometry/values/curves'
import { toXyz, type Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { addScaled, areEqual, distance, findUnit } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { findArcAlong } from './lines-and-arcs.ts'
import { hasRepeats, KNOT_STYLES, MAX_DEGREE, measure, REPEATS } from './splines.ts'

export const TANGENT_CURVES: readonly Kind[] = [
  defineKind({
    guid: '30ce59ce-22a1-49ee-9e21-e6d16b3684a8',
    description: 'The Bézier curve between two points with a vector at each.',
    solve: ([a, leaving, b, arriving]) => {
      const points = [a, addScaled(a, leaving, 1), addScaled(b, arriving, 1), b].map(toXyz)
      return measure({ type: 'nurbsCurve', degree: 3, points, knots: [0, 0, 0, 1, 1, 1] })
    },
  }),
  defineKind({
    guid: '1f8e1ff7-8278-4421-b39d-350e71d85d37',
    description:
      'A NURBS curve from its control points, weights and knots, from whose number its degree follows.',
    solve: ([given, givenWeights, givenKnots], context) => {
      const [points, weights, knots] = [present(given).map(toXyz), present(givenWeights), present(givenKnots)]
      const degree = knots.length - points.length + 1
      const isRight = degree >= 1 && degree < points.length && degree <= MAX_DEGREE
      if (!isRight || !areKnots(knots, degree)) {
        context.error('The knots do not fit the points')
        return []
      }
      if (
        weights.length > 0 &&
        (weights.length !== points.length || weights.some((weight) => !(weight > 0)))
      ) {
        context.limit('What Grasshopper does with weights that do not fit the points is not published')
        return []
      }
      const isRational = weights.some((weight) => weight !== 1)
      return measure({ type: 'nurbsCurve', degree, points, knots, ...(isRational && { weights }) })
    },
  }),
  defineKind({
    guid: '75eb156d-d023-42f9-a85e-2f2456b8bcce',
    description: 'A smooth curve through points, with a direction at its start and at its end.',
    solve: ([vertices, start, end, knotStyle], context) => {
      const points = present(vertices)
      const style = KNOT_STYLES[knotStyle]
      if (points.length < 2 || !style) {
        context.error(style ? 'Two points or more are needed' : 'The knot style must be 0, 1 or 2')
        return []
      }
      if (points.length === 2 || hasRepeats(points)) {
        context.limit(points.length === 2 ? 'Two points with tangents are not supported' : REPEATS)
        return []
      }
      return measure(interpolatePoints(points, style, [findUnit(start), findUnit(end)]))
    },
  }),
  defineKind({
    guid: 'f73498c5-178b-4e09-ad61-73d172fa6e56',
    description:
      'A curve whose control polygon leaves each point along its tangent; its domain is its length.',
    solve: ([vertices, tangents, blend, requestedDegree], context) => {
      const points = present(vertices).map(toXyz)
      const units = present(tangents).map(findUnit)
      const degree = Math.max(3, requestedDegree + ((requestedDegree + 1) % 2))
      if (points.length < 2 || units.length !== points.length || units.includes(undefined)) {
        context.error('Two points or more are needed, and a tangent for each')
        return []
      }
      if (degree !== requestedDegree) context.warn('The degree must be odd, and 3 at least')
      if (degree > MAX_DEGREE) {
        context.limit('A tangent curve with a degree above 11 is not supported')
        return []
      }
      const polygon = createPolygon(points, units as Xyz[], blend, (degree - 1) / 2)
      const scaled = (step: number): NurbsCurve => {
        return {
          type: 'nurbsCurve',
          degree,
          points: polygon,
          knots: createClampedKnots(polygon.length, degree, step),
        }
      }
      return measure(scaled(getLength(scaled(1)) / (polygon.length - degree)))
    },
  }),
  defineKind({
    guid: '7159ef59-e4ef-44b8-8cb2-91231e278292',
    description:
      'Arcs through points, each of which goes on in the direction of the one before; lines where they do.',
    solve: ([vertices, tangent, isClosed], context) => {
      const points = present(vertices)
      if (points.length < 2) {
        context.error('Two points or more are needed')
        return []
      }
      if (!tangent || isClosed || hasRepeats(points)) {
        context.limit('An arc without a tangent, of repeated points, or one that is closed is not published')
        return []
      }
      let direction: Xyz = tangent
      const segments = points.slice(1).map((to, i): Curve => {
        const from = points[i] as Xyz
        const segment = findArcAlong(from, direction, to)?.[0] ?? line(toXyz(from), toXyz(to))
        direction = findTangent(segment, getCurveDomain(segment).end, 'below') ?? direction
        return segment
      })
      return [segments.length === 1 ? segments[0] : createPolyCurve(segments)]
    },
  }),
  defineKind({
    guid: '6fb21315-a032-400e-a80f-248687f5507f',
    description: 'Rounds the corners of a polyline with arcs that begin at a distance from them.',
    solve: ([curve, size], context) => {
      if (size < 0) {
        context.error('The distance must not be negative')
        return []
      }
      const vertices = findVertices(curve)
      if (size === 0) return [curve]
      if (!vertices || vertices.length < 3) {
        if (findKinks(curve).length === 0) return [createPolyCurve([curve])]
        context.limit('Only corners of polylines can be rounded')
        return []
      }
      const sides = vertices.slice(1).map((to, i) => distance(to, vertices[i] as Xyz))
      const isClosed = areEqual(vertices[0] as Xyz, vertices.at(-1) as Xyz, 1e-9)
      const ends = isClosed ? [] : [sides[0] as number, sides.at(-1) as number]
      if (ends.some((side) => side <= size)) return [{ type: 'polyCurve', segments: [curve] }]
      const inner = isClosed ? sides : sides.slice(1, -1)
      if (inner.every((side) => size <= side / 2 + 1e-12)) return [roundCorners(vertices, size, 'distance')]
      context.limit('What Rhino draws where two rounded corners overlap is not published')
      return []
    },
  }),
]

/** Whether knots never decrease, and no more of them are equal than the degree, so that the curve is in one piece. */
function areKnots(knots: readonly number[], degree: number): boolean {
  const isSorted = knots.every((knot, i) => i === 0 || knot >= (knots[i - 1] as number))
  const hasTooManyEqual = knots.some((knot, i) => knot === knots[i + degree])
  return isSorted && !hasTooManyEqual
}

/** Control points: each point with those along its tangent, `count` to each side, at most `blend` of the chord away. */
function createPolygon(
  points: readonly Xyz[],
  tangents: readonly Xyz[],
  blend: number,
  count: number,
): Xyz[] {
  const polygon = points.slice(0, 1)
  for (const [i, to] of points.slice(1).entries()) {
    const from = points[i] as Xyz
    const reach = blend * distance(from, to)
    const steps = Array.from({ length: count }, (_, step) => ((step + 1) / count) * reach)
    for (const step of steps) polygon.push(addScaled(from, tangents[i] as Xyz, step))
    for (const step of steps.toReversed()) polygon.push(addScaled(to, tangents[i + 1] as Xyz, -step))
    polygon.push(to)
  }
  return polygon
}
