import type { IndexedDocument } from './search-index.ts'
import { tokensOf } from './search-tokens.ts'

/**
 * How `document_search` cuts text into tokens: between spaces and control characters only.
 * The tokenizer turns A to Z into small letters, which folded names have none of, so nothing falls together.
 */
export const TOKENIZER = `ascii tokenchars '!"#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'''`

const spaces = /[\0-\x20\x7f]/g

/** Spaces inside of a token, moved to where no name has letters; what is found is compared by name anyway. */
const asOneWord = (token: string) =>
  token.replace(spaces, (space) => String.fromCharCode(0xe000 + space.charCodeAt(0)))

/** A document's tokens as the text that is indexed. */
export function tokenText(document: IndexedDocument): string {
  return [...tokensOf(document)].map(asOneWord).join(' ')
}

/** The query for what has all of `tokens`. */
export function matchAll(tokens: readonly string[]): string {
  return tokens.map((token) => `"${asOneWord(token).replaceAll('"', '""')}"`).join(' AND ')
}
