import {
  createMirroring,
  createReorientation,
  createTranslation,
  findRotation,
} from '../../geometry/transform/create.ts'
import type { Xyz } from '../../values/points.ts'
import type { Geometry } from '../../values/value.ts'
import { subtract } from '../../values/vector.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, named, optional } from '../ports.ts'
import { GEOMETRY, giveTransformed, NAMED_TRANSFORMED, TRANSFORMED } from './give-transformed.ts'

function rotate(
  geometry: Geometry | undefined,
  centre: Xyz,
  axis: Xyz,
  angle: number,
  context: KindContext,
): ReturnType<typeof giveTransformed> {
  const rotation = findRotation(centre, axis, angle)
  if (rotation) return giveTransformed(geometry, rotation, context)
  context.error('The axis of rotation has no length')
  return {}
}

export const EUCLIDEAN: readonly Kind[] = [
  defineKind({
    guid: 'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b',
    description: 'Moves geometry along a vector.',
    inputs: { geometry: GEOMETRY, motion: item.vector },
    outputs: TRANSFORMED,
    solve: ({ geometry, motion }, context) => giveTransformed(geometry, createTranslation(motion), context),
  }),
  defineKind({
    guid: 'b7798b74-037e-4f0c-8ac7-dc1043d093e0',
    description: 'Turns geometry in a plane around its origin.',
    inputs: { geometry: GEOMETRY, angle: item.number, plane: item.plane },
    outputs: TRANSFORMED,
    solve: ({ geometry, angle, plane }, context) =>
      rotate(geometry, plane.origin, plane.zAxis, angle, context),
  }),
  defineKind({
    guid: '3dfb9a77-6e05-4016-9f20-94f78607d672',
    description: 'Turns geometry around an axis through a point.',
    inputs: { geometry: GEOMETRY, angle: item.number, centre: item.point, axis: item.vector },
    outputs: TRANSFORMED,
    solve: ({ geometry, angle, centre, axis }, context) => rotate(geometry, centre, axis, angle, context),
  }),
  defineKind({
    guid: '3ac8e589-37f5-477d-aa61-6699702c5728',
    name: 'Rotate Axis',
    description: 'Turns geometry around a line.',
    inputs: {
      geometry: named('Geometry (G)', optional(item.geometry)),
      angle: named('Angle (A)', item.number),
      axis: named('Axis (X)', item.line),
    },
    outputs: NAMED_TRANSFORMED,
    solve: ({ geometry, angle, axis: { from, to } }, context) =>
      rotate(geometry, from, subtract(to, from), angle, context),
  }),
  defineKind({
    guid: 'f12daa2f-4fd5-48c1-8ac3-5dea476912ca',
    description: 'Mirrors geometry in a plane.',
    inputs: { geometry: GEOMETRY, plane: item.plane },
    outputs: TRANSFORMED,
    solve: ({ geometry, plane }, context) => giveTransformed(geometry, createMirroring(plane), context),
  }),
  defineKind({
    guid: '378d0690-9da0-4dd1-ab16-1d15246e7c22',
    description: 'Brings geometry from one plane into another, as it stands in the first.',
    inputs: { geometry: GEOMETRY, source: item.plane, target: item.plane },
    outputs: TRANSFORMED,
    solve: ({ geometry, source, target }, context) =>
      giveTransformed(geometry, createReorientation(source, target), context),
  }),
]
