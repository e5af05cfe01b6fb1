import type { Chunk } from '../../archive/tree/archive.ts'
import { findItem } from '../../archive/tree/find.ts'

/** The text of an item as well-formed Unicode: no half of a surrogate pair. */
export function findText(chunk: Chunk, name: string): string | undefined {
  return findItem(chunk, name, 'string')?.toWellFormed()
}

export { unifyLineEnds } from '@meadow/document'

/** The number, or another for one that is missing or that JSON lacks. */
export function toFinite(value: number | undefined, otherwise = 0): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise
}
