import type { Value } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named, optional } from '../ports.ts'
import { getValueKey } from './value-key.ts'

type Values = readonly (Value | null)[]

const keysOf = (values: Values): ReadonlySet<string> => new Set(values.map(getValueKey))

/** Each value once, where it stood first. */
function distinct(values: Values): Values {
  const known = new Set<string>()
  return values.filter((value) => {
    const key = getValueKey(value)
    return !known.has(key) && known.add(key)
  })
}

/** Lists as sets. Values of different types are different. */
export const SET_LOGIC: readonly Kind[] = [
  defineKind({
    guid: '8eed5d78-7810-4ba1-968e-8a1f1db98e39',
    name: 'Set Union',
    description: 'What is in any of several lists, each value once, in order of first appearance.',
    inputs: { a: named('Set A (A)', optional(list.any)), b: named('Set B (B)', optional(list.any)) },
    moreInputs: optional(list.any),
    outputs: { union: named('Union (U)', list.any) },
    solve: ({ a, b, more }) => ({ union: distinct([a, b, ...more].flat()) }),
  }),
  defineKind({
    guid: '82f19c48-9e73-43a4-ae6c-3a8368099b08',
    name: 'Set Intersection',
    description: 'What is in all of several lists, each value once, in the order of the last one.',
    inputs: { a: named('Set A (A)', optional(list.any)), b: named('Set B (B)', optional(list.any)) },
    moreInputs: optional(list.any),
    outputs: { intersection: named('Union (U)', list.any) },
    solve: ({ a, b, more }) => {
      const [first, ...others] = [a, b, ...more].filter(({ length }) => length > 0)
      let shared: Values = first ?? []
      for (const values of others) {
        const keys = keysOf(shared)
        shared = values.filter((value) => keys.has(getValueKey(value)))
      }
      return { intersection: distinct(shared) }
    },
  }),
  defineKind({
    guid: 'e3b1a10c-4d49-4140-b8e6-0b5732a26c31',
    name: 'Set Difference',
    description: 'What is in one list and not in another, as often as it is there.',
    inputs: { a: named('Set A (A)', list.any), b: named('Set B (B)', list.any) },
    outputs: { difference: named('Union (U)', list.any) },
    solve: ({ a, b }) => {
      const keys = keysOf(b)
      return { difference: a.filter((value) => !keys.has(getValueKey(value))) }
    },
  }),
  defineKind({
    guid: '3ff27857-b988-417a-b495-b24c733dbd00',
    name: 'Member Index',
    description: 'All indices at which a list has a value, and how many these are.',
    inputs: { set: named('Set (S)', list.any), member: named('Member (M)', item.any) },
    outputs: { indices: named('Index (I)', list.integer), count: named('Count (N)', item.integer) },
    solve: ({ set, member }) => {
      const key = getValueKey(member)
      const indices = set.flatMap((value, i) => (getValueKey(value) === key ? [i] : []))
      return { indices, count: indices.length }
    },
  }),
]
