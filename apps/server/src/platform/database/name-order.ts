/** The characters that sort before the digits, in the order of `sort-by-name.ts`, each with a weight of its own. */
const PUNCTUATION = '\t\n\v\f\r _-–—,;:!?.·\'"«»()[]{}§@*/\\&#%•`^°©®+±×<=>|~$£€'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Combining marks in their order: a mark counts only where the letters are equal. */
const MARKS = [
  ...'\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304\u0335\u0326',
]

/** Sorts as a mark after all others; it makes the two letters of a ligature differ from the same letters apart. */
const LIGATURE = '\0'
/** Letters that Unicode does not decompose, but that sort as others with a mark. */
const VARIANTS: Readonly<Record<string, string>> = {
  ...{ ø: 'o\u0338', Ø: 'O\u0338', đ: 'd\u0335', Đ: 'D\u0335', ł: 'l\u0335', Ł: 'L\u0335' },
  ...{ ß: `s${LIGATURE}s`, ẞ: `S${LIGATURE}S` },
  ...{ æ: `a${LIGATURE}e`, Æ: `A${LIGATURE}E`, œ: `o${LIGATURE}e`, Œ: `O${LIGATURE}E` },
}
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g')

/** Ends a level of a key; every weight is greater. Keys consist of ASCII characters. */
const END = '!'
const LOWEST = END.charCodeAt(0) + 1
const weigh = (characters: Iterable<string>, from: number) =>
  new Map([...characters].map((character, index) => [character, String.fromCharCode(from + index)]))

const PRIMARY = weigh(PUNCTUATION, LOWEST)
const NUMBER = String.fromCharCode(LOWEST + PRIMARY.size)
for (const [letter, weight] of weigh(LETTERS, LOWEST + PRIMARY.size + 1)) {
  PRIMARY.set(letter, weight).set(letter.toUpperCase(), weight)
}
const COMMON = String.fromCharCode(LOWEST)
const SECONDARY = weigh([...MARKS, LIGATURE], LOWEST + 1)
const UPPER = String.fromCharCode(LOWEST + 1)

/** A name with a longer number has no key. */
const MAX_DIGITS = 80

/**
 * Returns a key for the order of names (decision 14): the keys of two names compare byte by byte as the names do in
 * `sort-by-name.ts`, and are equal where those are. Undefined for a name with other characters than Latin letters,
 * digits and common punctuation. Databases sort by it, since they have no such order themselves.
 */
export function nameOrder(name: string): string | undefined {
  const characters = decompose(name)
  if (characters === undefined) return undefined
  let primary = ''
  // The second and third level have a weight for every letter, number and mark; the lowest ones at their end are left
  // out.
  let secondary = ''
  let tertiary = ''
  let count = 0
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    const mark = SECONDARY.get(character)
    if (mark) {
      secondary = secondary.padEnd(count++, COMMON) + mark
      continue
    }
    if (isDigit(character)) {
      let end = at + 1
      while (isDigit(characters[end])) end++
      const digits = characters.slice(at, end).replace(/^0+/, '')
      if (digits.length > MAX_DIGITS) return undefined
      primary += NUMBER + String.fromCharCode(LOWEST + digits.length) + digits
      at = end - 1
    } else {
      const weight = PRIMARY.get(character)
      if (!weight) return undefined
      primary += weight
      if (character >= 'A' && character <= 'Z') tertiary = tertiary.padEnd(count, COMMON) + UPPER
    }
    count++
  }
  if (tertiary) return primary + END + secondary + END + tertiary
  return secondary ? primary + END + secondary : primary
}

const isDigit = (character: string | undefined) =>
  character !== undefined && character >= '0' && character <= '9'

/** A name of ASCII characters alone, without the controls that are ignored. */
const ASCII = /^[\t-\r -~]*$/

/** Decomposes the name into letters and marks; returns undefined when it mixes composed and decomposed letters. */
function decompose(name: string): string | undefined {
  if (ASCII.test(name)) return name
  const decomposed = name.normalize('NFD')
  if (name.includes(LIGATURE) || (name !== decomposed && name !== name.normalize('NFC'))) return undefined
  return decomposed.replace(VARIANT, (letter) => VARIANTS[letter]!)
}

/** Returns the key as it is stored, which is empty for a name without one. */
export const storedOrder = (name: string): string => nameOrder(name.toWellFormed()) ?? ''
