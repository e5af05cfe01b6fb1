import { checkpoint, reserveText } from '@meadow/geometry/budget/budget'
import { getTextDistance } from '@meadow/geometry/values/text-distance'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

/** Alphabetical, lower case before upper case, independent of the locale of the machine. */
const ORDER = new Intl.Collator('en')

export const TEXT_PARTS: readonly Kind[] = [
  defineKind({
    guid: 'f7608c4d-836c-4adf-9d1f-3b04e6a2647d',
    description:
      'The fewest insertions, deletions and replacements of characters that turn one text into another.',
    solve: ([a, b, isCaseSensitive], context) => {
      context.reserve(2 * b.length)
      if (isCaseSensitive) return [getTextDistance(a, b)]
      reserveText(a.length + b.length)
      return [getTextDistance(a.toLowerCase(), b.toLowerCase())]
    },
  }),
  defineKind({
    guid: '07e0811f-034a-4504-bca0-2d03b2c46217',
    description: 'A part of a text, from a start index: a number of characters, or the rest.',
    solve: ([text, start, count], context) => {
      if (start >= 0 && (count ?? 0) >= 0) {
        reserveText(Math.min(text.length, count ?? text.length))
        return [text.slice(start, count === undefined ? undefined : start + count)]
      }
      context.error('Start and count must be 0 or more')
      return []
    },
  }),
  defineKind({
    guid: 'cec16c67-7b8b-41f7-a5a5-f675177e524b',
    description:
      'Sorts texts alphabetically, and further values in the same order. The result does not depend on the culture.',
    solve: ([keys, values], context) => {
      context.reserve(keys.length)
      if (values.length > 0 && values.length !== keys.length) {
        context.error('There must be as many values as keys')
        return []
      }
      const order = keys.flatMap((key, i) => (key === null ? [] : [i]))
      order.sort((a, b) => {
        checkpoint()
        return ORDER.compare(keys[a] as string, keys[b] as string)
      })
      return [
        order.map((i) => keys[i] as string),
        values.length === 0 ? [] : order.map((i) => values[i] ?? null),
      ]
    },
  }),
]
