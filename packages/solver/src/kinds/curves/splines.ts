import { interpolateClosed, interpolatePoints } from '@meadow/geometry/curves/interpolate-points'
import { createClampedKnots, createPeriodicKnots } from '@meadow/geometry/curves/knots'
import { getLength } from '@meadow/geometry/curves/length'
import { createPolyCurve } from '@meadow/geometry/curves/split'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { line, type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import { type Point, toXyz, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Domain } from '@meadow/geometry/values/value'
import { areEqual, cross, dot, length, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const KNOT_STYLES = ['uniform', 'chord', 'squareRoot'] as const
/** The highest degree that openNURBS allows. */
export const MAX_DEGREE = 11

export const SPLINES: readonly Kind[] = [
  defineKind({
    guid: '846470bd-4918-4d00-9388-7e022b2cba73',
    description: 'The knots of a curve with a number of control points, all one apart.',
    solve: ([count, degree, isPeriodic], context) => {
      const limited = Math.min(degree, count - 1)
      if (limited < 1) {
        context.error('A curve needs two points, and a degree of 1 at least')
        return []
      }
      context.reserve(count + limited - 1)
      if (isPeriodic) return [Array.from({ length: count + limited - 1 }, (_, i) => i)]
      return [createClampedKnots(count, limited)]
    },
  }),
  defineKind({
    guid: '71b5b089-500a-4ea6-81c5-2f960441a0e8',
    description: 'A polyline through points.',
    solve: ([vertices, isClosed], context) => {
      const locations = present(vertices).map(toXyz)
      const [first] = locations
      if (!first || locations.length < 2) {
        context.error('A polyline needs at least two points')
        return []
      }
      if (isClosed && !areEqual(first, locations.at(-1) ?? first)) locations.push(first)
      return [polyline(locations)]
    },
  }),
  defineKind({
    guid: '2b2a4145-3dff-41d4-a8de-1ea9d29eef33',
    description: 'A smooth curve through points.',
    solve: ([vertices, degree, isPeriodic, knotStyle], context) => {
      const locations = present(vertices)
      const points = isPeriodic ? withoutRepeat(locations) : locations
      const style = KNOT_STYLES[knotStyle]
      const fewest = isPeriodic ? 3 : 2
      if (points.length < fewest || !style) {
        context.error(
          style
            ? `An interpolated curve needs at least ${fewest} points`
            : 'The knot style must be 0, 1 or 2',
        )
        return []
      }
      if (degree !== 3 || hasRepeats(points)) {
        context.limit(degree === 3 ? REPEATS : 'Interpolation with a degree other than 3 is not supported')
        return []
      }
      return measure(isPeriodic ? interpolateClosed(points, style) : interpolatePoints(points, style))
    },
  }),
  defineKind({
    guid: 'dde71aef-d6ed-40a6-af98-6b0673983c82',
    description: 'A NURBS curve from its control points.',
    solve: ([vertices, requestedDegree, isPeriodic], context) => {
      const points = isPeriodic ? withoutRepeat(present(vertices)) : present(vertices)
      const degree = Math.min(requestedDegree, points.length - 1, MAX_DEGREE)
      if (degree < 1 || (isPeriodic && degree < 2)) {
        context.error('There are too few points, or the degree is too low')
        return []
      }
      return measure(createCurve(points.map(toXyz), degree, isPeriodic))
    },
  }),
]

/** A NURBS curve with domain 0 to 1. A closed curve repeats its first control points at the end. */
function createCurve(points: readonly Xyz[], degree: number, isPeriodic: boolean): NurbsCurve {
  const spans = isPeriodic ? points.length : points.length - degree
  const all = isPeriodic ? [...points, ...points.slice(0, degree)] : points
  const createKnots = isPeriodic ? createPeriodicKnots : createClampedKnots
  return { type: 'nurbsCurve', degree, points: all, knots: createKnots(all.length, degree, 1 / spans) }
}

/** A curve with its length and domain. */
export function measure(curve: Curve): [Curve, number, Domain] {
  return [curve, getLength(curve), getCurveDomain(curve)]
}

export const REPEATS = 'Interpolation of points with two in a row at the same place is not supported'

export function hasRepeats(points: readonly Xyz[]): boolean {
  return points.some((point, i) => i > 0 && areEqual(point, points[i - 1] as Xyz))
}

/** Drops the last point if it repeats the first. */
function withoutRepeat(points: readonly Point[]): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)]
  return points.length > 1 && first && last && areEqual(first, last) ? points.slice(0, -1) : points
}

export const KINKY_CURVES: readonly Kind[] = [
  defineKind({
    guid: '6f0993e8-5f2f-4fc0-bd73-b84bc240e78e',
    description:
      'A smooth curve through points, with kinks where the direction changes by more than an angle threshold.',
    solve: ([vertices, degree, angle], context) => {
      const points = present(vertices).map(({ x, y, z }): Xyz => ({ x, y, z }))
      if (points.length < 2) {
        context.error('A kinky curve needs two or more points')
        return []
      }
      const isSupported = degree === 1 || degree === 3
      if (!isSupported || hasRepeats(points)) {
        context.limit(
          isSupported ? REPEATS : 'A kinky curve with a degree other than 1 or 3 is not supported',
        )
        return []
      }
      const curve = createPolyCurve(listRuns(points, angle).map((run) => connect(run, degree)))
      return measure(curve)
    },
  }),
]

/** Splits points at kinks; a kink belongs to both runs. */
function listRuns(points: readonly Xyz[], angle: number): Xyz[][] {
  const runs: Xyz[][] = [points.slice(0, 1)]
  for (const [i, point] of points.entries()) {
    if (i === 0) continue
    runs.at(-1)?.push(point)
    const next = points[i + 1]
    if (next && getTurningAngle(points[i - 1] as Xyz, point, next) > angle + 1e-12) runs.push([point])
  }
  return runs
}

function getTurningAngle(before: Xyz, at: Xyz, after: Xyz): number {
  const [arriving, leaving] = [subtract(at, before), subtract(after, at)]
  return Math.atan2(length(cross(arriving, leaving)), dot(arriving, leaving))
}

function connect(run: readonly Xyz[], degree: number): Curve {
  const [from, to] = run as [Xyz, Xyz]
  if (run.length === 2) return line(from, to)
  return degree === 1 ? polyline(run) : interpolatePoints(run, 'uniform')
}
