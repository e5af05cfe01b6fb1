import { findRegionPlane } from '@meadow/geometry/breps/region'
import { roundCorners } from '@meadow/geometry/curve-editing/corners'
import { explodeCurve } from '@meadow/geometry/curve-editing/explode'
import { type Extension, extendEnd, extendStart } from '@meadow/geometry/curve-editing/extend'
import { joinCurves } from '@meadow/geometry/curve-editing/join'
import { findOffset } from '@meadow/geometry/curve-editing/offset'
import { offsetControlPoints } from '@meadow/geometry/curve-editing/offset-control-points'
import { moveSeam } from '@meadow/geometry/curve-editing/seam'
import { findDiscontinuities } from '@meadow/geometry/curves/discontinuities'
import { findTangent, getEnd, getStart } from '@meadow/geometry/curves/evaluate'
import { hasPeriodicKnots } from '@meadow/geometry/curves/knots'
import { getLength, getParameterAtLength } from '@meadow/geometry/curves/length'
import { hasFreePieces } from '@meadow/geometry/curves/pieces'
import { findCurvePlane } from '@meadow/geometry/curves/planarity'
import { findSubCurve, isClosed, reverseCurve } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { polyline } from '@meadow/geometry/values/curves'
import { flipPlane, WORLD_XY } from '@meadow/geometry/values/planes'
import { type Plane, toPoint } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { dot } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, optional, present } from '../declaration/ports.ts'

export const CURVE_UTIL: readonly Kind[] = [
  defineKind({
    guid: '8073a420-6bec-49e3-9b18-367f6fd76ac3',
    description: 'Joins curves whose ends meet.',
    solve: ([curves, preservesDirections], context) => [
      joinCurves(present(curves), context.tolerance, preservesDirections),
    ],
  }),
  defineKind({
    guid: 'afb96615-c59a-45c9-9cac-e27acb1c7ca0',
    description: 'Splits a curve into its segments, with their end points.',
    solve: ([curve, deeply]) => {
      const segments = explodeCurve(curve, deeply)
      return [segments, [getStart(curve), ...segments.map(getEnd)].map(toPoint)]
    },
  }),
  defineKind({
    guid: '22990b1f-9be6-477c-ad89-f775cd347105',
    description: 'Reverses a curve; with a guide curve, only if their directions are opposite.',
    solve: ([curve, guide]) => {
      const own = findTangent(curve, getCurveDomain(curve).start)
      const other = guide && findTangent(guide, getCurveDomain(guide).start)
      const flag = guide ? own !== undefined && other !== undefined && dot(own, other) < 0 : true
      return [flag ? reverseCurve(curve) : curve, flag]
    },
  }),
  defineKind({
    guid: '1a38d325-98de-455c-93f1-bca431bc1243',
    description:
      'Offsets a curve in a plane; without one in its own, to the side where the offset is longer.',
    inputs: [item.curve, item.number, optional(item.plane), item.integer],
    solve: ([curve, distance, plane, corners], context) => {
      const hasCorners = (findVertices(curve)?.length ?? 0) > 2
      const isSupported = corners === 1 || !hasCorners
      const offset = plane
        ? findOffset(curve, distance, plane, context.tolerance)
        : findOffsetInOwnPlane(curve, distance, context.tolerance)
      if (!isSupported || !offset) {
        context.limit(
          'This offset is not supported: of a curve that loses sides or bends too much, or with these corners',
        )
        return []
      }
      if (hasFreePieces(offset))
        context.approximate('The offset is right within the tolerance, but Rhino has other control points')
      return [[offset]]
    },
  }),
  defineKind({
    guid: '80e55fc2-933b-4bfb-a353-12358786dba8',
    description: 'Offsets the control points of a curve.',
    solve: ([curve, distance, plane = WORLD_XY], context) => {
      const nurbs = toNurbs(curve)
      if (!hasPeriodicKnots(nurbs)) return [offsetControlPoints(nurbs, distance, plane.zAxis)]
      context.limit('The loose offset of a periodic curve is not published')
      return []
    },
  }),
  defineKind({
    guid: '2f407944-81c3-4062-a485-276454ec4b8c',
    description: 'Rounds the corners of a polyline. A curve without corners stays as it is.',
    solve: ([curve, radius], context) => {
      if (radius < 0) {
        context.error('The radius must not be less than zero')
        return []
      }
      if (radius === 0) return [curve]
      const vertices = findVertices(curve)
      if (vertices) return [vertices.length > 2 ? roundCorners(vertices, radius) : curve]
      const ends = isClosed(curve) ? 0 : 2
      if (findDiscontinuities(curve, 1).length === ends) return [curve]
      context.limit('Rounding the corners of a curve with bent pieces is not supported')
      return []
    },
  }),
  defineKind({
    guid: '429cbba9-55ee-4e84-98ea-876c44db879a',
    description: 'The part of a curve over a subdomain.',
    solve: ([curve, domain], context) => {
      const part = findSubCurve(curve, domain.start, domain.end)
      if (!part) context.error('The domain is outside of the curve, or empty')
      return [part]
    },
  }),
  defineKind({
    guid: '42ad8dc1-b0c0-40df-91f5-2c46e589e6c2',
    description: 'Moves the seam of a closed curve.',
    solve: ([curve, seam], context) => {
      if (isClosed(curve, context.tolerance)) {
        // Source: pyhopper, rhino-test/oracle/cases/Curve/Seam.json, periodic_nurbs.
        if (curve.type === 'nurbsCurve' && hasPeriodicKnots(curve))
          context.approximate('In Rhino, this curve keeps its periodic knots and control points')
        return [moveSeam(curve, seam)]
      }
      context.warn('The curve is not closed')
      return [curve]
    },
  }),
  defineKind({
    guid: '2956d989-3599-476f-bc92-1d847aff98b6',
    description: 'Converts a curve of straight segments to a polyline.',
    solve: ([curve, , , shortest, longest], context) => {
      const vertices = findVertices(curve)
      if (vertices && !shortest && !longest) return [polyline(vertices), vertices.length - 1]
      context.limit('Polylines along bent curves, or with edges of given lengths, are not supported')
      return []
    },
  }),
]

