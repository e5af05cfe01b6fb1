import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { list, optional, present } from '../declaration/ports.ts'
import { BEYOND_LIST, resolveIndex } from './resolve-index.ts'

type Values = readonly (Value | null)[]

export const SELECTIONS: readonly Kind[] = [
  defineKind({
    guid: '008e9a6f-478a-4813-8c8a-546273bc3a6b',
    description: 'Keeps the items at true and removes those at false; the pattern is repeated.',
    solve: ([values, pattern]) => [dispatch(values, pattern)[0]],
  }),
  defineKind({
    guid: 'd8332545-21b2-4716-96e3-8559a9876e17',
    description: 'Splits a list in two by a pattern of true and false; the pattern is repeated.',
    solve: ([values, pattern]) => {
      const [whereTrue, whereFalse] = dispatch(values, pattern)
      return [whereTrue, whereFalse]
    },
  }),
  defineKind({
    guid: '501aecbb-c191-4d13-83d6-7ee32445ac50',
    description: 'Removes the items at some indices of a list.',
    solve: ([values, indices, wrap], context) => {
      if (values.length === 0) return [[]]
      const culled = new Set(present(indices).map((index) => resolveIndex(index, values.length, wrap)))
      if (culled.has(undefined)) context.approximate(BEYOND_LIST)
      return [values.filter((_, i) => !culled.has(i))]
    },
  }),
  defineKind({
    guid: '03b801eb-87cd-476a-a591-257fe5d5bf0f',
    description:
      'For each position of a pattern, the item at that position of the list that the pattern selects.',
    inputs: [list.integer],
    moreInputs: optional(list.any),
    solve: ([pattern, ...more], context) => {
      const result = pattern.flatMap((stream, position) => {
        const values = stream === null ? undefined : more[stream]
        return values ? [values[position] ?? null] : []
      })
      if (result.length < pattern.length) context.warn('The pattern names lists that are not there')
      return [result]
    },
  }),
  defineKind({
    guid: '932b9817-fcc6-4ac3-b5fd-c0e8eeadc53f',
    description: 'Removes every nth item of a list.',
    solve: ([values, frequency], context) => {
      if (frequency < 2) {
        context.error('The frequency must be 2 or more')
        return []
      }
      return [values.filter((_, i) => (i + 1) % frequency !== 0)]
    },
  }),
  defineKind({
    guid: '3249222f-f536-467a-89f4-f0353fba455a',
    description:
      'Distributes the items of a list to the outputs by a pattern of indices, with null on the others; the pattern is repeated.',
    outputs: [],
    moreOutputs: list.any,
    solve: ([values, pattern], context) => {
      const { length } = context.outputNames
      if (pattern.some((output) => output === null || output < 0 || output >= length)) {
        context.error('The pattern names outputs that are not there')
        return []
      }
      const isAt = (output: number, i: number) => pattern[i % pattern.length] === output
      return Array.from({ length }, (_, output) => values.map((value, i) => (isAt(output, i) ? value : null)))
    },
  }),
  defineKind({
    guid: 'f3230ecb-3631-4d6f-86f2-ef4b2ed37f45',
    description: 'Replaces the nulls of a list by other items; the last one is repeated.',
    solve: ([items, replacements], context) => {
      if (replacements.length === 0) {
        context.error('There is nothing to replace nulls with')
        return []
      }
      let count = 0
      const replace = () => replacements[Math.min(count++, replacements.length - 1)] ?? null
      return [items.map((value) => value ?? replace()), count]
    },
  }),
]

/** Items at a null in the pattern are dropped. */
function dispatch(values: Values, pattern: readonly (boolean | null)[]): [Values, Values] {
  const parts: [(Value | null)[], (Value | null)[]] = [[], []]
  if (pattern.length === 0) return parts
  for (const [i, value] of values.entries()) {
    const test = pattern[i % pattern.length]
    if (typeof test === 'boolean') parts[test ? 0 : 1].push(value)
  }
  return parts
}
