import { formatPath } from '@meadow/document'
import { BRANCH_BYTES, checkpoint } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, nullable, optional } from '../declaration/ports.ts'

type Values = readonly (Value | null)[]

export const SET_OPERATIONS: readonly Kind[] = [
  defineKind({
    guid: '98c3c63a-e78a-43ea-a111-514fcf312c95',
    description: 'The distinct items of a list, and for each item of the list its index among them.',
    solve: ([values]) => {
      const indices = new Map<string, number>()
      const set: (Value | null)[] = []
      const map = values.map((value) => {
        const key = getValueKey(value)
        const known = indices.get(key)
        if (known !== undefined) return known
        indices.set(key, set.length)
        return set.push(value) - 1
      })
      return [set, map]
    },
  }),
  defineKind({
    guid: '190d042c-2270-4bc1-81c0-4f90c170c9c9',
    description: 'Removes consecutive duplicates from a list, and counts them.',
    solve: ([set, wrap]) => {
      const distinctValues = set.filter(
        (value, i) => i === 0 || getValueKey(value) !== getValueKey(set[i - 1] ?? null),
      )
      const closes =
        wrap &&
        distinctValues.length > 1 &&
        getValueKey(distinctValues[0] ?? null) === getValueKey(distinctValues.at(-1) ?? null)
      const last = closes ? distinctValues.slice(0, -1) : distinctValues
      return [last, set.length - last.length]
    },
  }),
  defineKind({
    guid: 'a759fd55-e6be-4673-8365-c28d5b52c6c0',
    description: 'The index of an item in a list: -1 where no item equals it, and a limit where one does.',
    solve: ([values, sought], context) => {
      if (findIndices(values, sought).length === 0) return [-1]
      // Source: pyhopper, rhino-test/oracle/cases/Sets/ItemIndex.json: equal values of another origin have -1.
      context.limit(
        'Grasshopper finds only the very same item, not an equal one, and here only equality is known',
      )
      return []
    },
  }),
  defineKind({
    guid: '1edcc3cf-cf84-41d4-8204-561162cfe510',
    description: 'The value at the index of a key in a list of keys.',
    inputs: [list.text, list.any, item.text],
    solve: ([keys, values, search]) => [values[findIndices(keys, search)[0] ?? -1] ?? null],
  }),
  defineKind({
    guid: 'deffaf1e-270a-4c15-a693-9216b68afd4a',
    description: 'Pairs the members of two sets of the same size, each pair in a branch of its own.',
    solve: ([a, b], context) => {
      if (a.length !== b.length) {
        context.error('The two sets must have as many members')
        return []
      }
      context.reserve(a.length, BRANCH_BYTES)
      return [
        { branches: a.map((value, i) => ({ path: [...context.path, i], values: [value, b[i] ?? null] })) },
      ]
    },
  }),
  defineKind({
    guid: 'e7c80ff6-0299-4303-be36-3080977c14a1',
    description: 'The first of several inputs that has a value, and its index.',
    inputs: [],
    moreInputs: nullable(optional(item.any)),
    solve: (more) => {
      const index = more.findIndex((value) => value !== null && value !== undefined)
      return [more[index] ?? null, index]
    },
  }),
]

/** Set operations on lists. Values of different types are different. */
export const SET_LOGIC: readonly Kind[] = [
  defineKind({
    guid: '8eed5d78-7810-4ba1-968e-8a1f1db98e39',
    description: 'The union of several lists: each value once, in order of first appearance.',
    inputs: [optional(list.any), optional(list.any)],
    moreInputs: optional(list.any),
    solve: ([a, b, ...more]) => [distinct([a, b, ...more].flat())],
  }),
  defineKind({
    guid: '82f19c48-9e73-43a4-ae6c-3a8368099b08',
    description: 'The intersection of several lists: each value once, in the order of the last list.',
    inputs: [optional(list.any), optional(list.any)],
    moreInputs: optional(list.any),
    solve: ([a, b, ...more]) => {
      const [first, ...others] = [a, b, ...more].filter(({ length }) => length > 0)
      let common: Values = first ?? []
      for (const values of others) {
        const keys = keysOf(common)
        common = values.filter((value) => keys.has(getValueKey(value)))
      }
      return [distinct(common)]
    },
  }),
  defineKind({
    guid: 'e3b1a10c-4d49-4140-b8e6-0b5732a26c31',
    description: 'The values of one list that are not in another, including duplicates.',
    solve: ([a, b]) => {
      const keys = keysOf(b)
      return [a.filter((value) => !keys.has(getValueKey(value)))]
    },
  }),
  defineKind({
    guid: '3ff27857-b988-417a-b495-b24c733dbd00',
    description: 'All indices of a value in a list, and their number.',
    solve: ([set, member], context) => {
      const indices = findIndices(set, member)
      context.reserve(indices.length)
      return [indices, indices.length]
    },
  }),
]

const INDICES = new WeakMap<Values, ReadonlyMap<string, readonly number[]>>()
const NONE: readonly number[] = []

/** Returns all indices of a value in a list. A list is searched for many values, so its keys are kept. */
function findIndices(values: Values, sought: Value): readonly number[] {
  const known = INDICES.get(values) ?? indexKeys(values)
  INDICES.set(values, known)
  return known.get(getValueKey(sought)) ?? NONE
}

function indexKeys(values: Values): ReadonlyMap<string, readonly number[]> {
  const indices = new Map<string, number[]>()
  for (const [index, value] of values.entries()) {
    const key = getValueKey(value)
    const known = indices.get(key)
    if (known) known.push(index)
    else indices.set(key, [index])
  }
  return indices
}

export function keysOf(values: Values): ReadonlySet<string> {
  return new Set(values.map(getValueKey))
}

/** Returns each value once, at its first occurrence. */
export function distinct(values: Values): Values {
  const known = new Set<string>()
  return values.filter((value) => {
    const key = getValueKey(value)
    return !known.has(key) && known.add(key)
  })
}

const objectKeys = new WeakMap<object, string>()
let made = 0

/**
 * A key that is the same for equal values: numbers, texts, booleans, points, vectors, colours, domains and
 * paths by value; other geometry by identity. Values of different types are different: an integer is not the
 * number 1.0, nor the text "1".
 */
export function getValueKey(value: Value | null): string {
  if (value === null) return 'null'
  checkpoint(typeof value === 'string' ? 1 + value.length / 64 : 1)
  if (typeof value !== 'object') return `${typeof value} ${value}`
  switch (value.type) {
    case 'integer':
      return `integer ${value.value}`
    case 'point':
    case 'vector':
      return `${value.type} ${value.x} ${value.y} ${value.z}`
    case 'colour':
      return `colour ${value.red} ${value.green} ${value.blue} ${value.alpha}`
    case 'domain':
      return `domain ${value.start} ${value.end}`
    case 'complex':
      return `complex ${value.real} ${value.imaginary}`
    case 'time':
      return `time ${value.day} ${value.ms}`
    case 'path':
      return `path ${formatPath(value.path)}`
    default:
      return getObjectKey(value)
  }
}

function getObjectKey(value: object): string {
  const known = objectKeys.get(value)
  if (known !== undefined) return known
  const key = `object ${made++}`
  objectKeys.set(value, key)
  return key
}
