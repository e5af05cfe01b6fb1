import { findVertices } from '@meadow/geometry/curves/vertices'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import {
  createMirroring,
  createProjection,
  createReorientation,
  createScaling,
  createTranslation,
  createUniformScaling,
  findProjectionAlong,
  findRotation,
} from '@meadow/geometry/transform/create'
import { compose, createTransform, findInverse } from '@meadow/geometry/transform/matrix'
import type { Rectangle } from '@meadow/geometry/values/curves'
import { findPlaneFromPoints, pointAt } from '@meadow/geometry/values/planes'
import type { Box, Plane, Xyz } from '@meadow/geometry/values/points'
import type { Curve, Domain, Geometry, Transform } from '@meadow/geometry/values/value'
import { areEqual, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, optional } from '../declaration/ports.ts'
import { createTransformOutputs } from './transform-outputs.ts'

function rotate(
  geometry: Geometry | undefined,
  centre: Xyz,
  axis: Xyz,
  angle: number,
  context: KindContext,
): ReturnType<typeof createTransformOutputs> {
  const rotation = findRotation(centre, axis, angle)
  if (rotation) return createTransformOutputs(geometry, rotation, context)
  context.error('The axis of rotation has no length')
  return []
}

export const EUCLIDEAN: readonly Kind[] = [
  defineKind({
    guid: 'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b',
    description: 'Moves geometry along a vector.',
    solve: ([geometry, motion], context) =>
      createTransformOutputs(geometry, createTranslation(motion), context),
  }),
  defineKind({
    guid: 'b7798b74-037e-4f0c-8ac7-dc1043d093e0',
    description: 'Rotates geometry in a plane around its origin.',
    solve: ([geometry, angle, plane], context) => rotate(geometry, plane.origin, plane.zAxis, angle, context),
  }),
  defineKind({
    guid: '3dfb9a77-6e05-4016-9f20-94f78607d672',
    description: 'Rotates geometry around an axis through a point.',
    solve: ([geometry, angle, centre, axis], context) => rotate(geometry, centre, axis, angle, context),
  }),
  defineKind({
    guid: '3ac8e589-37f5-477d-aa61-6699702c5728',
    description: 'Rotates geometry around a line.',
    solve: ([geometry, angle, { from, to }], context) =>
      rotate(geometry, from, subtract(to, from), angle, context),
  }),
  defineKind({
    guid: 'f12daa2f-4fd5-48c1-8ac3-5dea476912ca',
    description: 'Mirrors geometry in a plane.',
    solve: ([geometry, plane], context) => createTransformOutputs(geometry, createMirroring(plane), context),
  }),
  defineKind({
    guid: '378d0690-9da0-4dd1-ab16-1d15246e7c22',
    description: 'Moves geometry from one plane to another and keeps its orientation relative to the plane.',
    solve: ([geometry, source, target], context) =>
      createTransformOutputs(geometry, createReorientation(source, target), context),
  }),
]

