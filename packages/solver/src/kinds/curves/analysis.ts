import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findDiscontinuities, getKinkAngle } from '@meadow/geometry/curves/discontinuities'
import { divideByCount } from '@meadow/geometry/curves/divide'
import { findTangent, getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { findCurvatureFrame } from '@meadow/geometry/curves/frames'
import { getLength, getParameterAtLength } from '@meadow/geometry/curves/length'
import { findCurvePlane } from '@meadow/geometry/curves/planarity'
import { getWindingNumber } from '@meadow/geometry/curves/point-in-curve'
import { isClosed } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { findPlaneFromAxes, pointAt, toLocal } from '@meadow/geometry/values/planes'
import { type Plane, type Point, toPoint, toVector, type Vector } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { cross, X_AXIS, Z_AXIS } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
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
      const plane = findCurvePlane(curve, context.tolerance)
      if (!plane || !isClosed(curve, context.tolerance)) {
        context.error('The curve must be closed and lie in a plane')
        return []
      }
      const { x, y } = toLocal(plane, point)
      const location = pointAt(plane, x, y)
      const isOn = (findClosestPoint(curve, location)?.distance ?? Infinity) <= context.tolerance
      return [isOn ? 1 : getWindingNumber(curve, plane, location) === 0 ? 0 : 2, location]
    },
  }),
]

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
