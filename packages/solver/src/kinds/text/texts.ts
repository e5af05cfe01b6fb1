import { joinTexts } from '@meadow/geometry/values/texts'
import { reportExpression } from '../../expressions/expression-error.ts'
import { formatComposite } from '../../expressions/format-composite.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, nullable, optional, present } from '../declaration/ports.ts'

export const TEXTS: readonly Kind[] = [
  defineKind({
    guid: '2013e425-8713-42e2-a661-b57e78840337',
    description: 'Concatenates texts.',
    inputs: {},
    moreInputs: optional(item.text),
    outputs: { result: item.text },
    solve: ({ more }) => ({ result: joinTexts(more.map((fragment) => fragment ?? '')) }),
  }),
  defineKind({
    guid: '1274d51a-81e6-4ccf-ad1f-0edf4c769cac',
    description: 'Joins a list of texts with a separator; null for an empty list.',
    inputs: { texts: list.text, separator: optional(item.text) },
    outputs: { result: item.text },
    solve: ({ texts, separator = '' }) => ({
      result: texts.length === 0 ? null : joinTexts(present(texts), separator),
    }),
  }),
  defineKind({
    guid: '86503240-d884-43f9-9323-efe30488a6e1',
    description: 'The characters of a text, and their Unicode values.',
    inputs: { text: item.text },
    outputs: { characters: list.text, codes: list.integer },
    solve: ({ text }, context) => {
      context.reserve(2 * text.length)
      const characters = text.split('')
      return { characters, codes: characters.map((character) => character.charCodeAt(0)) }
    },
  }),
  defineKind({
    guid: '758d91a0-4aec-47f8-9671-16739a8a2c5d',
    description:
      'Fills the placeholders of a text, such as {0} or {1:0.00}, with values. Numbers are formatted independently of the culture.',
    inputs: { format: item.text, culture: optional(item.any) },
    moreInputs: nullable(optional(item.any)),
    outputs: { text: item.text },
    solve: ({ format, more }, context) => {
      try {
        return {
          text: formatComposite(
            format,
            more.map((value) => value ?? null),
          ),
        }
      } catch (error) {
        reportExpression(error, context)
        return {}
      }
    },
  }),
]
