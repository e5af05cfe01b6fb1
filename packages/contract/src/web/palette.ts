import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { None } from './bodies.ts'

export const PalettePort = Type.Object({
  name: Type.String(),
  nickName: Type.String(),
  type: Type.String({ description: 'As the `typeName` of a port.' }),
  access: Type.Enum(['item', 'list', 'tree']),
  isOptional: Type.Boolean(),
  /** People can add more of it. */
  isRepeated: Type.Boolean(),
  description: Type.String({ description: 'Empty where the name and the type say it.' }),
})
export type PalettePort = Static<typeof PalettePort>

/** A kind of node that can be placed. */
export const PaletteKind = Type.Object({
  templateId: Type.String({ format: 'uuid' }),
  name: Type.String(),
  nickName: Type.String(),
  category: Type.String(),
  subcategory: Type.String(),
  description: Type.String(),
  /** Why the solver does not know it, as in the message of a solution; null for kinds that it solves. */
  unsolved: Type.Union([Type.String(), Type.Null()]),
  /** A parameter is one port itself, and has none listed. */
  isParameter: Type.Boolean(),
  inputs: Type.Array(PalettePort),
  outputs: Type.Array(PalettePort),
})
export type PaletteKind = Static<typeof PaletteKind>

export const readPalette = appEndpoint({
  name: 'readPalette',
  method: 'GET',
  path: '/palette',
  summary: 'Every kind of node that can be placed, by category, subcategory and name.',
  needs: 'anyone',
  params: None,
  query: None,
  body: undefined,
  response: Type.Object({ kinds: Type.Array(PaletteKind) }),
  errors: [],
})
