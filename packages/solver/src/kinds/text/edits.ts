import { reserveText } from '@meadow/geometry/budget/budget'
import { replaceAll } from '@meadow/geometry/values/texts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { matchesExpression } from './matches-expression.ts'
import { matchesPattern } from './matches-pattern.ts'

export const TEXT_EDITS: readonly Kind[] = [
  defineKind({
    guid: '04887d01-504c-480e-b2a2-01ea19cc5922',
    description: 'Splits a text at separator characters.',
    solve: ([text, separators], context) => {
      context.reserve(text.length)
      reserveText(text.length)
      return [split(text, new Set(separators.split('')))]
    },
  }),
  defineKind({
    guid: 'e4cb7168-5e32-4c54-b425-5a31c6fd685a',
    description: 'Removes white space from the start or end of a text, or both.',
    solve: ([text, start, end]) => {
      reserveText(text.length)
      const rest = start ? text.trimStart() : text
      return [end ? rest.trimEnd() : rest]
    },
  }),
  defineKind({
    guid: 'b1991128-8bf1-4dea-8497-4b7188a64e9d',
    description: 'A text in upper case and in lower case, by culture-independent rules.',
    solve: ([text]) => {
      // One letter can become three: ﬃ.
      reserveText(2 * text.length)
      return [text.toUpperCase(), text.toLowerCase()]
    },
  }),
  defineKind({
    guid: 'dca05f6f-e3d9-42e3-b3bb-eb20363fb335',
    description: 'The number of characters of a text.',
    solve: ([text]) => [text.length],
  }),
  defineKind({
    guid: '4df8df00-3635-45bd-95e6-f9206296c110',
    description: 'Replaces or removes all occurrences of a text in another.',
    options: { recursiveReplace: [false] },
    solve: ([text, find, replace = ''], context) => {
      if (find === '') {
        context.error('There is nothing to find')
        return []
      }
      return [replaceAll(text, find, replace)]
    },
  }),
  defineKind({
    guid: '3756c55f-95c3-442c-a027-6b3ab0455a94',
    description: 'Tests whether a text matches a wildcard pattern, a regular expression, or both.',
    solve: ([text, pattern, expression, isCaseSensitive], context) => {
      const isLike = pattern === undefined || isLikePattern(text, pattern, isCaseSensitive)
      if (isLike === undefined) {
        context.error(`The pattern ${pattern} cannot be read`)
        return []
      }
      if (!isLike || expression === undefined) return [isLike]
      const matches = matchesExpression(text, expression, isCaseSensitive)
      if (matches === undefined) {
        context.limit(`What .NET finds for the regular expression ${expression} in this text is not certain`)
      }
      return [matches]
    },
  }),
]

/** Returns whether a text matches a pattern; undefined for a pattern with an open bracket. */
function isLikePattern(text: string, pattern: string, isCaseSensitive: boolean): boolean | undefined {
  if (isCaseSensitive) return matchesPattern(text, pattern)
  reserveText(text.length + pattern.length)
  return matchesPattern(text.toLowerCase(), pattern.toLowerCase())
}

function split(text: string, separators: ReadonlySet<string>): string[] {
  const fragments: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (!separators.has(text[i] as string)) continue
    fragments.push(text.slice(start, i))
    start = i + 1
  }
  return [...fragments, text.slice(start)]
}
