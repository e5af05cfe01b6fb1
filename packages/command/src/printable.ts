/** Control characters, and those that change the direction of text: they could rewrite lines of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]|\p{Surrogate}/gu

/** Escapes characters of a name from a file or a user that could control the terminal, as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

/** Escapes such characters in a text of several lines. */
export const printableLines = (text: string): string =>
  text.replace(/[^\t\r\n]+|\r(?!\n)/gu, (part) => printable(part))

/** Formats a number, such as `10,000`. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** Formats a number of things, such as `1 team` or `2 teams`. */
export const formatCountOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
