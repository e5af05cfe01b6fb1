import { findRotation } from '../../geometry/transform/create.ts'
import { findTransformedPlane } from '../../geometry/transform/transform-plane.ts'
import { findPlaneFromAxes, plane, pointAt, toLocal } from '../../values/planes.ts'
import { point } from '../../values/points.ts'
import { addScaled, cross, dot, ORIGIN, subtract } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'
import { givePlane } from './give-plane.ts'

export const PLANE_CHANGES: readonly Kind[] = [
  defineKind({
    guid: 'f6f14b09-6497-4564-8403-09e4eb5a6b82',
    name: 'Rotate Plane',
    description: 'A plane turned around its normal.',
    inputs: { plane: named('Plane (P)', item.plane), angle: named('Angle (A)', item.number) },
    outputs: { plane: named('Plane (P)', item.plane) },
    solve: ({ plane: base, angle }, context) => {
      const rotation = findRotation(base.origin, base.zAxis, angle)
      return givePlane(rotation && findTransformedPlane(base, rotation), 'The angle is not finite', context)
    },
  }),
  defineKind({
    guid: 'c73e1ed0-82a2-40b0-b4df-8f10e445d60b',
    name: 'Flip Plane',
    description: 'A plane whose axes are turned around, and change places.',
    inputs: {
      plane: named('Plane (P)', item.plane),
      reversesX: named('Reverse X (X)', item.boolean),
      reversesY: named('Reverse Y (Y)', item.boolean),
      swaps: named('Swap axes (S)', item.boolean),
    },
    outputs: { plane: named('Plane (P)', item.plane) },
    solve: ({ plane: { origin, xAxis, yAxis }, reversesX, reversesY, swaps }) => {
      const x = reversesX ? subtract(ORIGIN, xAxis) : xAxis
      const y = reversesY ? subtract(ORIGIN, yAxis) : yAxis
      return { plane: swaps ? plane(origin, y, x, cross(y, x)) : plane(origin, x, y, cross(x, y)) }
    },
  }),
  defineKind({
    guid: 'e76040ec-3b91-41e1-8e00-c74c23b89391',
    name: 'Align Plane',
    description:
      'A plane turned around its normal until x goes along a direction, and the angle of that turn.',
    inputs: { plane: named('Plane (P)', item.plane), direction: named('Direction (D)', item.vector) },
    outputs: { plane: named('Plane (P)', item.plane), angle: named('Angle (A)', item.number) },
    solve: ({ plane: base, direction }, context) => {
      const { origin, xAxis, yAxis, zAxis } = base
      const [x, y] = [dot(direction, xAxis), dot(direction, yAxis)]
      const along = addScaled(direction, zAxis, -dot(direction, zAxis))
      const aligned = findPlaneFromAxes(origin, along, cross(zAxis, along))
      const given = givePlane(aligned, 'A direction square to the plane is not supported', context)
      return aligned ? { ...given, angle: Math.atan2(y, x) } : given
    },
  }),
  defineKind({
    guid: 'b075c065-efda-4c9f-9cc9-288362b1b4b9',
    name: 'Plane Closest Point',
    description:
      'The nearest place in a plane, its coordinates there, and how high above the plane the point was.',
    inputs: { point: named('Point (S)', item.point), plane: named('Plane (P)', item.plane) },
    outputs: {
      closest: named('Point (P)', item.point),
      uv: named('UV Point (uv)', item.point),
      distance: named('Distance (D)', item.number),
    },
    solve: ({ point: place, plane: base }) => {
      const { x, y, z } = toLocal(base, place)
      return { closest: pointAt(base, x, y), uv: point(x, y, 0), distance: z }
    },
  }),
]
