import type { Chunk } from '../../archive/tree/archive.ts'
import { findItem } from '../../archive/tree/find.ts'

/** The text of an item as well-formed Unicode, without lone surrogates. */
export function findText(chunk: Chunk, name: string): string | undefined {
  return findItem(chunk, name, 'string')?.toWellFormed()
}

export { unifyLineEnds } from '@meadow/document'

/** Returns the number; `otherwise` if it is missing or not finite. */
export function toFinite(value: number | undefined, otherwise = 0): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise
}

/**
 * Whether a name of the file may be the name of a member in a document: not one that would change a prototype, or make its
 * object a reference to a blob.
 */
export const isSafeKey = (name: string): boolean => name !== '__proto__' && name !== '$blob'
