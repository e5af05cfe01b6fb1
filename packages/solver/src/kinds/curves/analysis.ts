import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findDiscontinuities, getKinkAngle } from '@meadow/geometry/curves/discontinuities'
import { divideByCount } from '@meadow/geometry/curves/divide'
import { evaluate, findTangent, getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { findCurvatureFrame } from '@meadow/geometry/curves/frames'
import { getLength, getParameterAtLength } from '@meadow/geometry/curves/length'
import { findCurvePlane } from '@meadow/geometry/curves/planarity'
import { getWindingNumber } from '@meadow/geometry/curves/point-in-curve'
import { isClosed } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { findPlaneFromAxes, pointAt, toLocal } from '@meadow/geometry/values/planes'
import {
  type Plane,
  type Point,
  toPoint,
  toVector,
  type Vector,
  type Xyz,
} from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { cross, distance, dot, subtract, X_AXIS, Z_AXIS } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, list } from '../declaration/ports.ts'

export const CURVE_ANALYSIS: readonly Kind[] = [
  defineKind({
    guid: '11bbd48b-bb0a-4f1b-8167-fa297590390d',
    description: 'The two ends of a curve.',
    solve: ([curve]) => [toPoint(getStart(curve)), toPoint(getEnd(curve))],
  }),
  defineKind({
    guid: 'c75b62fa-0a33-4da7-a5bd-03fd0068fd93',
    description: 'The length of a curve.',
    solve: ([curve]) => [getLength(curve)],
  }),
  defineKind({
    guid: 'ccc7b468-e743-4049-891f-299432545898',
    description: 'The point half way along a curve.',
    solve: ([curve]) => [toPoint(getPoint(curve, getParameterAtLength(curve, getLength(curve) / 2)))],
  }),
  defineKind({
    guid: 'fc6979e4-7e91-4508-8e05-37c680779751',
    description: 'The point on a curve at a parameter, the direction there, and the angle of a kink.',
    solve: ([curve, parameter]) => [...describe(curve, parameter), getKinkAngle(curve, parameter)],
  }),
  defineKind({
    guid: '6b021f56-b194-4210-b9a1-6cef3b7d0848',
    description: 'The point at a length along a curve, absolute or as a fraction of the whole length.',
    solve: ([curve, length, isNormalized], context) => {
      const whole = getLength(curve)
      const target = isNormalized ? length * whole : length
      const slack = 1e-12 * (1 + whole)
      if (!(target >= -slack && target <= whole + slack)) {
        context.error('The length is not on the curve')
        return []
      }
      const parameter = getParameterAtLength(curve, target)
      return [...describe(curve, parameter), parameter]
    },
  }),
  defineKind({
    guid: '2dc44b22-b1dd-460a-a704-6462d6e91096',
    description: 'The closest point on a curve to a point.',
    solve: ([point, curve]) => {
      const closest = findClosestPoint(curve, point)
      return closest ? [toPoint(closest.point), closest.parameter, closest.distance] : []
    },
  }),
  defineKind({
    guid: '424eb433-2b3a-4859-beaf-804d8af0afd7',
    description: 'The control points of a curve as a NURBS curve, with their weights, and its knots.',
    solve: ([curve]) => {
      const { points, weights, knots } = toNurbs(curve)
      return [points.map(toPoint), weights ?? points.map(() => 1), knots]
    },
  }),
  defineKind({
    guid: '269eaa85-9997-4d77-a9ba-4c58cb45c9d3',
    description:
      'Finds where a curve is not smooth: where its direction (1), its curvature (2) or any derivative (3) jumps.',
    solve: ([curve, level], context) => {
      if (level !== 1 && level !== 2 && level !== 3) {
        context.error('The level must be 1, 2 or 3')
        return []
      }
      const parameters = findDiscontinuities(curve, level)
      return [parameters.map((t): Point => toPoint(getPoint(curve, t))), parameters]
    },
  }),
  defineKind({
    guid: 'a72b0bd3-c7a7-458e-875d-09ae1624638c',
    description:
      'Tests whether a point is outside a closed curve (0), on it (1) or inside it (2), seen perpendicular to its plane.',
    solve: ([point, curve], context) => {
      const found = relate(point, curve, context.tolerance)
      if (found) return [found.relationship, found.location]
      context.error('The curve must be closed and lie in a plane')
      return []
    },
  }),
  defineKind({
    guid: '0b04e8b9-00d7-47a7-95c3-0d51e654fe88',
    description:
      'Finds the first of several closed curves that a point is inside of (2) or on (1), each seen perpendicular to its plane.',
    solve: ([point, curves], context) => {
      const relations = curves.map((curve) => curve && relate(point, curve, context.tolerance))
      const index = relations.findIndex((found) => found && found.relationship > 0)
      const found = relations[index]
      if (found) return [found.relationship, index, found.location]
      if (relations.some((found) => found && distance(found.location, point) > context.tolerance))
        context.approximate('The point is outside all curves, and Grasshopper may move it into a plane')
      return [0, -1, point]
    },
  }),
  defineKind({
    guid: 'ab14760f-87a6-462e-b481-4a2c26a9a0d7',
    description: 'The point on a curve at a parameter, and the first derivative there.',
    solve: ([curve, parameter]) => {
      const [point, first] = evaluate(curve, parameter, 1) as [Xyz, Xyz]
      return [toPoint(point), toVector(first)]
    },
  }),
  defineKind({
    guid: 'dbe9fce4-b6b3-465f-9615-34833c4763bd',
    description:
      'The point on a curve at a parameter, and how fast the curve leaves its plane of curvature there.',
    solve: ([curve, parameter]) => {
      const [point, first, second, third] = evaluate(curve, parameter, 3) as [Xyz, Xyz, Xyz, Xyz]
      const binormal = cross(first, second)
      const size = dot(binormal, binormal)
      return [toPoint(point), size === 0 ? 0 : dot(binormal, third) / size]
    },
  }),
  defineKind({
    guid: 'bb2e13da-09ca-43fd-bef8-8d71f3653af9',
    description:
      'Whether a point is to the left (-1) or to the right (1) of a curve, or neither (0), as seen on a plane.',
    solve: ([curve, point, plane], context) => {
      const closest = findClosestPoint(curve, point)
      const tangent = closest && findTangent(curve, closest.parameter)
      if (!tangent) return []
      const normal = plane?.zAxis ?? findSideNormal(curve, context)
      const away = dot(cross(tangent, subtract(point, closest.point)), normal)
      const side = Math.abs(away) <= context.tolerance ? 0 : -Math.sign(away)
      return [side, side < 0, side > 0]
    },
  }),
]

