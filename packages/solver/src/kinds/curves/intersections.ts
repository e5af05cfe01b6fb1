import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { type Crossing, findCrossings } from '@meadow/geometry/curve-intersection/intersect-curves'
import { findPlaneCrossings } from '@meadow/geometry/curve-intersection/intersect-plane'
import { getPoint } from '@meadow/geometry/curves/evaluate'
import { findSelfCrossings } from '@meadow/geometry/regions/self-crossings'
import { countPoints } from '@meadow/geometry/transform/count-points'
import type { Line } from '@meadow/geometry/values/curves'
import { findPlaneFromNormal, toLocal } from '@meadow/geometry/values/planes'
import { type Point, point, toPoint, type Xyz } from '@meadow/geometry/values/points'
import {
  addScaled,
  distance,
  dot,
  findUnit,
  interpolate,
  ORIGIN,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

const LIE_ON_EACH_OTHER = 'Bent curves that lie on each other are not supported'

export const CURVE_INTERSECTIONS: readonly Kind[] = [
  defineKind({
    guid: 'b7c12ed1-b09a-4e15-996f-3fa9f3f16b1c',
    description: 'Intersects a curve with a plane.',
    solve: ([curve, plane], context) => {
      const parameters = findPlaneCrossings(curve, plane, context.tolerance)
      const points = parameters.map((t) => toPoint(getPoint(curve, t)))
      const locations = points.map((location): Point => {
        const { x, y } = toLocal(plane, location)
        return point(x, y, 0)
      })
      return [points, parameters, locations]
    },
  }),
  defineKind({
    guid: '0e3173b6-91c6-4845-a748-e45d4fdbc262',
    description: 'Intersects a curve with an infinite line.',
    solve: ([curve, line], context) => {
      const plane = findPlaneAlong(line, getPoint(curve, 0))
      if (!plane) {
        context.error('The line has no length')
        return []
      }
      // A point on the line is on every plane through it.
      const met = findPlaneCrossings(curve, plane, context.tolerance)
      const parameters = met.filter((t) => getGap(line, getPoint(curve, t)) <= context.tolerance)
      return [parameters.map((t) => toPoint(getPoint(curve, t))), parameters, parameters.length]
    },
  }),
  defineKind({
    guid: '75d0442c-1aa3-47cf-bd94-457b42c16e9f',
    description:
      'Intersects an infinite line with a plane. The parameter is 0 at the start of the line, 1 at its end.',
    solve: ([{ from, to }, plane]) => {
      const [start, end] = [toLocal(plane, from), toLocal(plane, to)]
      const isParallel = Math.abs(end.z - start.z) <= 1e-12 * distance(start, end)
      if (isParallel) return []
      const parameter = start.z / (start.z - end.z)
      const uv = interpolate(start, end, parameter)
      return [toPoint(interpolate(from, to, parameter)), parameter, point(uv.x, uv.y, 0)]
    },
  }),
  defineKind({
    guid: '6d4b82a7-8c1d-4bec-af7b-ca321ba4beb1',
    description:
      'The closest points of two infinite lines. The parameters are 0 at their starts, 1 at their ends.',
    solve: ([a, b]) => {
      const [u, v, gap] = [subtract(a.to, a.from), subtract(b.to, b.from), subtract(a.from, b.from)]
      const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)]
      const size = uu * vv - uv * uv
      if (!(size > 1e-14 * uu * vv)) return []
      const parameterA = (uv * dot(v, gap) - vv * dot(u, gap)) / size
      const parameterB = (uu * dot(v, gap) - uv * dot(u, gap)) / size
      return [
        parameterA,
        parameterB,
        toPoint(addScaled(a.from, u, parameterA)),
        toPoint(addScaled(b.from, v, parameterB)),
      ]
    },
  }),
  defineKind({
    guid: '84627490-0fb2-4498-8138-ad134ee4cb36',
    description: 'Intersects two curves.',
    solve: ([a, b], context) => {
      const crossings = findCrossings(a, b, context.tolerance)
      if (!crossings) {
        context.limit(LIE_ON_EACH_OTHER)
        return []
      }
      return [
        crossings.map((crossing) => toPoint(crossing.point)),
        crossings.map((crossing) => crossing.a),
        crossings.map((crossing) => crossing.b),
      ]
    },
  }),
  defineKind({
    guid: '0991ac99-6a0b-47a9-b07d-dd510ca57f0f',
    description:
      'Intersects a curve with itself: all points with their first parameters, then all again with their second ones.',
    solve: ([curve], context) => {
      context.reserve(countPoints(curve), POINT_BYTES)
      const crossings = findSelfCrossings(curve, context.tolerance)
      if (!crossings) {
        context.limit(LIE_ON_EACH_OTHER)
        return []
      }
      context.reserve(2 * crossings.length, POINT_BYTES)
      const points = crossings.map((crossing) => toPoint(crossing.point))
      return [
        [...points, ...points],
        [...crossings.map(({ a }) => a), ...crossings.map(({ b }) => b)],
      ]
    },
  }),
  defineKind({
    guid: '931e6030-ccb3-4a7b-a89a-99dcce8770cd',
    description: 'Intersects each of several curves with those after it.',
    solve: ([curves], context) => {
      const events: (Crossing & { i: number; j: number })[] = []
      for (const [i, first] of curves.entries()) {
        for (const [j, second] of curves.entries()) {
          if (j <= i || !first || !second) continue
          const crossings = findCrossings(first, second, context.tolerance)
          if (!crossings) {
            context.limit(LIE_ON_EACH_OTHER)
            return []
          }
          events.push(...crossings.map((crossing) => ({ ...crossing, i, j })))
        }
      }
      context.reserve(events.length, POINT_BYTES)
      return [
        events.map((event) => toPoint(event.point)),
        events.map(({ i }) => i),
        events.map(({ j }) => j),
        events.map(({ a }) => a),
        events.map(({ b }) => b),
      ]
    },
  }),
]

/** A plane through a line, perpendicular to the plane through the line and a point. */
function findPlaneAlong({ from, to }: Line, beside: Xyz) {
  const along = findUnit(subtract(to, from))
  const offset = subtract(beside, from)
  const away = along && findUnit(addScaled(offset, along, -dot(offset, along)))
  if (!along) return undefined
  return findPlaneFromNormal(from, away ? away : (findPlaneFromNormal(from, along)?.xAxis ?? along))
}

function getGap({ from, to }: Line, location: Xyz): number {
  const along = findUnit(subtract(to, from))
  const offset = subtract(location, from)
  return along ? distance(offset, addScaled(ORIGIN, along, dot(offset, along))) : Infinity
}
