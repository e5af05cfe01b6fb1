import { createPolyCurve } from '@meadow/geometry/curves/split'
import { type Arc, arc } from '@meadow/geometry/values/curves'
import { findPlaneAcross } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import {
  addScaled,
  distance,
  dot,
  findUnit,
  interpolate,
  scale,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findArcAlong } from './lines-and-arcs.ts'

export const BI_ARCS: readonly Kind[] = [
  defineKind({
    guid: '75f4b0fd-9721-47b1-99e7-9c098b342e67',
    description: 'Two arcs that go on in each other, between two points with a direction at each.',
    solve: ([start, startTangent, end, endTangent, ratio], context) => {
      const [leaving, arriving] = [findUnit(startTangent), findUnit(endTangent)]
      if (!leaving || !arriving || distance(start, end) <= context.tolerance) {
        context.error('The points must differ, and the tangents must have a length')
        return []
      }
      const found = ratio === 0.5 ? findBiArc(start, leaving, end, arriving) : undefined
      if (found) return found
      context.limit('Arcs of another ratio than 0.5, and straight ones, are not published')
      return []
    },
  }),
]

/**
 * Two arcs with equal tangents: each is as far from its end to where its tangents meet as the other. One on the same
 * circle as the other is the rest of it.
 * Source: results of Grasshopper's BiArc in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function findBiArc(start: Xyz, leaving: Xyz, end: Xyz, arriving: Xyz): [Arc, Arc, Curve] | undefined {
  const offset = subtract(end, start)
  const sum = addScaled(leaving, arriving, 1)
  const [a, b, c] = [dot(sum, sum) - 4, dot(offset, sum), dot(offset, offset)]
  const reach = Math.abs(a) < 1e-12 ? c / (2 * b) : (b - Math.sqrt(b * b - a * c)) / a
  if (!(reach > 0)) return undefined
  const joint = interpolate(addScaled(start, leaving, reach), addScaled(end, arriving, -reach), 0.5)
  const first = findArcAlong(start, leaving, joint)?.[0]
  const back = findArcAlong(end, scale(arriving, -1), joint)?.[0]
  if (first?.type !== 'arc' || back?.type !== 'arc') return undefined
  const angle = back.endAngle
  const { origin, xAxis, zAxis } = back.plane
  if (distance(origin, first.plane.origin) <= 1e-9 * first.radius) {
    const whole = arc(first.plane, first.radius, 0, first.endAngle + angle)
    return [first, { ...whole, startAngle: first.endAngle }, whole]
  }
  const plane = findPlaneAcross(origin, scale(zAxis, -1), xAxis)
  const second = plane && arc(plane, back.radius, -angle, 0)
  return second && [first, second, createPolyCurve([first, second])]
}
