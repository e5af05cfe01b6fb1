import type { Value } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named, nullable, optional } from '../ports.ts'
import { getValueKey } from './value-key.ts'

type Values = readonly (Value | null)[]

export const SET_OPERATIONS: readonly Kind[] = [
  defineKind({
    guid: '98c3c63a-e78a-43ea-a111-514fcf312c95',
    name: 'Create Set',
    description: 'The different items of a list, and for each item of the list its place among them.',
    inputs: { list: named('List (L)', list.any) },
    outputs: { set: named('Set (S)', list.any), map: named('Map (M)', list.integer) },
    solve: ({ list: values }) => {
      const places = new Map<string, number>()
      const set: (Value | null)[] = []
      const map = values.map((value) => {
        const key = getValueKey(value)
        const known = places.get(key)
        if (known !== undefined) return known
        places.set(key, set.length)
        return set.push(value) - 1
      })
      return { set, map }
    },
  }),
  defineKind({
    guid: '190d042c-2270-4bc1-81c0-4f90c170c9c9',
    description: 'A list without the items that repeat the one before, and how many these were.',
    inputs: { set: list.any, wrap: item.boolean },
    outputs: { set: list.any, count: item.integer },
    solve: ({ set, wrap }) => {
      const kept = set.filter((value, i) => i === 0 || getValueKey(value) !== getValueKey(set[i - 1] ?? null))
      const closes =
        wrap && kept.length > 1 && getValueKey(kept[0] ?? null) === getValueKey(kept.at(-1) ?? null)
      const last = closes ? kept.slice(0, -1) : kept
      return { set: last, count: set.length - last.length }
    },
  }),
  defineKind({
    guid: 'a759fd55-e6be-4673-8365-c28d5b52c6c0',
    name: 'Item Index',
    description: 'The first index at which a list has an item; -1 where it has not.',
    inputs: { list: named('List (L)', list.any), item: named('Item (i)', item.any) },
    outputs: { index: named('Index (i)', item.integer) },
    solve: ({ list: values, item: wanted }) => {
      const key = getValueKey(wanted)
      return { index: values.findIndex((value) => getValueKey(value) === key) }
    },
  }),
  defineKind({
    guid: '1edcc3cf-cf84-41d4-8204-561162cfe510',
    name: 'Key/Value Search',
    description: 'The value at the place where a list of keys has the key that is searched.',
    inputs: {
      keys: named('Keys (K)', list.text),
      values: named('Values (V)', list.any),
      search: named('Search (S)', item.text),
    },
    outputs: { result: named('Result (R)', item.any) },
    solve: ({ keys, values, search }) => ({ result: values[keys.indexOf(search)] ?? null }),
  }),
  defineKind({
    guid: 'e7c80ff6-0299-4303-be36-3080977c14a1',
    description: 'The first of several values that is there, and which it was.',
    inputs: {},
    moreInputs: nullable(optional(item.any)),
    outputs: { result: item.any, index: item.integer },
    solve: ({ more }) => {
      const index = more.findIndex((value) => value !== null && value !== undefined)
      return { result: more[index] ?? null, index }
    },
  }),
  defineKind({
    guid: '8440fd1b-b6e0-4bdb-aa93-4ec295c213e9',
    description: 'Both lists as long as the longer one; the last item of the shorter is repeated.',
    inputs: { a: optional(list.any), b: optional(list.any) },
    outputs: { a: list.any, b: list.any },
    solve: ({ a, b }) => {
      const length = Math.max(a.length, b.length)
      return { a: stretch(a, length), b: stretch(b, length) }
    },
  }),
  defineKind({
    guid: '5a13ec19-e4e9-43da-bf65-f93025fa87ca',
    description: 'All lists cut to the length of the shortest; empty ones do not count.',
    inputs: {},
    moreInputs: optional(list.any),
    outputs: {},
    moreOutputs: list.any,
    solve: ({ more }) => {
      const filled = more.filter((values) => values.length > 0)
      const length = filled.reduce((least, values) => Math.min(least, values.length), Infinity)
      return { more: more.map((values) => values.slice(0, length)) }
    },
  }),
  defineKind({
    guid: '36947590-f0cb-4807-a8f9-9c90c9b20621',
    description: 'Every item of one list with every item of the other, the first list going round fastest.',
    inputs: { a: optional(list.any), b: optional(list.any) },
    outputs: { a: list.any, b: list.any },
    solve: ({ a, b }, context) => {
      if (a.length === 0 || b.length === 0) return { a, b }
      context.reserve(2 * a.length * b.length)
      return { a: b.flatMap(() => a), b: b.flatMap((value) => a.map(() => value)) }
    },
  }),
]

function stretch(values: Values, length: number): Values {
  const last = values.at(-1)
  if (last === undefined) return values
  return Array.from({ length }, (_, i) => (i < values.length ? (values[i] ?? null) : last))
}
