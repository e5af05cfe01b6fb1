import type { UserId } from '@meadow/contract'
import type { PersonReference } from '@meadow/contract/web'
import { MAX_COMMENT_LENGTH, MENTION } from '@meadow/contract/web/terms'
import { HttpError } from '../../http/http-error.ts'

const MAX_MENTIONS = 20

/** Control characters but for tabs and the ends of lines. */
const CONTROLS = /[\p{Cc}--[\t\n]]/v

/** The text of a comment as it is stored: without the space around it, with ends of lines as on Unix. */
export function readCommentText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').toWellFormed().trim()
  const isTooLong = text.length > MAX_COMMENT_LENGTH || listMentioned(text).length > MAX_MENTIONS
  // Something has to be seen: marks of direction, for example, are not.
  if (isTooLong || CONTROLS.test(text) || !/[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text))
    throw new HttpError('comment_not_acceptable')
  return text
}

/** The users whose ids a text mentions, members or not; each once. */
export const listMentioned = (text: string): UserId[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, id]) => id as UserId)),
]

/** The beginning of a comment on one line, with the names of those whom it mentions. */
export function writeExcerpt(text: string, mentions: readonly PersonReference[], most: number): string {
  const names = new Map<string, string>(mentions.map(({ id, name }) => [id, name]))
  const line = text
    .replaceAll(MENTION, (_mention, id: string) => `@${names.get(id) ?? 'former member'}`)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}
