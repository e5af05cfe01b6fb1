import { findRotation } from '@meadow/geometry/transform/create'
import { transformDirection } from '@meadow/geometry/transform/matrix'
import { toLocal } from '@meadow/geometry/values/planes'
import { type Plane, toVector, type Vector, vector, type Xyz } from '@meadow/geometry/values/points'
import {
  add,
  cross,
  dot,
  findUnit,
  length,
  ORIGIN,
  scale,
  subtract,
  X_AXIS,
  Y_AXIS,
  Z_AXIS,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, present } from '../declaration/ports.ts'

const alongAxis = (guid: string, name: string, axis: Xyz): Kind =>
  defineKind({
    guid,
    description: `A vector along the world's ${name} axis.`,
    inputs: [item.number],
    outputs: [item.vector],
    solve: ([factor]) => [vector(axis.x && factor, axis.y && factor, axis.z && factor)],
  })

export const VECTORS: readonly Kind[] = [
  alongAxis('79f9fbb3-8f1d-4d9a-88a9-f7961b1012cd', 'x', X_AXIS),
  alongAxis('d3d195ea-2d59-4ffa-90b1-8b7ff3369f69', 'y', Y_AXIS),
  alongAxis('9103c240-a6a9-4223-9b42-dbd19bf38e2b', 'z', Z_AXIS),
  defineKind({
    guid: '56b92eab-d121-43f7-94d3-6cd8f0ddead8',
    description: 'A vector from its three components, and its length.',
    solve: ([x, y, z]) => [vector(x, y, z), Math.hypot(x, y, z)],
  }),
  defineKind({
    guid: 'a50fcd4a-cf42-4c3f-8616-022761e6cc93',
    description: 'The three components of a vector.',
    solve: ([{ x, y, z }]) => [x, y, z],
  }),
  defineKind({
    guid: '934ede4a-924a-4973-bb05-0dc4b36fae75',
    description: 'The vector from one point to another, optionally of length one, and its length.',
    solve: ([from, to, isUnit], context) => createVectorOutputs(subtract(to, from), isUnit, context),
  }),
  defineKind({
    guid: '6ec39468-dae7-4ffa-a766-f2ab22a2c62e',
    description: 'A vector with the same direction and a new length.',
    solve: ([direction, amplitude], context) => [toVector(scale(unitise(direction, context), amplitude))],
  }),
  defineKind({
    guid: 'd2da1306-259a-4994-85a4-672d8a4c7805',
    description: 'A vector with the same direction and length one; a zero vector stays.',
    solve: ([direction]) => [toVector(findUnit(direction) ?? direction)],
  }),
  defineKind({
    guid: '675e31bf-1775-48d7-bb8d-76b77786dd53',
    description: 'The length of a vector.',
    solve: ([direction]) => [length(direction)],
  }),
  defineKind({
    guid: 'd5788074-d75d-4021-b1a3-0bf992928584',
    description: 'Reverses a vector.',
    solve: ([{ x, y, z }]) => [vector(0 - x, 0 - y, 0 - z)],
  }),
  defineKind({
    guid: 'b6d7ba20-cf74-4191-a756-2216a36e30a7',
    description: 'Rotates a vector around an axis.',
    solve: ([direction, axis, angle], context) => {
      const rotation = findRotation(ORIGIN, axis, angle)
      if (!rotation) context.error('The axis of rotation has no length')
      return [rotation ? toVector(transformDirection(rotation, direction)) : null]
    },
  }),
]

/** A unit vector. A vector without length is returned unchanged, as by RhinoCommon's `Unitize`. */
function unitise(direction: Xyz, context: KindContext): Vector {
  const unit = findUnit(direction)
  if (!unit) context.warn('A vector without length has no direction')
  return toVector(unit ?? direction)
}

/** A vector, normalised on request, and its length. */
function createVectorOutputs(
  direction: Xyz,
  isUnit: boolean,
  context: KindContext,
): [vector: Vector, length: number] {
  const vector = isUnit ? unitise(direction, context) : toVector(direction)
  return [vector, length(vector)]
}

