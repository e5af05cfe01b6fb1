import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { None } from './bodies.ts'

/** A kind of node that can be placed. Its names, tab and ports are those of the component library. */
export const PaletteEntry = Type.Object({
  templateId: Type.String({ format: 'uuid' }),
  description: Type.String(),
  /** Why the solver does not know it, as in the message of a solution; null for kinds that it solves. */
  unsolved: Type.Union([Type.String(), Type.Null()]),
  /** What each input is for, in the order of the library; empty for a few. */
  inputs: Type.Array(Type.String()),
  /** The same of outputs. */
  outputs: Type.Array(Type.String()),
})
export type PaletteEntry = Static<typeof PaletteEntry>

export const readPalette = appEndpoint({
  name: 'readPalette',
  method: 'GET',
  path: '/palette',
  summary: 'Every kind of node that can be placed.',
  needs: 'anyone',
  params: None,
  query: None,
  body: undefined,
  response: Type.Object({ kinds: Type.Array(PaletteEntry) }),
  errors: [],
})
