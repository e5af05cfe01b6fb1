import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { shatterCurve } from '@meadow/geometry/curve-editing/seam'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { divideByChord, divideByCount, divideByLength } from '@meadow/geometry/curves/divide'
import { findTangent, getPoint } from '@meadow/geometry/curves/evaluate'
import { findFreeFrame, listPerpFrames } from '@meadow/geometry/curves/frames'
import { hasPeriodicKnots } from '@meadow/geometry/curves/knots'
import { getLength, getParameterAtLength } from '@meadow/geometry/curves/length'
import { findSubCurve, isClosed } from '@meadow/geometry/curves/split'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { type Point, toPoint, toVector, type Vector } from '@meadow/geometry/values/points'
import { type Curve, domain } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

/** A request for more parts is taken for a mistake. */
const MAX_PARTS = 10_000_000

export const DIVISIONS: readonly Kind[] = [
  defineKind({
    guid: '2162e72e-72fc-4bf8-9459-d4d82fa8aa14',
    description: 'Divides a curve into segments of equal length, and optionally at its kinks.',
    solve: ([curve, count, atKinks], context) => {
      if (count < 1) {
        context.error('The count must be 1 or more')
        return []
      }
      const even = divideByCount(curve, count)
      return describe(curve, atKinks ? addBetween(even, findKinks(curve), getCurveDomain(curve).end) : even)
    },
  }),
  defineKind({
    guid: 'fdc466a9-d3b8-4056-852a-09dba0f74aca',
    description: 'Divides a curve into segments of a fixed length; the remainder is at the end.',
    solve: ([curve, length], context) => {
      const parts = getLength(curve) / length
      if (!(length > 0 && parts <= MAX_PARTS)) {
        context.error(
          length > 0 ? 'The length is too small for the curve' : 'The length must be larger than zero',
        )
        return []
      }
      return describe(curve, divideByLength(curve, length))
    },
  }),
  defineKind({
    guid: '1e531c08-9c80-46d6-8850-1b50d1dae69f',
    description: 'Divides a curve at points with equal straight-line distances between neighbours.',
    solve: ([curve, distance], context) => {
      const parts = getLength(curve) / distance
      if (!(distance > 0 && parts <= MAX_PARTS)) {
        context.error(
          distance > 0 ? 'The distance is too small for the curve' : 'The distance must be larger than zero',
        )
        return []
      }
      return describe(curve, divideByChord(curve, distance))
    },
  }),
  defineKind({
    guid: '2ad2a4d4-3de1-42f6-a4b8-f71835f35710',
    description: 'Splits a curve at parameters.',
    solve: ([curve, parameters], context) => {
      context.reserve(parameters.length)
      return [shatterCurve(curve, present(parameters))]
    },
  }),
  defineKind({
    guid: '95866bbe-648e-4e2b-a97c-7d04679e94e0',
    description:
      'Splits a curve into dashes and gaps of given lengths, in turns; the last one ends where the curve does.',
    solve: ([curve, pattern], context) => {
      const lengths = present(pattern)
      const cycle = lengths.reduce((sum, length) => sum + length, 0)
      if (lengths.length === 0) return []
      if (!lengths.every((length) => length >= 0)) {
        context.error('Lengths must not be less than zero')
        return []
      }
      if (!(cycle > 0 && (getLength(curve) / cycle) * lengths.length <= MAX_PARTS)) {
        context.limit('Patterns that are too short for the curve are not supported')
        return []
      }
      if (lengths.includes(0)) context.approximate('Rhino may have one more null at the end')
      return dash(curve, lengths, context)
    },
  }),
  defineKind({
    guid: '983c7600-980c-44da-bc53-c804067f667f',
    description:
      'Planes perpendicular to a curve at equal distances; aligned ones rotate as little as possible.',
    solve: ([curve, count, isAligned]) => {
      const parameters = divideByCount(curve, count)
      const frames = isAligned
        ? listPerpFrames(curve, parameters)
        : parameters.map((t) => findFreeFrame(curve, t))
      return [frames.map((frame) => frame ?? null), parameters]
    },
  }),
  defineKind({
    guid: '69f3e5ee-4770-44b3-8851-ae10ae555398',
    description: 'The plane perpendicular to a curve at a parameter, with the least rotation from the start.',
    solve: ([curve, parameter]) => [listPerpFrames(curve, [getCurveDomain(curve).start, parameter]).at(-1)],
  }),
]

