import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { distinct, getValueKey, keysOf } from './sets.ts'

type Values = readonly (Value | null)[]

const ORDER = 'The order of the members is known from few examples'

/** Comparisons of sets. */
export const SET_TESTS: readonly Kind[] = [
  defineKind({
    guid: '81800098-1060-4e2b-80d4-17f835cc825f',
    description: 'Tests whether no value of one list is in another.',
    solve: ([a, b]) => {
      const keys = keysOf(b)
      return [!a.some((value) => keys.has(getValueKey(value)))]
    },
  }),
  defineKind({
    guid: '4cfc0bb0-0745-4772-a520-39f9bf3d99bc',
    description: 'Tests whether all values of the second list are in the first one.',
    solve: ([a, b]) => {
      const keys = keysOf(a)
      return [b.every((value) => keys.has(getValueKey(value)))]
    },
  }),
  defineKind({
    guid: 'd2461702-3164-4894-8c10-ed1fc4b52965',
    description: 'The values that are in only one of two lists, as often as they are in it.',
    solve: ([a, b]) => [[...listMissing(a, b), ...listMissing(b, a)]],
  }),
  defineKind({
    guid: 'd4136a7b-7422-4660-9404-640474bd2725',
    description: 'The values that are in at least two of three lists, each once.',
    solve: ([a, b, c], context) => {
      const majority = distinct([...listCommon(a, b), ...listCommon(b, c), ...listCommon(a, c)])
      if (majority.length > 1) context.approximate(ORDER)
      return [majority]
    },
  }),
  defineKind({
    guid: 'bafac914-ede4-4a59-a7b2-cc41bc3de961',
    description:
      'Replaces each value of a list that is in a second list by the one at its place in a third, or removes it if the third is empty.',
    solve: ([set, find, replace], context) => {
      const places = new Map(find.map((value, i) => [getValueKey(value), i]))
      if (replace.length === 0) return [set.filter((value) => !places.has(getValueKey(value)))]
      if (replace.length !== find.length) {
        context.error('Replacing members needs one new value for each one to find')
        return []
      }
      if (places.size < find.length) {
        context.limit('Replacing members is supported only for distinct values to find')
        return []
      }
      const change = (value: Value | null) => {
        const place = places.get(getValueKey(value))
        return place === undefined ? value : (replace[place] ?? null)
      }
      return [set.map(change)]
    },
  }),
]

/** The values of the second list that are in the first one, in the order of the second, as Set Intersection lists them. */
function listCommon(first: Values, second: Values): Values {
  const keys = keysOf(first)
  return second.filter((value) => keys.has(getValueKey(value)))
}

function listMissing(values: Values, from: Values): Values {
  const keys = keysOf(from)
  return values.filter((value) => !keys.has(getValueKey(value)))
}