export const PRODUCTS: readonly Kind[] = [
  defineKind({
    guid: '2a5cfb31-028a-4b34-b4e1-9b20ae15312e',
    description: 'The vector perpendicular to two others (their cross product), and its length.',
    solve: ([a, b, isUnit], context) => createVectorOutputs(cross(a, b), isUnit, context),
  }),
  defineKind({
    guid: '43b9ea8f-f772-40f2-9880-011a9c3cbbb0',
    description: 'The dot product of two vectors, optionally of their unit vectors.',
    solve: ([a, b, isUnit], context) => {
      if (!isUnit) return [dot(a, b)]
      return [dot(unitise(a, context), unitise(b, context))]
    },
  }),
  defineKind({
    guid: '63fff845-7c61-4dfb-ba12-44d481b4bf0f',
    description: 'Multiplies a vector by a factor; also returns its length.',
    solve: ([vector, factor], context) => createVectorOutputs(scale(vector, factor), false, context),
  }),
  defineKind({
    guid: 'fb012ef9-4734-4049-84a0-b92b85bb09da',
    description: 'The sum of two vectors, optionally of length one, and its length.',
    solve: ([a, b, isUnit], context) => createVectorOutputs(add(a, b), isUnit, context),
  }),
  defineKind({
    guid: '63f79e72-36c0-4489-a0c2-9ded0b9ca41f',
    description: 'The sum of vectors, or of their unit vectors, and its length. Nulls are skipped.',
    solve: ([vectors, isUnit], context) => {
      const summands = present(vectors).map((each) => (isUnit ? unitise(each, context) : each))
      return createVectorOutputs(summands.reduce<Xyz>(add, ORIGIN), false, context)
    },
  }),
  defineKind({
    guid: '310e1065-d03a-4858-bcd1-809d39c042af',
    description: 'Divides a vector by a factor; also returns its length.',
    solve: ([vector, factor], context) => {
      if (factor !== 0) return createVectorOutputs(scale(vector, 1 / factor), false, context)
      context.error('A vector cannot be divided by zero')
      return []
    },
  }),
]

const FULL_TURN = 2 * Math.PI

/**
 * The angle from 0 to pi; undefined for vectors without length. Source: RhinoCommon `Vector3d.VectorAngle`.
 */
function findAngle(a: Xyz, b: Xyz): number | undefined {
  const [first, second] = [findUnit(a), findUnit(b)]
  return first && second && Math.acos(Math.min(1, Math.max(-1, dot(first, second))))
}

/**
 * The counter-clockwise angle from a to b in a plane, from 0 to 2 pi, of their projections.
 * Source: RhinoCommon `Vector3d.VectorAngle` with a plane.
 */
function findAngleInPlane(a: Xyz, b: Xyz, plane: Plane): number | undefined {
  const [first, second] = [lay(a, plane), lay(b, plane)]
  const angle = findAngle(first, second)
  if (angle === undefined) return undefined
  const turnsBack = first.x * second.y - first.y * second.x < 0
  return turnsBack ? FULL_TURN - angle : angle
}

/** Projects a direction onto a plane, in coordinates of the plane. */
function lay(direction: Xyz, plane: Plane): Xyz {
  return { ...toLocal(plane, add(plane.origin, direction)), z: 0 }
}

export const ANGLES: readonly Kind[] = [
  defineKind({
    guid: 'b464fccb-50e7-41bd-9789-8438db9bea9f',
    description:
      'The angle between two vectors, and the rest of a full turn. With a plane, it is measured from the first to the second.',
    solve: ([a, b, plane], context) => {
      const angle = plane ? findAngleInPlane(a, b, plane) : findAngle(a, b)
      if (angle === undefined) {
        context.error('A vector without length has no angle')
        return []
      }
      return [angle, FULL_TURN - angle]
    },
  }),
]
