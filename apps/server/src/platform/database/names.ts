export { foldName } from '@meadow/contract/web/terms'

/** The maximum length of a name in UTF-16 code units, which is also that of most file systems. */
export const MAX_NAME_LENGTH = 255

/** What begins another line or moves the cursor: control characters, and the separators of lines and paragraphs. */
const LINES = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * What is not shown, and can make a name look like another one or read backwards: marks of direction, and what Unicode
 * says may be ignored. Joiners and variation selectors stay, since scripts such as Persian and emoji are written with
 * them.
 */
const HIDDEN =
  /[[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]--[\u200C\u200D\p{Variation_Selector}]]/gv

/** Returns the first character that no name may hold (NAME-4); undefined when the name has none. */
export function findHidden(name: string): string | undefined {
  const [line] = name.match(LINES) ?? []
  return line === undefined ? name.match(HIDDEN)?.[0] : line[0]
}

/** The name of things whose name has nothing to be shown. */
const NAMELESS = 'Unnamed'

/**
 * Returns the name without what no name may hold (NAME-2), for names that nobody types: names of files, and names that
 * are stored already. What begins another line becomes a space.
 */
export function cleanName(name: string): string {
  if (findHidden(name) === undefined) return name
  const cleaned = name.replace(LINES, ' ').replace(HIDDEN, '').trim()
  return cleaned === '' ? NAMELESS : cleaned
}

/**
 * Returns a name as it is stored: lone surrogates are replaced, since no database accepts them. Throws a `RangeError`
 * for a name that is empty, too long, or holds a character that is not shown (NAME-4).
 */
export function readName(name: string): string {
  if (name === '') throw new RangeError('A name cannot be empty.')
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`A name has ${MAX_NAME_LENGTH} letters at most.`)
  const hidden = findHidden(name)
  if (hidden !== undefined) throw new HiddenCharacterError(hidden)
  return name.toWellFormed()
}

/** The error of a name that holds a character which is not shown, or begins another line. */
export class HiddenCharacterError extends RangeError {
  constructor(character: string) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    super(`A name is on one line, without hidden characters: leave out the character U+${code}.`)
  }
}

/** The maximum length of a folded name: a character becomes three at most. */
const MAX_FOLDED_LENGTH = 3 * MAX_NAME_LENGTH

/** Whether a folded text can be in a folded name: none is longer, and none contains NUL, which PostgreSQL rejects. */
export const canBeInName = (folded: string): boolean =>
  folded.length <= MAX_FOLDED_LENGTH && !folded.includes('\0')

/** A text as a pattern of `like … escape '\'`. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