/** Without a plane, a circle or an arc is seen on its own, and other curves on the plane of the world. */
function findSideNormal(curve: Curve, context: KindContext): Xyz {
  if (curve.type === 'circle' || curve.type === 'arc') return curve.plane.zAxis
  const own = findCurvePlane(curve, context.tolerance)
  if (own && Math.abs(own.zAxis.z) < 1 - LEVEL)
    context.approximate('The curve lies in a plane that is not level, from whose other side Rhino may see it')
  return Z_AXIS
}

const LEVEL = 1e-9

/** Where a point is to a closed curve in a plane, once it was moved there; undefined for other curves. */
export function relate(point: Xyz, curve: Curve, tolerance: number) {
  const plane = findCurvePlane(curve, tolerance)
  if (!plane || !isClosed(curve, tolerance)) return undefined
  const { x, y } = toLocal(plane, point)
  const location = pointAt(plane, x, y)
  const isOn = (findClosestPoint(curve, location)?.distance ?? Infinity) <= tolerance
  const relationship = isOn ? 1 : getWindingNumber(curve, plane, location) === 0 ? 0 : 2
  return { relationship, location }
}

function describe(curve: Curve, parameter: number): [point: Point, tangent: Vector | undefined] {
  const tangent = findTangent(curve, parameter)
  return [toPoint(getPoint(curve, parameter)), tangent && toVector(tangent)]
}

type FindFrame = (curve: Curve, t: number) => Plane | undefined

export const CURVE_FRAMES: readonly Kind[] = [
  defineFrame(
    '6b2a5853-07aa-4329-ba84-0a5d46b51dbd',
    'The plane along a curve at a parameter, with the y axis towards its centre of curvature.',
    findCurvatureFrame,
  ),
  defineFrame(
    'c048ad76-ffcd-43b1-a007-4dd1b2373326',
    'The level plane at a parameter of a curve, with the x axis along the curve as seen from above.',
    findLevelFrame,
  ),
  defineFrames(
    '0e94542a-2e46-4793-9f98-2200b06b28f4',
    'Planes along a curve at equal distances, with the y axis towards its centre of curvature.',
    findCurvatureFrame,
  ),
  defineFrames(
    '8d058945-ce47-4e7c-82af-3269295d7890',
    'Level planes along a curve at equal distances, with the x axis along the curve as seen from above.',
    findLevelFrame,
  ),
]

function defineFrame(guid: string, description: string, findFrame: FindFrame): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.curve, item.number],
    outputs: [item.plane],
    solve: ([curve, parameter]) => [findFrame(curve, parameter)],
  })
}

function defineFrames(guid: string, description: string, findFrame: FindFrame): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.curve, item.integer],
    outputs: [list.plane, list.number],
    solve: ([curve, count], context) => {
      if (count < 1) {
        context.error('The count must be 1 or more')
        return []
      }
      const parameters = divideByCount(curve, count)
      return [parameters.map((t) => findFrame(curve, t) ?? null), parameters]
    },
  })
}

function findLevelFrame(curve: Curve, t: number): Plane | undefined {
  const { x, y } = findTangent(curve, t) ?? X_AXIS
  const along = Math.hypot(x, y) > 1e-12 ? { x, y, z: 0 } : X_AXIS
  return findPlaneFromAxes(getPoint(curve, t), along, cross(Z_AXIS, along))
}
