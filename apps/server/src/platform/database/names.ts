/** The maximum length of a name in UTF-16 code units, which is also that of most file systems. */
export const MAX_NAME_LENGTH = 255

/**
 * A name as it is stored: lone surrogates are replaced, since no database accepts them. Throws a `RangeError` for a name
 * that is empty, too long, or contains NUL.
 */
export function readName(name: string): string {
  if (name === '') throw new RangeError('A name cannot be empty.')
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`A name has ${MAX_NAME_LENGTH} letters at most.`)
  if (name.includes('\0')) throw new RangeError('A name cannot hold the character NUL.')
  return name.toWellFormed()
}

/**
 * The form in which names are compared: Unicode case folding, with canonically equivalent spellings made equal and
 * diacritics kept (decision 17). Computed here for stored names and for queries, since the functions of the two
 * databases differ. The result has no lower-case ASCII letters.
 * Upper case after lower case also makes those equal that fold one way only (ß and SS); the dotted I needs a rule.
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

/** A character becomes three at most when it is folded. */
export const MAX_FOLDED_LENGTH = 3 * MAX_NAME_LENGTH
