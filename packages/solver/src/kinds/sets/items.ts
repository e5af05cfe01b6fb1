import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { item, nullable, optional, present } from '../declaration/ports.ts'
import { BEYOND_LIST, resolveIndex } from './resolve-index.ts'

type Values = readonly (Value | null)[]

export const ITEM_KINDS: readonly Kind[] = [
  defineKind({
    guid: ['59daf374-bc21-4a5e-8282-5504fb7ae9ae', '285ddd8a-5398-4a3e-b3c2-361025711a51'],
    description: 'An item of a list by its index, and its neighbours on further outputs.',
    options: { baseOutputIndex: 'number' },
    outputs: [],
    moreOutputs: item.any,
    solve: ([values, index, wrap], context) => {
      // This is the number of the output for the item at the index itself.
      const base = findOption<number>(context.node, 'baseOutputIndex', 'number') ?? 0
      return context.outputNames.map((_, output) => {
        const position = resolveIndex(index + output - base, values.length, wrap)
        return position === undefined ? null : (values[position] ?? null)
      })
    },
  }),
  defineKind({
    guid: 'c74efd0e-7fe3-4c2d-8c9d-295c5672fb13',
    description: 'Tests whether an item is null.',
    inputs: [nullable(optional(item.any))],
    solve: ([value = null]) => {
      const isNull = value === null
      const isInvalid = isNull || (typeof value === 'number' && Number.isNaN(value))
      return [isNull, isInvalid, isNull ? 'Data does not exist' : '']
    },
  }),
  defineKind({
    guid: '1817fd29-20ae-4503-b542-f0fb651e67d7',
    ignoresValues: true,
    description: 'The number of items in a list, including nulls.',
    solve: ([values]) => [values.length],
  }),
  defineKind({
    guid: 'b333ff42-93bd-406b-8e17-15780719b6ec',
    description: 'The items of a list from one index to another, both included.',
    solve: ([values, { start, end }, wrap], context) => {
      if (!Number.isFinite(start) || !Number.isFinite(end)) {
        context.error('The domain must be finite')
        return []
      }
      if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) {
        context.limit('How a domain with fractions is rounded is not published')
        return []
      }
      if (values.length === 0) return [[], []]
      const count = Math.abs(end - start) + 1
      context.reserve(count)
      const step = start <= end ? 1 : -1
      const indices: number[] = []
      for (let i = 0; i < count; i++) {
        const position = resolveIndex(start + i * step, values.length, wrap)
        if (position === undefined) context.approximate(BEYOND_LIST)
        else indices.push(position)
      }
      return [indices.map((position) => values[position] ?? null), indices]
    },
  }),
  defineKind({
    guid: '7a218bfb-b93d-4c1f-83d3-5a0b909dd60b',
    description: 'Replaces the items at some indices of a list.',
    solve: ([values, items, indices, wrap], context) => {
      const replaced = [...values]
      const positions = present(indices).map((index) => resolveIndex(index, values.length, wrap))
      if (differ(items, positions)) {
        context.limit(OTHER_NUMBER)
        return []
      }
      for (const [i, position] of positions.entries()) {
        if (position === undefined) {
          context.error('An index is beyond the list')
          return []
        }
        replaced[position] = items[Math.min(i, items.length - 1)] ?? null
      }
      return [replaced]
    },
  }),
  defineKind({
    guid: 'e2039b07-d3f3-40f8-af88-d74fed238727',
    description:
      'Inserts items at some indices of a list; a single item or a single index is repeated. Nulls fill the gap to an index beyond the end.',
    solve: ([values, items, indices, wrap], context) => {
      const positions = present(indices)
      if (!wrap && positions.some((position) => position < 0)) {
        context.error('An index is below 0')
        return []
      }
      if (positions.length > 1 && differ(items, positions)) {
        context.limit(OTHER_NUMBER)
        return []
      }
      // An item can be inserted after the last one too.
      const places = positions.map((index) =>
        wrap ? (resolveIndex(index, values.length + 1, true) ?? 0) : index,
      )
      const count = places.length === 0 ? 0 : Math.max(places.length, items.length)
      context.reserve(count + places.reduce((last, index) => Math.max(last, index), values.length))
      const insertions = Array.from({ length: count }, (_, i) => ({
        index: places[Math.min(i, places.length - 1)] ?? 0,
        value: items[Math.min(i, items.length - 1)] ?? null,
      }))
      return [insert(values, insertions)]
    },
  }),
]

const OTHER_NUMBER = 'Which of several items belong to another number of indices is not published'

/** Whether there are several items, and not one for each index. */
function differ(items: Values, indices: readonly unknown[]): boolean {
  return items.length > 1 && indices.length > 0 && items.length !== indices.length
}

/** Indices refer to the list before any insertion. Values with the same index keep their order. */
function insert(values: Values, insertions: readonly { index: number; value: Value | null }[]): Values {
  const inserted: (Value | null)[] = []
  let taken = 0
  for (const { index, value } of insertions.toSorted((a, b) => a.index - b.index)) {
    for (; taken < index; taken++) inserted.push(values[taken] ?? null)
    inserted.push(value)
  }
  return [...inserted, ...values.slice(taken)]
}
