import {
  createProjection,
  createScaling,
  createUniformScaling,
  findProjectionAlong,
} from '../../geometry/transform/create.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named, optional } from '../ports.ts'
import { GEOMETRY, giveTransformed, NAMED_TRANSFORMED, TRANSFORMED } from './give-transformed.ts'

export const AFFINE: readonly Kind[] = [
  defineKind({
    guid: '4d2a06bd-4b0f-4c65-9ee0-4220e4c01703',
    description: 'Scales geometry from a centre, by one factor in all directions.',
    inputs: { geometry: GEOMETRY, centre: item.point, factor: item.number },
    outputs: TRANSFORMED,
    solve: ({ geometry, centre, factor }, context) =>
      giveTransformed(geometry, createUniformScaling(centre, factor), context),
  }),
  defineKind({
    guid: '290f418a-65ee-406a-a9d0-35699815b512',
    description: 'Scales geometry by a factor along each axis of a plane.',
    inputs: { geometry: GEOMETRY, plane: item.plane, x: item.number, y: item.number, z: item.number },
    outputs: TRANSFORMED,
    solve: ({ geometry, plane, x, y, z }, context) =>
      giveTransformed(geometry, createScaling(plane, x, y, z), context),
  }),
  defineKind({
    guid: '23285717-156c-468f-a691-b242488c06a6',
    description: 'Brings geometry straight down on a plane.',
    inputs: { geometry: GEOMETRY, plane: item.plane },
    outputs: TRANSFORMED,
    solve: ({ geometry, plane }, context) => giveTransformed(geometry, createProjection(plane), context),
  }),
  defineKind({
    guid: '06d7bc4a-ba3e-4445-8ab5-079613b52f28',
    name: 'Project Along',
    description: 'Brings geometry on a plane along a direction.',
    inputs: {
      geometry: named('Geometry (G)', optional(item.geometry)),
      plane: named('Plane (P)', item.plane),
      direction: named('Direction (D)', item.vector),
    },
    outputs: NAMED_TRANSFORMED,
    solve: ({ geometry, plane, direction }, context) => {
      const projection = findProjectionAlong(plane, direction)
      if (projection) return giveTransformed(geometry, projection, context)
      context.error('The direction lies in the plane')
      return {}
    },
  }),
]
