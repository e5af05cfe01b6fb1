import { cross, dot, scale } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'
import { giveWithLength, unitise } from './give-vector.ts'

const WITH_LENGTH = {
  vector: named('Vector (V)', item.vector),
  length: named('Length (L)', item.number),
}

export const PRODUCTS: readonly Kind[] = [
  defineKind({
    guid: '2a5cfb31-028a-4b34-b4e1-9b20ae15312e',
    name: 'Cross Product',
    description: 'The vector square to two others, as long as the area between them, and its length.',
    inputs: {
      a: named('Vector A (A)', item.vector),
      b: named('Vector B (B)', item.vector),
      isUnit: named('Unitize (U)', item.boolean),
    },
    outputs: WITH_LENGTH,
    solve: ({ a, b, isUnit }, context) => giveWithLength(cross(a, b), isUnit, context),
  }),
  defineKind({
    guid: '43b9ea8f-f772-40f2-9880-011a9c3cbbb0',
    name: 'Dot Product',
    description: 'The dot product of two vectors, of their directions if so asked.',
    inputs: {
      a: named('Vector A (A)', item.vector),
      b: named('Vector B (B)', item.vector),
      isUnit: named('Unitize (U)', item.boolean),
    },
    outputs: { product: named('Dot product (D)', item.number) },
    solve: ({ a, b, isUnit }, context) => {
      if (!isUnit) return { product: dot(a, b) }
      return { product: dot(unitise(a, context), unitise(b, context)) }
    },
  }),
  defineKind({
    guid: '63fff845-7c61-4dfb-ba12-44d481b4bf0f',
    name: 'Multiply',
    description: 'A vector times a factor, and its length.',
    inputs: { vector: named('Vector (V)', item.vector), factor: named('Factor (F)', item.number) },
    outputs: WITH_LENGTH,
    solve: ({ vector, factor }, context) => giveWithLength(scale(vector, factor), false, context),
  }),
  defineKind({
    guid: '310e1065-d03a-4858-bcd1-809d39c042af',
    name: 'Divide',
    description: 'A vector over a factor, and its length.',
    inputs: { vector: named('Vector (V)', item.vector), factor: named('Factor (F)', item.number) },
    outputs: WITH_LENGTH,
    solve: ({ vector, factor }, context) => {
      if (factor !== 0) return giveWithLength(scale(vector, 1 / factor), false, context)
      context.error('A vector cannot be divided by zero')
      return {}
    },
  }),
]
