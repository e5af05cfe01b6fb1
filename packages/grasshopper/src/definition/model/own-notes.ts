import type { Chunk } from '../../archive/tree/archive.ts'
import { ensureChunk, removeItem, setItem } from '../../archive/tree/edit.ts'
import { findChunk } from '../../archive/tree/find.ts'
import { findText } from './text.ts'

/**
 * Data of Meadow that Grasshopper has no place for, as a list of words. Notes are kept in the definition's ValueTable,
 * which Grasshopper reserves for other programs and saves with the definition.
 */
export type OwnNote = `Meadow.${string}`

export function readNote(definition: Chunk, name: OwnNote): string[] {
  const table = findChunk(definition, 'ValueTable')
  const text = table && findText(table, name)
  return text ? text.split(';') : []
}

/** An empty list removes the note. */
export function writeNote(definition: Chunk, name: OwnNote, words: readonly string[]): void {
  const table = findChunk(definition, 'ValueTable')
  if (words.length > 0)
    setItem(table ?? ensureChunk(definition, 'ValueTable'), 'string', name, words.join(';'))
  else if (table) removeItem(table, name)
}
