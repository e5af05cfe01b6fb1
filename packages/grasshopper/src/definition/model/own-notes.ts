import type { Chunk } from '../../archive/tree/archive.ts'
import { ensureChunk, removeItem, setItem } from '../../archive/tree/edit.ts'
import { findChunk } from '../../archive/tree/find.ts'
import { findText } from './text.ts'

/**
 * What a definition is told that Grasshopper has no place for, as lists of words. They stand in the table that
 * Grasshopper keeps for others in each definition, and saves again with it.
 */
export type OwnNote = `Meadow.${string}`

export function readNote(definition: Chunk, name: OwnNote): string[] {
  const table = findChunk(definition, 'ValueTable')
  const text = table && findText(table, name)
  return text ? text.split(';') : []
}

/** An empty list is no note. */
export function writeNote(definition: Chunk, name: OwnNote, words: readonly string[]): void {
  const table = findChunk(definition, 'ValueTable')
  if (words.length > 0)
    setItem(table ?? ensureChunk(definition, 'ValueTable'), 'string', name, words.join(';'))
  else if (table) removeItem(table, name)
}
