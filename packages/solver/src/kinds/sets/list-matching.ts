import { checkpoint, reserveValues } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { list, optional } from '../declaration/ports.ts'

/*
 * The kinds that match lists explicitly. Their modes are the numbers that files store.
 * Source: Grasshopper Primer 1.4.3, its figures, and its example file, which has the modes in the order of the figures.
 */

type Values = readonly (Value | null)[]

const TWO_LISTS = [optional(list.any), optional(list.any)] as const
const TWO_RESULTS = [list.any, list.any] as const

export const MATCHING_KINDS: readonly Kind[] = [
  defineKind({
    guid: '8440fd1b-b6e0-4bdb-aa93-4ec295c213e9',
    description:
      'Extends shorter lists to the length of the longest, by default by repeating their last item.',
    options: { paddingMode: [1, 2, 3, 4, 5] },
    inputs: TWO_LISTS,
    moreInputs: optional(list.any),
    outputs: TWO_RESULTS,
    moreOutputs: list.any,
    solve: ([a, b, ...more], context) => {
      const mode = findOption<number>(context.node, 'paddingMode', 'number') ?? 2
      const lists = [a, b, ...more]
      const length = lists.reduce((most, values) => Math.max(most, values.length), 0)
      return lists.map((values) => pickItems(values, PADDINGS[mode] ?? repeatLast, length, context))
    },
  }),
  defineKind({
    guid: '5a13ec19-e4e9-43da-bf65-f93025fa87ca',
    description:
      'Shortens all lists to the length of the shortest, by default at their end; empty lists are ignored.',
    options: { trimMode: [1, 2, 3] },
    inputs: [],
    moreInputs: optional(list.any),
    outputs: [],
    moreOutputs: list.any,
    solve: (more, context) => {
      const mode = findOption<number>(context.node, 'trimMode', 'number') ?? 2
      const filled = more.filter((values) => values.length > 0)
      const length = filled.reduce((least, values) => Math.min(least, values.length), Infinity)
      return more.map((values) =>
        values.length > 0 ? pickItems(values, TRIMMINGS[mode] ?? keep, length, context) : values,
      )
    },
  }),
  defineKind({
    guid: '36947590-f0cb-4807-a8f9-9c90c9b20621',
    description:
      'Combines the items of all lists, by default each with each; the first list varies fastest. Empty lists are ignored.',
    options: { crossMode: [1, 2, 3, 4, 5, 6, 7] },
    inputs: TWO_LISTS,
    moreInputs: optional(list.any),
    outputs: TWO_RESULTS,
    moreOutputs: list.any,
    solve: ([a, b, ...more], context) => {
      const mode = findOption<number>(context.node, 'crossMode', 'number') ?? 1
      return combine([a, b, ...more], COMBINATIONS[mode] ?? everything)
    },
  }),
]

/**
 * Returns which of the `count` items of a list is item `index` of the `length` items of the padded list; undefined if
 * it is not known.
 */
type Pick = (index: number, count: number, length: number) => number | undefined

const repeatFirst: Pick = (index, count, length) => Math.max(0, index - (length - count))
const repeatLast: Pick = (index, count) => Math.min(index, count - 1)
const keep: Pick = (index) => index

/**
 * The items at even distances from the first to the last, rounded. Which of two items is taken where both are as near
 * is not published.
 */
const interpolate: Pick = (index, count, length) => {
  if (length < 2) return 0
  const twice = (2 * index * (count - 1)) / (length - 1)
  return Number.isInteger(twice) && twice % 2 === 1 ? undefined : Math.round(twice / 2)
}

/**
 * The ways to pad a list by their number in the file. A flipped list (5) turns round at its ends, but how exactly is
 * not published.
 */
const PADDINGS: Readonly<Record<number, Pick>> = {
  1: repeatFirst,
  2: repeatLast,
  3: interpolate,
  4: (index, count) => index % count,
  5: (index, count) => (index < count ? index : undefined),
}

const TRIMMINGS: Readonly<Record<number, Pick>> = {
  1: (index, count, length) => index + count - length,
  2: keep,
  3: interpolate,
}

function pickItems(values: Values, pick: Pick, length: number, context: KindContext): Values {
  const { length: count } = values
  if (count === length || count === 0) return values
  context.reserve(length)
  return Array.from({ length }, (_, i) => {
    const index = pick(i, count, length)
    if (index === undefined) context.limit('Which items this menu option picks here is not known')
    return index === undefined ? null : (values[index] ?? null)
  })
}

/** Whether the items at these indices of the lists are combined. */
type Keeps = (indices: readonly number[]) => boolean

const everything: Keeps = () => true
/** Compares the index in each list with that in the next one. */
const inOrder =
  (test: (index: number, next: number) => boolean): Keeps =>
  (indices) =>
    indices.every((index, i) => i === 0 || test(indices[i - 1] as number, index))

/**
 * The combinations by their number in the file: holistic, diagonal, coincident, and the lower and upper triangle, each
 * also strict.
 */
const COMBINATIONS: Readonly<Record<number, Keeps>> = {
  1: everything,
  2: (indices) => indices.some((index) => index !== indices[0]),
  3: (indices) => new Set(indices).size === indices.length,
  4: inOrder((index, next) => index >= next),
  5: inOrder((index, next) => index > next),
  6: inOrder((index, next) => index <= next),
  7: inOrder((index, next) => index < next),
}

function combine(lists: readonly Values[], keeps: Keeps): Values[] {
  const filled = lists.filter((values) => values.length > 0)
  if (filled.length < 2) return [...lists]
  const results = lists.map((): (Value | null)[] => [])
  const targets = results.filter((_, i) => (lists[i] as Values).length > 0)
  const indices = filled.map(() => 0)
  for (let isDone = false; !isDone; isDone = advance(indices, filled)) {
    checkpoint()
    if (!keeps(indices)) continue
    reserveValues(filled.length)
    for (const [i, values] of filled.entries()) targets[i]?.push(values[indices[i] as number] ?? null)
  }
  return results
}

/** Counts the indices up, the first one fastest. True after the last combination. */
function advance(indices: number[], lists: readonly Values[]): boolean {
  for (const [i, values] of lists.entries()) {
    const next = (indices[i] as number) + 1
    indices[i] = next < values.length ? next : 0
    if (next < values.length) return false
  }
  return true
}
