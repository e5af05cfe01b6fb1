import { joinTexts } from '@meadow/geometry/values/texts'
import { reportExpression } from '../../expressions/expression-error.ts'
import { formatComposite } from '../../expressions/format-composite.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, nullable, optional, present } from '../declaration/ports.ts'

export const TEXTS: readonly Kind[] = [
  defineKind({
    guid: '2013e425-8713-42e2-a661-b57e78840337',
    description: 'Concatenates texts.',
    inputs: [],
    moreInputs: optional(item.text),
    solve: (more) => [joinTexts(more.map((fragment) => fragment ?? ''))],
  }),
  defineKind({
    guid: '1274d51a-81e6-4ccf-ad1f-0edf4c769cac',
    description: 'Joins a list of texts with a separator; null for an empty list.',
    solve: ([texts, separator = '']) => [texts.length === 0 ? null : joinTexts(present(texts), separator)],
  }),
  defineKind({
    guid: '86503240-d884-43f9-9323-efe30488a6e1',
    description: 'The characters of a text, and their Unicode values.',
    solve: ([text], context) => {
      context.reserve(2 * text.length)
      const characters = text.split('')
      return [characters, characters.map((character) => character.charCodeAt(0))]
    },
  }),
  defineKind({
    guid: '758d91a0-4aec-47f8-9671-16739a8a2c5d',
    description:
      'Fills the placeholders of a text, such as {0} or {1:0.00}, with values. Numbers are formatted independently of the culture.',
    inputs: [item.text, optional(item.any)],
    moreInputs: nullable(optional(item.any)),
    solve: ([format, culture, ...more], context) => {
      if (typeof culture === 'string' && !writesLikeInvariant(culture)) {
        context.limit(`Numbers of the culture "${culture}" are not supported`)
        return []
      }
      try {
        return [
          formatComposite(
            format,
            more.map((value) => value ?? null),
          ),
        ]
      } catch (error) {
        reportExpression(error, context)
        return []
      }
    },
  }),
]

/** Whether a culture is unknown, or writes numbers with the signs of the invariant culture. */
function writesLikeInvariant(culture: string): boolean {
  try {
    return new Intl.NumberFormat(culture).format(12345.5) === '12,345.5'
  } catch {
    return true
  }
}
