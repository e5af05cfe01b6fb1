import type { DataTree, DataValue } from '@meadow/contract'
import { createDataTree, type ValueType } from '@meadow/document'
import type { Literal } from './feed.ts'

/** What ports of a type can hold; a port of any other type (Data, Geometry …) holds what it is given. */
const VALUE_TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  Boolean: ['boolean'],
  Colour: ['colour'],
  Domain: ['domain'],
  Integer: ['integer'],
  Number: ['number', 'integer'],
  Plane: ['plane'],
  Point: ['point'],
  Text: ['string'],
  Vector: ['vector'],
}

/** What was typed into a port, as one branch. Throws where the port's type cannot hold it. */
export function typedIn(literals: readonly Literal[], typeName: string): DataTree {
  return createDataTree([{ path: [0], values: literals.map((literal) => toDataValue(literal, typeName)) }])
}

function toDataValue(literal: Literal, typeName: string): DataValue {
  const value = withType(literal, typeName)
  if (VALUE_TYPES[typeName]?.includes(value.type) ?? true) return value
  throw new Error(`A port of type ${typeName} cannot hold ${JSON.stringify(literal)}.`)
}

function withType(literal: Literal, typeName: string): DataValue {
  switch (typeof literal) {
    case 'boolean':
      return { type: 'boolean', value: literal }
    case 'string':
      return { type: 'string', value: literal }
    case 'number':
      return {
        type: typeName !== 'Number' && Number.isInteger(literal) ? 'integer' : 'number',
        value: literal,
      }
    default:
      return literal
  }
}
