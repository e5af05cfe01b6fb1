import { GrasshopperError } from '../../../archive/tree/grasshopper-error.ts'
import type { Note } from '../../model/definition.ts'
import { LATEST_READING, type Reading } from '../../model/reading.ts'
import { createGeometryUnpacker, type UnpackGeometry } from './geometry-unpacker.ts'

/** How many nulls one definition may have without a chunk, so that a count alone cannot fill the memory. */
const MAX_NULLS = 1_000_000

/** The shared context of all values of a definition: limits and notes. */
export interface DefinitionContext {
  reading: Reading
  unpackGeometry: UnpackGeometry
  notes: Note[]
  nullsLeft: number
}

/** The context of one port. */
export interface ValueContext {
  reading: Reading
  unpackGeometry: UnpackGeometry
  report(kind: 'unreadable_geometry' | 'geometry_left_out'): void
  /** Creates a list of nulls. Fails: `too_large`. */
  createNulls(count: number): null[]
}

export function createDefinitionContext(notes: Note[], reading: Reading = LATEST_READING): DefinitionContext {
  return { reading, unpackGeometry: createGeometryUnpacker(), notes, nullsLeft: MAX_NULLS }
}

export function createValueContext(
  definition: DefinitionContext,
  at: { nodeInstanceId: string; portInstanceId: string },
  where: string,
): ValueContext {
  return {
    reading: definition.reading,
    unpackGeometry: definition.unpackGeometry,
    report: (kind) => {
      definition.notes.push({ kind, ...at })
    },
    createNulls: (count) => {
      definition.nullsLeft -= count
      if (definition.nullsLeft < 0)
        throw new GrasshopperError('too_large', 'Branches count too many nulls', where)
      return new Array<null>(count).fill(null)
    },
  }
}
