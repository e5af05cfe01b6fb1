/** Control characters, and those that turn the direction of what follows: they could rewrite a terminal's lines. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** A text from outside, such as a file's name, with what a terminal must not be sent written as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
