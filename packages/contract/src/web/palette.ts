import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'

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

/** Every kind of node that can be placed. */
export const readPalette = appEndpoint({
  method: 'GET',
  path: '/palette',
  needs: 'anyone',
  response: Type.Object({ kinds: Type.Array(PaletteEntry) }),
})
