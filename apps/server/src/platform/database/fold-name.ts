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

/** The length of the longest name that can be stored, in UTF-16 units: what file systems allow. */
export const MAX_NAME_LENGTH = 255

/** No letter becomes more than three when it is folded. */
export const MAX_FOLDED_LENGTH = 3 * MAX_NAME_LENGTH
