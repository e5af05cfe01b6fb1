import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'

/** A kind of node that can be placed. Its names, tab and ports are those of the component library. */
export const PaletteEntry = Type.Object({
  templateId: Type.String({ format: 'uuid' }),
  description: Type.String(),
  /** Why the solver does not support this kind, as in the message of a solution; null for kinds that it solves. */
  unsolved: Type.Union([Type.String(), Type.Null()]),
  /** The descriptions of the inputs, in the order of the library. A few kinds have none. */
  inputs: Type.Array(Type.String()),
  /** The descriptions of the outputs, in the order of the library. */
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