/** The dashes and gaps of a curve; null for those without length. */
function dash(
  curve: Curve,
  pattern: readonly number[],
  context: KindContext,
): [dashes: (Curve | null)[], gaps: (Curve | null)[]] {
  const parts: [dashes: (Curve | null)[], gaps: (Curve | null)[]] = [[], []]
  const whole = getLength(curve)
  // Each cycle starts at a multiple of its length, so that rounding errors do not add up.
  let cycle = 0
  const starts = pattern.map((length) => {
    const start = cycle
    cycle += length
    return start
  })
  const placeOf = (i: number) =>
    Math.floor(i / pattern.length) * cycle + (starts[i % pattern.length] as number)
  for (let i = 0; placeOf(i) < whole * (1 - 1e-9); i++) {
    context.reserve(1, POINT_BYTES)
    const isEmpty = pattern[i % pattern.length] === 0
    const [from, to] = [getParameterAtLength(curve, placeOf(i)), getParameterAtLength(curve, placeOf(i + 1))]
    parts[i % 2]?.push((isEmpty ? null : findSubCurve(curve, from, to)) ?? null)
  }
  return parts
}

/** Points and tangents at parameters. */
function describe(
  curve: Curve,
  parameters: readonly number[],
): [points: Point[], tangents: (Vector | null)[], parameters: readonly number[]] {
  const tangents = parameters.map((t) => findTangent(curve, t))
  return [
    parameters.map((t) => toPoint(getPoint(curve, t))),
    tangents.map((tangent) => (tangent ? toVector(tangent) : null)),
    parameters,
  ]
}

/** Adds parameters to others; the result is ascending and has no duplicates. */
function addBetween(parameters: readonly number[], added: readonly number[], size: number): number[] {
  const all = [...parameters, ...added].sort((a, b) => a - b)
  return all.filter((t, i) => i === 0 || t - (all[i - 1] as number) > 1e-9 * (1 + Math.abs(size)))
}

export const CURVE_PARTS: readonly Kind[] = [
  defineKind({
    guid: '323f3245-af49-4489-8677-7a2c73664077',
    description: 'Tests whether a curve is closed, and whether it is smooth at its seam.',
    solve: ([curve], context) => [
      isClosed(curve, context.tolerance),
      isClosed(curve, context.tolerance) && isPeriodic(curve),
    ],
  }),
  defineKind({
    guid: '188edd02-14a9-4828-a521-34995b0d1e4a',
    description: 'The length of a curve over a subdomain; negative if the subdomain is reversed.',
    solve: ([curve, { start, end }]) => [measure(curve, end) - measure(curve, start)],
  }),
  defineKind({
    guid: 'a1c16251-74f0-400f-9e7c-5e379d739963',
    description: 'The length of a curve before and after a parameter.',
    solve: ([curve, parameter]) => {
      const before = measure(curve, parameter)
      return [before, getLength(curve) - before]
    },
  }),
  defineKind({
    guid: '23862862-049a-40be-b558-2418aacbd916',
    description: 'The plane, radius and angles of an arc or circle.',
    solve: ([{ plane, radius, startAngle, endAngle }]) => [plane, radius, domain(startAngle, endAngle)],
  }),
]

/** The length up to a parameter, clamped to the domain. */
function measure(curve: Curve, parameter: number): number {
  const { start, end } = getCurveDomain(curve)
  return getLength(curve, Math.min(Math.max(parameter, start), end))
}

/** A circle, or a NURBS curve with periodic knots. */
function isPeriodic(curve: Curve): boolean {
  return curve.type === 'circle' || (curve.type === 'nurbsCurve' && hasPeriodicKnots(curve))
}
