import { checkpoint } from '@meadow/geometry/budget/budget'
import { formatValue } from '@meadow/geometry/values/format-value'
import type { Point } from '@meadow/geometry/values/points'
import { getTextDistance } from '@meadow/geometry/values/text-distance'
import { kindOf, type Value, type ValueKind } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { defineKind, type KindContext } from '../declaration/define-kind.ts'
import { getValueKey } from './sets.ts'

/**
 * The most alike member of a set (rule I-7): numbers by their difference, points by their distance, other values by
 * the distance of their texts, and the first of several. Source: recorded outputs of Grasshopper 8,
 * github.com/ezzahiranass/pyhopper, rhino-test/oracle/cases/Sets/FindSimilarMember.json.
 */
export const FIND_SIMILAR = defineKind({
  guid: 'b4d4235f-14ff-4d4e-a29a-b358dcd2baf4',
  description:
    'The member of a set that is most like a value, and its index: the closest number or point, or the value with the most similar text.',
  solve: ([data, set], context) => {
    if (set.every((member) => member === null)) {
      context.error('The set has no members')
      return []
    }
    const index = findClosest(data, set, context) ?? findEqual(data, set)
    if (index === undefined) {
      context.limit('How alike these values are is not published')
      return []
    }
    return [set[index] ?? null, index]
  },
})

/**
 * The index of the most alike member; undefined if that is not known. In a set with numbers or points among other
 * values, it is not published whether these are compared as such or by their texts.
 */
function findClosest(data: Value, set: readonly (Value | null)[], context: KindContext): number | undefined {
  const gaps = set.map((member) => (member === null ? undefined : findGap(data, member)))
  if (gaps.some(Number.isNaN)) return undefined
  if (set.every((member, i) => member === null || gaps[i] !== undefined)) return findLeast(gaps)
  if (![data, ...set].every(hasText)) return undefined
  const texts = set.map((member) => (member === null ? undefined : formatValue(member)))
  context.reserve(2 * texts.reduce((longest, text) => Math.max(longest, text?.length ?? 0), 0))
  const text = formatValue(data)
  const likeness = texts.map((each) => (each === undefined ? undefined : getTextDistance(text, each)))
  const index = findLeast(likeness)
  return index === findLeast(gaps.map((gap, i) => gap ?? likeness[i])) ? index : undefined
}

/** The index of the first least number. */
function findLeast(gaps: readonly (number | undefined)[]): number | undefined {
  let least: number | undefined
  for (const [i, gap] of gaps.entries()) {
    checkpoint()
    if (gap !== undefined && (least === undefined || gap < (gaps[least] as number))) least = i
  }
  return least
}

/** The difference of two numbers, or the distance of two points. */
function findGap(a: Value, b: Value): number | undefined {
  if (isNumber(a) && isNumber(b)) return Math.abs(toNumber(a) - toNumber(b))
  return isPoint(a) && isPoint(b) ? distance(a, b) : undefined
}

function findEqual(data: Value, set: readonly (Value | null)[]): number | undefined {
  const key = getValueKey(data)
  const index = set.findIndex((member) => member !== null && getValueKey(member) === key)
  return index < 0 ? undefined : index
}

const TYPES_WITH_TEXT: ReadonlySet<ValueKind> = new Set<ValueKind>([
  'number',
  'integer',
  'boolean',
  'text',
  'point',
  'vector',
  'colour',
  'domain',
  'domain2',
  'path',
])

/** Whether the text that Grasshopper writes for a value is known. */
function hasText(value: Value | null): boolean {
  return value === null || TYPES_WITH_TEXT.has(kindOf(value))
}

function isNumber(value: Value): boolean {
  return kindOf(value) === 'number' || kindOf(value) === 'integer'
}

function isPoint(value: Value): value is Point {
  return kindOf(value) === 'point'
}

function toNumber(value: Value): number {
  return Number(typeof value === 'object' && value.type === 'integer' ? value.value : value)
}