export const AFFINE: readonly Kind[] = [
  defineKind({
    guid: '4d2a06bd-4b0f-4c65-9ee0-4220e4c01703',
    description: 'Scales geometry from a centre, by one factor in all directions.',
    solve: ([geometry, centre, factor], context) =>
      createTransformOutputs(geometry, createUniformScaling(centre, factor), context),
  }),
  defineKind({
    guid: '290f418a-65ee-406a-a9d0-35699815b512',
    description: 'Scales geometry by a factor along each axis of a plane.',
    solve: ([geometry, plane, x, y, z], context) =>
      createTransformOutputs(geometry, createScaling(plane, x, y, z), context),
  }),
  defineKind({
    guid: '23285717-156c-468f-a691-b242488c06a6',
    description: 'Projects geometry onto a plane, perpendicular to it.',
    inputs: [optional(item.geometry), item.plane],
    outputs: [item.geometry, item.transform],
    solve: ([geometry, plane], context) => createTransformOutputs(geometry, createProjection(plane), context),
  }),
  defineKind({
    guid: '06d7bc4a-ba3e-4445-8ab5-079613b52f28',
    description: 'Projects geometry onto a plane along a direction.',
    inputs: [optional(item.geometry), item.plane, item.vector],
    outputs: [item.geometry, item.transform],
    solve: ([geometry, plane, direction], context) => {
      const projection = findProjectionAlong(plane, direction)
      if (projection) return createTransformOutputs(geometry, projection, context)
      context.error('The direction lies in the plane')
      return []
    },
  }),
  defineKind({
    guid: '17d40004-489e-42d9-ad10-857f7b436801',
    description:
      'Maps geometry from one rectangle to another: it is moved, turned, and scaled along both sides.',
    solve: ([geometry, source, target], context) => {
      const [from, to] = [findCorner(source), findCorner(target)]
      const [scaleX, scaleY] = [to.width / from.width, to.height / from.height]
      if (scaleX !== 1 || scaleY !== 1) {
        if (!geometry || !isInPlane(geometry, from.plane, context)) {
          context.limit('How the height above rectangles of different sizes is scaled is not published')
          return []
        }
        context.approximate(
          'Rhino may scale heights above the rectangle, which its transformation keeps here',
        )
      }
      const scaling = createScaling(from.plane, scaleX, scaleY, 1)
      const mapping = compose(scaling, createReorientation(from.plane, to.plane))
      return createTransformOutputs(geometry, mapping, context)
    },
  }),
  defineKind({
    guid: '8465bcce-9e0a-4cf4-bbda-1a7ce5681e10',
    description: 'Maps geometry from one box to another: it is moved, turned, and scaled along all sides.',
    solve: ([geometry, source, target], context) => {
      const [x, y, z] = [
        scaleOf(source.x, target.x),
        scaleOf(source.y, target.y),
        scaleOf(source.z, target.z),
      ]
      if (![x, y, z].every(Number.isFinite)) {
        context.limit('Source boxes without extent are not supported')
        return []
      }
      const [from, to] = [cornerOf(source), cornerOf(target)]
      const mapping = compose(createScaling(from, x, y, z), createReorientation(from, to))
      return createTransformOutputs(geometry, mapping, context)
    },
  }),
  defineKind({
    guid: '61d81100-c4d3-462d-8b51-d951c0ae32db',
    description: 'Maps geometry in the plane of a triangle from it to another one.',
    solve: ([geometry, source, target], context) => {
      const [from, to] = [findTriangle(source), findTriangle(target)]
      const inverse = from && findInverse(from.frame)
      if (!to || !inverse) {
        context.limit('Only triangles with an area are mapped')
        return []
      }
      if (!geometry || !isInPlane(geometry, from.plane, context)) {
        context.limit('How the height above triangles is scaled is not published')
        return []
      }
      context.approximate('Rhino may scale heights above the triangle, which its transformation keeps here')
      return createTransformOutputs(geometry, compose(inverse, to.frame), context)
    },
  }),
  defineKind({
    guid: '407e35c6-7c40-4652-bd80-fde1eb7ec034',
    description: 'Mirrors geometry at a point, as the picture in a pinhole camera, and scales it.',
    solve: ([geometry, point, factor], context) =>
      createTransformOutputs(geometry, createUniformScaling(point, -factor), context),
  }),
]

/** Whether no point of geometry is further from a plane than the tolerance. */
function isInPlane(geometry: Geometry, plane: Plane, { tolerance }: KindContext): boolean {
  const bounds = findTightBounds(geometry, plane)
  return bounds !== undefined && Math.max(-bounds.min.z, bounds.max.z) <= tolerance
}

/** A rectangle from its first corner on. */
function findCorner(rectangle: Rectangle) {
  const { x, y } = rectangle
  return { plane: cornerOf(rectangle), width: x.end - x.start, height: y.end - y.start }
}

/** The plane of a rectangle or box, at its first corner. */
function cornerOf(shape: Rectangle | Box): Plane {
  const { plane, x, y } = shape
  return { ...plane, origin: pointAt(plane, x.start, y.start, shape.type === 'box' ? shape.z.start : 0) }
}

function scaleOf(source: Domain, target: Domain): number {
  return (target.end - target.start) / (source.end - source.start)
}

/** The plane of a triangle, and the transform from two unit vectors and a normal to its edges; undefined for others. */
function findTriangle(curve: Curve): { plane: Plane; frame: Transform } | undefined {
  const [a, b, c, last, ...more] = findVertices(curve) ?? []
  if (!a || !b || !c || !last || more.length > 0 || !areEqual(a, last)) return undefined
  const plane = findPlaneFromPoints(a, b, c)
  const [u, v] = [subtract(b, a), subtract(c, a)]
  const row = (axis: 'x' | 'y' | 'z', { zAxis }: Plane) => [u[axis], v[axis], zAxis[axis], a[axis]] as const
  return plane && { plane, frame: createTransform([row('x', plane), row('y', plane), row('z', plane)]) }
}
