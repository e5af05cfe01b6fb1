import { MAX_NAME_LENGTH } from './fold-name.ts'

/**
 * A name as it is stored: halves of characters are replaced, since no database takes them.
 * Throws a `RangeError` for a name that is empty, too long, or holds NUL.
 */
export function readName(name: string): string {
  if (name === '') throw new RangeError('A name cannot be empty.')
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`A name has ${MAX_NAME_LENGTH} letters at most.`)
  if (name.includes('\0')) throw new RangeError('A name cannot hold the character NUL.')
  return name.toWellFormed()
}
