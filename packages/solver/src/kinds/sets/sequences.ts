import type { Value } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { atShare } from '../maths/domains.ts'
import { item, list } from '../ports.ts'

export const SEQUENCES: readonly Kind[] = [
  defineKind({
    guid: 'e64c5fb1-845c-4ab1-8911-5f338516ba67',
    description: 'Numbers one step apart.',
    inputs: { start: item.number, step: item.number, count: item.integer },
    outputs: { series: list.number },
    solve: ({ start, step, count }, context) => {
      if (count < 0) {
        context.error('Count must be 0 or more')
        return {}
      }
      context.reserve(count)
      return { series: Array.from({ length: count }, (_, i) => start + i * step) }
    },
  }),
  defineKind({
    guid: '9445ca40-cc73-4861-a455-146308676855',
    description: 'Numbers that part a domain into equal steps, both ends included.',
    inputs: { domain: item.domain, steps: item.integer },
    outputs: { range: list.number },
    solve: ({ domain, steps }, context) => {
      if (steps < 1) {
        context.error('Steps must be 1 or more')
        return {}
      }
      context.reserve(steps)
      return { range: Array.from({ length: steps + 1 }, (_, i) => atShare(domain, i / steps)) }
    },
  }),
  defineKind({
    guid: 'c40dc145-9e36-4a69-ac1a-6d825c654993',
    description: 'A list gone through again and again until it has a given length.',
    inputs: { data: list.any, length: item.integer },
    outputs: { data: list.any },
    solve: ({ data, length }, context) => {
      if (length < 0) {
        context.error('The length must be 0 or more')
        return {}
      }
      context.reserve(length)
      return { data: data.length === 0 ? [] : repeat(data, length) }
    },
  }),
  defineKind({
    guid: 'dd8134c0-109b-4012-92be-51d843edfff7',
    description: 'A list several times over: all of it and again, or each item and again.',
    inputs: { data: list.any, number: item.integer, keepsOrder: item.boolean },
    outputs: { data: list.any },
    solve: ({ data, number, keepsOrder }, context) => {
      if (number < 0) {
        context.error('The number must be 0 or more')
        return {}
      }
      context.reserve(data.length * number)
      if (keepsOrder) return { data: data.length === 0 ? [] : repeat(data, data.length * number) }
      return { data: data.flatMap((value) => new Array<Value | null>(number).fill(value)) }
    },
  }),
]

function repeat<T>(values: readonly T[], length: number): T[] {
  return Array.from({ length }, (_, i) => values[i % values.length] as T)
}
