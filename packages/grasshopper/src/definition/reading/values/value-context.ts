import { GrasshopperError } from '../../../archive/tree/grasshopper-error.ts'
import type { Note } from '../../model/definition.ts'
import { createGeometryUnpacker, type UnpackGeometry } from './geometry-unpacker.ts'

/** How many nulls one definition may have without a chunk, so that a count alone cannot fill the memory. */
const MAX_NULLS = 1_000_000

/**
 * How much of a file is read. 1 is what Meadow read before migration 15, 2 lacks the ports that a file leaves out,
 * and 3 is everything. Documents that an earlier version imported are compared with its reading when they are written
 * over their file.
 */
export type Reading = 1 | 2 | 3

export const LATEST_READING: Reading = 3

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
