/** The length of the longest name that can be stored, in UTF-16 units: what file systems allow. */
export const MAX_NAME_LENGTH = 255

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

/**
 * The form of a name in which names are compared: Unicode case folding that also joins canonically equal
 * spellings and keeps diacritics (decision 17). Computed here for stored names and queries alike, because the
 * databases' own functions differ from each other. It holds no lower-case letter of ASCII.
 * Upper case after lower case joins what folds one way only (ß and SS); the dotless i that is left is joined by hand.
 */
export function foldName(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFD')
    .replace(/I\u0307/g, 'I')
    .normalize('NFC')
}

/** No letter becomes more than three when it is folded. */
export const MAX_FOLDED_LENGTH = 3 * MAX_NAME_LENGTH
