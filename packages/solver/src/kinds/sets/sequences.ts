import { checkpoint, reserveText } from '@meadow/geometry/budget/budget'
import { replaceAll } from '@meadow/geometry/values/texts'
import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { interpolateDomain } from '../maths/domains.ts'

export const SEQUENCES: readonly Kind[] = [
  defineKind({
    guid: 'e64c5fb1-845c-4ab1-8911-5f338516ba67',
    description: 'Numbers with a constant step.',
    solve: ([start, step, count], context) => {
      if (count < 0) {
        context.error('Count must be 0 or more')
        return []
      }
      context.reserve(count)
      return [Array.from({ length: count }, (_, i) => start + i * step)]
    },
  }),
  defineKind({
    guid: '9445ca40-cc73-4861-a455-146308676855',
    description: 'Numbers at equal steps in a domain, both ends included.',
    solve: ([domain, steps], context) => {
      if (steps < 1) {
        context.error('Steps must be 1 or more')
        return []
      }
      context.reserve(steps + 1)
      return [Array.from({ length: steps + 1 }, (_, i) => interpolateDomain(domain, i / steps))]
    },
  }),
  defineKind({
    guid: 'c40dc145-9e36-4a69-ac1a-6d825c654993',
    description: 'Repeats a list up to a length.',
    solve: ([data, length], context) => {
      if (length < 0) {
        context.error('The length must be 0 or more')
        return []
      }
      context.reserve(length)
      return [data.length === 0 ? [] : repeat(data, length)]
    },
  }),
  defineKind({
    guid: 'dd8134c0-109b-4012-92be-51d843edfff7',
    description: 'Duplicates a list several times, as a whole or item by item.',
    solve: ([data, number, keepsOrder], context) => {
      if (number < 0) {
        context.error('The number must be 0 or more')
        return []
      }
      context.reserve(data.length * number)
      if (keepsOrder) return [data.length === 0 ? [] : repeat(data, data.length * number)]
      return [data.flatMap((value) => new Array<Value | null>(number).fill(value))]
    },
  }),
  defineKind({
    guid: 'fe99f302-3d0d-4389-8494-bd53f7935a02',
    description: 'A Fibonacci series: each number is the sum of the two before it.',
    solve: ([a, b, count], context) => {
      if (count < 0) {
        context.error('The number must be 0 or more')
        return []
      }
      context.reserve(count)
      if (count === 0) return [[]]
      const series = [a, b]
      for (let i = 0; i < count; i++) series.push((series[i] as number) + (series[i + 1] as number))
      return [series]
    },
  }),
  defineKind({
    guid: '5fa4e736-0d82-4af0-97fb-30a79f4cbf41',
    description: 'Repeats each item of a list by a pattern of counts; the pattern is repeated.',
    solve: ([data, stack], context) => {
      if (stack.length === 0) return [[]]
      const times = data.map((_, i) => Math.max(0, stack[i % stack.length] ?? 0))
      context.reserve(times.reduce((sum, count) => sum + count, 0))
      return [data.flatMap((value, i) => new Array<Value | null>(times[i] ?? 0).fill(value))]
    },
  }),
  defineKind({
    guid: '01640871-69ea-40ac-9380-4660d6d28bd2',
    description: 'Texts that count with the characters of a pool: A, B and so on to Z, then AA, AB.',
    solve: ([count, pool, format], context) => {
      if (count < 0) {
        context.error('Count must be 0 or more')
        return []
      }
      context.reserve(count)
      if (pool === '') return [[]]
      const fill = (tag: string) => (format === undefined ? tag : replaceAll(format, '{0}', tag))
      return [
        Array.from({ length: count }, (_, i) => {
          const tag = countWith(pool, i)
          reserveText(tag.length)
          return fill(tag)
        }),
      ]
    },
  }),
]

/**
 * A number written with the characters of the pool, without a zero: the last character is followed by two
 * characters.
 */
function countWith(pool: string, number: number): string {
  let tag = ''
  for (let rest = number; rest >= 0; rest = Math.floor(rest / pool.length) - 1) {
    checkpoint()
    tag = pool.charAt(rest % pool.length) + tag
  }
  return tag
}

function repeat<T>(values: readonly T[], length: number): T[] {
  return Array.from({ length }, (_, i) => values[i % values.length] as T)
}
