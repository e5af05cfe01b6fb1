import type { Chunk } from '../archive/archive.ts'
import { findItem } from '../archive/find.ts'

/** The text of an item as well-formed Unicode: no half of a surrogate pair. */
export function findText(chunk: Chunk, name: string): string | undefined {
  return findItem(chunk, name, 'string')?.toWellFormed()
}

export { unifyLineEnds } from '@meadow/document'
