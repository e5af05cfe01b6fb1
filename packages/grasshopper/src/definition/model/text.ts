import type { Chunk } from '../../archive/tree/archive.ts'
import { findItem } from '../../archive/tree/find.ts'

/** The text of an item as well-formed Unicode, without lone surrogates. */
export function findText(chunk: Chunk, name: string): string | undefined {
  return findItem(chunk, name, 'string')?.toWellFormed()
}

export { unifyLineEnds } from '@meadow/document'

/** The number; another one if it is missing or not finite. */
export function toFinite(value: number | undefined, otherwise = 0): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise
}
