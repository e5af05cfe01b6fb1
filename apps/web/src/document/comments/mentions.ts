import type { Comment, PersonReference } from '@meadow/contract/web'
import { MENTION } from '@meadow/contract/web/terms'

/** Somebody whose account is deleted. */
export const FORMER_MEMBER = 'A former member'

type Part = string | { url: string; text: string } | { id: string; name: string }

/**
 * Matches addresses without the punctuation that ends a sentence, and without direction marks, which could make an
 * address look like another one.
 */
const URLS = /\bhttps?:\/\/[^\s<>"'`\p{Bidi_Control}]+[^\s<>"'`.,:;!?)\]}\p{Bidi_Control}]/giu

/** Splits a text into addresses of pages, mentions of members, and plain text. */
export function splitText({ text, mentions }: Pick<Comment, 'text' | 'mentions'>): Part[] {
  const names = new Map<string, string>(mentions.map(({ id, name }) => [id, name]))
  const found = [
    ...Array.from(text.matchAll(MENTION), (match) => ({
      at: match.index,
      length: match[0].length,
      part: { id: match[1]!, name: names.get(match[1]!) ?? FORMER_MEMBER.toLowerCase() },
    })),
    ...Array.from(text.matchAll(URLS), (match) => ({
      at: match.index,
      length: match[0].length,
      part: { url: match[0], text: match[0] },
    })).filter(({ part }) => URL.canParse(part.url)),
  ].sort((a, b) => a.at - b.at)
  const parts: Part[] = []
  let end = 0
  for (const { at, length, part } of found) {
    if (at < end) continue
    if (at > end) parts.push(text.slice(end, at))
    parts.push(part)
    end = at + length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** A member under the name by which a comment that is being written mentions them. */
export interface Mentionable extends PersonReference {
  /** The member's name, followed by the e-mail address if several members have the same name. */
  label: string
}

export function listMentionable(members: readonly (PersonReference & { email: string })[]): Mentionable[] {
  const count = new Map<string, number>()
  for (const { name } of members) count.set(name, (count.get(name) ?? 0) + 1)
  return members.map(({ id, name, email }) => ({
    ...{ id, name },
    label: count.get(name) === 1 ? name : `${name} (${email})`,
  }))
}

/** Returns the text that is stored for a typed one, with ids in place of names. */
export function encodeMentions(typed: string, people: readonly Mentionable[]): string {
  const longest = people.toSorted((a, b) => b.label.length - a.label.length)
  let text = ''
  for (let at = 0; at < typed.length; ) {
    const person =
      typed[at] === '@' && !/[\p{L}\p{N}]/u.test(typed[at - 1] ?? '')
        ? longest.find(
            ({ label }) =>
              typed.startsWith(label, at + 1) && !/[\p{L}\p{N}]/u.test(typed[at + 1 + label.length] ?? ''),
          )
        : undefined
    text += person ? `@${person.id}` : typed[at]
    at += person ? person.label.length + 1 : 1
  }
  return text
}

/** Returns a stored text as somebody would type it, to be edited. */
export const decodeMentions = (
  { text, mentions }: Pick<Comment, 'text' | 'mentions'>,
  people: readonly Mentionable[],
): string => {
  const names = new Map<string, string>([
    ...mentions.map(({ id, name }) => [id, name] as const),
    ...people.map(({ id, label }) => [id, label] as const),
  ])
  return text.replaceAll(MENTION, (mention, id: string) => (names.has(id) ? `@${names.get(id)}` : mention))
}
