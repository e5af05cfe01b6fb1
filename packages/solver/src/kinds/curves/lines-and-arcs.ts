import { findCircumcentre } from '@meadow/geometry/curves/circle-through'
import { createNurbs, listWeighted } from '@meadow/geometry/curves/knots'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { fitLine } from '@meadow/geometry/fit-line'
import { arc, type Circle, circle, type Line, line } from '@meadow/geometry/values/curves'
import {
  plane as createPlane,
  findPlaneAcross,
  findPlaneFromAxes,
  findPlaneFromNormal,
  pointAt,
  toLocal,
} from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import {
  addScaled,
  areEqual,
  cross,
  distance,
  dot,
  findUnit,
  scale,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const LINES: readonly Kind[] = [
  defineKind({
    guid: '4c4e56eb-2f04-43f9-95a3-cc46a14f495a',
    description: 'A line from one point to another.',
    solve: ([from, to], context) => {
      if (!areEqual(from, to)) return [line(from, to)]
      context.warn('Both ends are at the same place')
      return []
    },
  }),
  defineKind({
    guid: '4c619bc9-39fd-4717-82a6-1e07ea237bbe',
    description: 'A line from a point in a direction with a length; a negative length reverses it.',
    solve: ([start, direction, length], context) => {
      const unit = findUnit(direction)
      if (unit && length !== 0) return [line(start, addScaled(start, unit, length))]
      context.warn(unit ? 'The length is zero' : 'The direction has no length')
      return []
    },
  }),
  defineKind({
    guid: 'b9fde5fa-d654-4306-8ee1-6b69e6757604',
    description: 'The part of a line, extended as far as needed, between the projections of two points.',
    solve: ([guide, a, b], context) => {
      const unit = findUnit(subtract(guide.to, guide.from))
      const place = (point: Xyz) =>
        unit && addScaled(guide.from, unit, dot(subtract(point, guide.from), unit))
      return createPart(place(a), place(b), context)
    },
  }),
  defineKind({
    guid: '510c4a63-b9bf-42e7-9d07-9d71290264da',
    description: 'The part of a line, extended as far as needed, between two planes.',
    solve: ([guide, a, b], context) => {
      const unit = findUnit(subtract(guide.to, guide.from))
      const place = ({ origin, zAxis }: Plane) => {
        const rise = unit ? dot(unit, zAxis) : 0
        if (!unit || Math.abs(rise) < PARALLEL) return undefined
        return addScaled(guide.from, unit, dot(subtract(origin, guide.from), zAxis) / rise)
      }
      return createPart(place(a), place(b), context)
    },
  }),
  defineKind({
    guid: '9d8dec9c-3fd1-481c-9c3d-75ea5e15eb1a',
    description: 'An arc with another radius or other angles.',
    solve: ([{ plane, radius, startAngle, endAngle }, otherRadius, angles], context) => {
      const [start, end] = angles ? [angles.start, angles.end] : [startAngle, endAngle]
      const changed = otherRadius ?? radius
      if (changed > 0 && end > start && end - start <= 2 * Math.PI) return [arc(plane, changed, start, end)]
      context.limit('An arc needs a positive radius, and angles that grow by a whole turn at most')
      return []
    },
  }),
  defineKind({
    guid: 'ea0f0996-af7a-481d-8099-09c041e6c2d5',
    description: 'The two lines from a point that touch a circle in its plane.',
    solve: ([from, { plane, radius }], context) => {
      const { x, y, z } = toLocal(plane, from)
      const away = Math.hypot(x, y)
      if (Math.abs(z) > context.tolerance) {
        context.limit('Tangents from a point that is not in the plane of the circle are not supported')
        return []
      }
      if (away <= radius) {
        context.error('The point is not outside the circle')
        return []
      }
      const [angle, half] = [Math.atan2(y, x), Math.acos(radius / away)]
      const touch = (at: number) => line(from, pointAt(plane, radius * Math.cos(at), radius * Math.sin(at)))
      return [touch(angle + half), touch(angle - half)]
    },
  }),
  defineKind({
    guid: '1f798a28-9de6-47b5-8201-cac57256b777',
    description:
      'The line that fits points best, as long as they reach; it runs along its largest coordinate.',
    solve: ([points], context) => {
      const fit = fitLine(present(points))
      if (fit === 'round') context.limit('Points that spread equally in two directions are not supported')
      else if (!fit) context.error('Two points in different places are needed')
      if (!fit || fit === 'round') return []
      if (!fit.hasDirection) context.approximate('The line may run in the other direction in Rhino')
      return [fit.line]
    },
  }),
]

/** A line and a plane are parallel if the line rises over the plane by less than this part of its length. */
const PARALLEL = 1e-12

function createPart(from: Xyz | undefined, to: Xyz | undefined, context: KindContext): [Line?] {
  if (!from || !to) context.error('The line has no length, or is parallel to a plane')
  else if (!areEqual(from, to)) return [line(from, to)]
  else context.warn('Both ends are at the same place')
  return []
}

export const CIRCLES: readonly Kind[] = [
  defineKind({
    guid: '807b86e3-be8d-4970-92b5-f8cdcb45b06b',
    description: 'A circle in a plane around its origin.',
    solve: ([plane, radius], context) => createCircle(plane, radius, context),
  }),
  defineKind({
    guid: 'd114323a-e6ee-4164-946b-e4ca0ce15efa',
    description: 'A circle around a point, perpendicular to a vector.',
    solve: ([centre, normal, radius], context) => {
      const plane = findPlaneFromNormal(centre, normal)
      if (plane) return createCircle(plane, radius, context)
      context.error('The normal has no length')
      return []
    },
  }),
  defineKind({
    guid: '46b5564d-d3eb-4bf1-ae16-15ed132cfd88',
    description: 'An ellipse in a plane around its origin, and its two foci.',
    solve: ([plane, radiusX, radiusY], context) => {
      if (!(radiusX > 0 && radiusY > 0)) {
        context.error('The radii must be larger than zero')
        return []
      }
      const reach = Math.sqrt(Math.abs(radiusX ** 2 - radiusY ** 2))
      const [u, v] = radiusX >= radiusY ? [reach, 0] : [0, reach]
      return [createEllipse(plane, radiusX, radiusY), pointAt(plane, u, v), pointAt(plane, -u, -v)]
    },
  }),
]

function createCircle(plane: Plane, radius: number, context: KindContext): [circle?: Circle] {
  if (radius > 0) return [circle(plane, radius)]
  context.error('The radius must be larger than zero')
  return []
}

/** A scaled unit circle; its parameter is the angle. */
function createEllipse(plane: Plane, radiusX: number, radiusY: number): Curve {
  const unit = toNurbs(circle(plane, 1))
  const points = listWeighted(unit).map(({ x, y, z, w }) => {
    const local = toLocal(plane, { x: x / w, y: y / w, z: z / w })
    const point = pointAt(plane, local.x * radiusX, local.y * radiusY)
    return { x: point.x * w, y: point.y * w, z: point.z * w, w }
  })
  return createNurbs(points, unit.degree, unit.knots)
}

type ArcOutputs = [arc?: Curve, plane?: Plane, radius?: number]

export const ARCS: readonly Kind[] = [
  defineKind({
    guid: 'bb59bffc-f54c-4682-9778-f6c3fe74fce3',
    description: 'An arc in a plane around its origin, through a range of angles.',
    solve: ([plane, radius, { start, end }], context) => {
      if (!(radius > 0) || start === end) {
        context.error('The radius must be larger than zero, and the angle too')
        return []
      }
      // A clockwise arc is counter-clockwise in the reversed plane.
      const own =
        end > start ? arc(plane, radius, start, end) : arc(reverseNormal(plane), radius, -start, -end)
      return [own, radius * Math.abs(end - start)]
    },
  }),
  defineKind({
    guid: '9fa1b081-b1c7-4a12-a163-0aa8da9ff6c4',
    description: 'The arc through three points.',
    solve: ([a, b, c], context) => {
      if (areEqual(a, b) || areEqual(b, c) || areEqual(a, c)) {
        context.error('Two of the points are the same')
        return []
      }
      const centre = findCircumcentre(a, b, c)
      const normal = cross(subtract(b, a), subtract(c, a))
      const plane = centre && findPlaneAcross(centre, normal, subtract(a, centre))
      return plane ? createArc(plane, distance(a, plane.origin), c) : createStraight(a, c)
    },
  }),
  defineKind({
    guid: '9d2583dd-6cf5-497c-8c40-c9a290598396',
    description:
      'The arc from one point to another with a given start direction; a line if the direction is along it or has no length.',
    solve: ([start, end, direction], context) => {
      if (areEqual(start, end)) {
        context.error('Both ends are at the same place')
        return []
      }
      return findArcAlong(start, direction, end) ?? createStraight(start, end)
    },
  }),
]

/** The arc from one point to another in a start direction; undefined where it is along the chord or has no length. */
export function findArcAlong(start: Xyz, direction: Xyz, end: Xyz): ArcOutputs | undefined {
  const chord = subtract(end, start)
  const side = findPlaneFromAxes(start, direction, chord)
  if (!side) return undefined
  const radius = dot(chord, chord) / (2 * dot(chord, side.yAxis))
  const centre = pointAt(side, 0, radius)
  return createArc(createPlane(centre, scale(side.yAxis, -1), side.xAxis, side.zAxis), radius, end)
}

function reverseNormal({ origin, xAxis, yAxis, zAxis }: Plane): Plane {
  return createPlane(origin, xAxis, scale(yAxis, -1), scale(zAxis, -1))
}

/** An arc in a plane around its origin from the x axis to a point. */
function createArc(plane: Plane, radius: number, to: Xyz): ArcOutputs {
  const { x, y } = toLocal(plane, to)
  const angle = Math.atan2(y, x)
  return [arc(plane, radius, 0, angle > 0 ? angle : angle + 2 * Math.PI), plane, radius]
}

/** A line where the arc is degenerate; its radius is infinite. */
function createStraight(from: Xyz, to: Xyz): ArcOutputs {
  const square = findPlaneFromNormal(from, subtract(to, from))
  if (!square) return []
  const plane = createPlane(from, square.zAxis, square.xAxis, square.yAxis)
  return [line(from, to), plane, Infinity]
}