const EXTENSIONS: readonly Extension[] = ['line', 'arc', 'smooth']

export const EXTENSION: readonly Kind[] = [
  defineKind({
    guid: '62cc9684-6a39-422e-aefa-ed44643557b9',
    description:
      'Extends a curve at its ends: by lines (0), by arcs (1) or smoothly (2). Negative lengths shorten it.',
    solve: ([curve, how, start, end], context) => {
      if (isClosed(curve, context.tolerance)) {
        context.warn('A closed curve has no ends')
        return [curve]
      }
      const shortened = shorten(curve, Math.max(0, -start), Math.max(0, -end))
      const longer =
        shortened && lengthen(shortened, Math.max(0, start), Math.max(0, end), EXTENSIONS[how] ?? 'line')
      if (!longer)
        context.error(shortened ? 'The curve has no direction at its end' : 'Nothing of the curve is left')
      return [longer]
    },
  }),
]

function shorten(curve: Curve, atStart: number, atEnd: number): Curve | undefined {
  if (atStart === 0 && atEnd === 0) return curve
  const whole = getLength(curve)
  if (atStart + atEnd >= whole) return undefined
  const { start, end } = getCurveDomain(curve)
  const from = atStart === 0 ? start : getParameterAtLength(curve, atStart)
  return findSubCurve(curve, from, atEnd === 0 ? end : getParameterAtLength(curve, whole - atEnd))
}

function lengthen(curve: Curve, atStart: number, atEnd: number, how: Extension): Curve | undefined {
  const longer = atEnd === 0 ? curve : extendEnd(curve, atEnd, how)
  return longer && atStart > 0 ? extendStart(longer, atStart, how) : longer
}

/** The part of a distance that shows which side is longer, also where the other cannot be offset that far. */
const TRIAL = 0.01

/**
 * Offsets a planar curve in its own plane, for a positive distance to the side where the offset is longer, which for a
 * closed curve is its outside. Undefined as in `findOffset`, for lines, and where both sides are alike.
 * Source: hopific.com, *How to offset curves in the same direction in Grasshopper*, on the component without a plane.
 */
function findOffsetInOwnPlane(curve: Curve, by: number, tolerance: number): Curve | undefined {
  const outwards = isClosed(curve, tolerance) ? findRegionPlane(curve, tolerance) : undefined
  if (outwards) return findOffset(curve, by, outwards, tolerance)
  const plane = findCurvePlane(curve, tolerance)
  if (!plane) return undefined
  const sides = [plane, flipPlane(plane)]
  // The lengths of approximations within the tolerance would differ by more than what counts as alike.
  const precision = hasFreePieces(curve) ? tolerance * TRIAL : tolerance
  const [one, other] = sides.map((side) => findOffset(curve, by * TRIAL, side, precision))
  if (!one || !other) return undefined
  const difference = getLength(one) - getLength(other)
  if (Math.abs(difference) <= tolerance * TRIAL) return undefined
  return findOffset(curve, by, sides[difference > 0 === by > 0 ? 0 : 1] as Plane, tolerance)
}
