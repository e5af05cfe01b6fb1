import { findRotation } from '../../geometry/transform/create.ts'
import { transformDirection } from '../../geometry/transform/matrix.ts'
import { toVector, vector, type Xyz } from '../../values/points.ts'
import { findUnit, length, ORIGIN, scale, subtract, X_AXIS, Y_AXIS, Z_AXIS } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'
import { giveWithLength, unitise } from './give-vector.ts'

const alongAxis = (guid: string, name: string, axis: Xyz): Kind =>
  defineKind({
    guid,
    description: `A vector along the world's ${name} axis.`,
    inputs: { factor: item.number },
    outputs: { vector: item.vector },
    solve: ({ factor }) => ({ vector: vector(axis.x && factor, axis.y && factor, axis.z && factor) }),
  })

export const VECTORS: readonly Kind[] = [
  alongAxis('79f9fbb3-8f1d-4d9a-88a9-f7961b1012cd', 'x', X_AXIS),
  alongAxis('d3d195ea-2d59-4ffa-90b1-8b7ff3369f69', 'y', Y_AXIS),
  alongAxis('9103c240-a6a9-4223-9b42-dbd19bf38e2b', 'z', Z_AXIS),
  defineKind({
    guid: '56b92eab-d121-43f7-94d3-6cd8f0ddead8',
    description: 'A vector from its three components, and its length.',
    inputs: { x: item.number, y: item.number, z: item.number },
    outputs: { vector: item.vector, length: item.number },
    solve: ({ x, y, z }) => ({ vector: vector(x, y, z), length: Math.hypot(x, y, z) }),
  }),
  defineKind({
    guid: 'a50fcd4a-cf42-4c3f-8616-022761e6cc93',
    description: 'The three components of a vector.',
    inputs: { vector: item.vector },
    outputs: { x: item.number, y: item.number, z: item.number },
    solve: ({ vector: { x, y, z } }) => ({ x, y, z }),
  }),
  defineKind({
    guid: '934ede4a-924a-4973-bb05-0dc4b36fae75',
    description: 'The vector from one point to another, of length one if so asked, and its length.',
    inputs: { from: item.point, to: item.point, isUnit: item.boolean },
    outputs: { vector: item.vector, length: item.number },
    solve: ({ from, to, isUnit }, context) => giveWithLength(subtract(to, from), isUnit, context),
  }),
  defineKind({
    guid: '6ec39468-dae7-4ffa-a766-f2ab22a2c62e',
    description: 'A vector of the same direction and a given length.',
    inputs: { vector: item.vector, amplitude: item.number },
    outputs: { vector: item.vector },
    solve: ({ vector: direction, amplitude }, context) => ({
      vector: toVector(scale(unitise(direction, context), amplitude)),
    }),
  }),
  defineKind({
    guid: 'd2da1306-259a-4994-85a4-672d8a4c7805',
    name: 'Unit Vector',
    description: 'A vector of the same direction and of length one; one without length stays.',
    inputs: { vector: named('Vector (V)', item.vector) },
    outputs: { vector: named('Vector (V)', item.vector) },
    solve: ({ vector: direction }) => ({ vector: toVector(findUnit(direction) ?? direction) }),
  }),
  defineKind({
    guid: '675e31bf-1775-48d7-bb8d-76b77786dd53',
    name: 'Vector Length',
    description: 'How long a vector is.',
    inputs: { vector: named('Vector (V)', item.vector) },
    outputs: { length: named('Length (L)', item.number) },
    solve: ({ vector: direction }) => ({ length: length(direction) }),
  }),
  defineKind({
    guid: 'd5788074-d75d-4021-b1a3-0bf992928584',
    name: 'Reverse',
    description: 'A vector the other way around.',
    inputs: { vector: named('Vector (V)', item.vector) },
    outputs: { vector: named('Vector (V)', item.vector) },
    solve: ({ vector: { x, y, z } }) => ({ vector: vector(0 - x, 0 - y, 0 - z) }),
  }),
  defineKind({
    guid: 'b6d7ba20-cf74-4191-a756-2216a36e30a7',
    description: 'A vector turned around an axis.',
    inputs: { vector: item.vector, axis: item.vector, angle: item.number },
    outputs: { vector: item.vector },
    solve: ({ vector: direction, axis, angle }, context) => {
      const rotation = findRotation(ORIGIN, axis, angle)
      if (!rotation) context.error('The axis of rotation has no length')
      return { vector: rotation ? toVector(transformDirection(rotation, direction)) : null }
    },
  }),
]
