import { checkpoint, reserveValues } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { item, list, optional, tree } from '../declaration/ports.ts'

type Values = readonly (Value | null)[]

export const LIST_KINDS: readonly Kind[] = [
  defineKind({
    guid: '6ec97ea8-c559-47a2-8d0f-ce80c794d1f4',
    description: 'Reverses a list.',
    inputs: { list: list.any },
    outputs: { list: list.any },
    solve: ({ list: values }) => ({ list: values.toReversed() }),
  }),
  defineKind({
    guid: '4fdfe351-6c07-47ce-9fb9-be027fb62186',
    description:
      'Shifts the items of a list; items that leave one end are appended at the other, or removed.',
    inputs: { list: list.any, shift: item.integer, wrap: item.boolean },
    outputs: { list: list.any },
    solve: ({ list: values, shift, wrap }) => ({ list: shiftList(values, shift, wrap) }),
  }),
  defineKind({
    guid: '6f93d366-919f-4dda-a35e-ba03dd62799b',
    description: 'Sorts numbers, and further lists in the same order. Equal numbers keep their order.',
    inputs: { keys: list.number },
    moreInputs: optional(list.any),
    outputs: { keys: list.number },
    moreOutputs: list.any,
    solve: ({ keys, more }, context) => {
      context.reserve(keys.length)
      const order = keys.map((_, i) => i).filter((i) => keys[i] !== null)
      order.sort((a, b) => {
        checkpoint()
        return (keys[a] as number) - (keys[b] as number)
      })
      return {
        keys: order.map((i) => keys[i] as number),
        more: more.map((values) => order.filter((i) => i < values.length).map((i) => values[i] ?? null)),
      }
    },
  }),
  defineKind({
    guid: '9ab93e1a-ebdf-4090-9296-b000cff7b202',
    description: 'Splits a list in two before an index.',
    inputs: { list: list.any, index: item.integer },
    outputs: { before: list.any, after: list.any },
    solve: ({ list: values, index }) => {
      const position = Math.max(0, index)
      return { before: values.slice(0, position), after: values.slice(position) }
    },
  }),
  defineKind({
    guid: '5a93246d-2595-4c28-bc2d-90657634f92a',
    description: 'Partitions a list into chunks; the pattern of sizes is repeated.',
    inputs: { list: list.any, sizes: list.integer },
    outputs: { chunks: tree.any },
    solve: ({ list: values, sizes }, context) => {
      const usable = sizes.filter((size) => size !== null)
      if (usable.length === 0 || usable.some((size) => size < 1)) {
        context.error('Sizes must be 1 or more')
        return {}
      }
      const branches: { path: number[]; values: Values }[] = []
      for (let from = 0; from < values.length; ) {
        const size = usable[branches.length % usable.length] ?? 1
        branches.push({ path: [...context.path, branches.length], values: values.slice(from, from + size) })
        from += size
      }
      return { chunks: { branches } }
    },
  }),
  defineKind({
    guid: '50faccbd-9c92-4175-a5fa-d65e36013db6',
    description: 'Weaves several lists into one, by a pattern of list indices.',
    options: { nullGaps: 'boolean' },
    inputs: { pattern: list.integer },
    moreInputs: list.any,
    outputs: { weave: list.any },
    solve: ({ pattern, more }, context) => {
      const fillsGaps = findOption<boolean>(context.node, 'nullGaps', 'boolean') ?? false
      return {
        weave: weave(
          pattern.filter((index) => index !== null),
          more,
          fillsGaps,
        ),
      }
    },
  }),
]

function shiftList(values: Values, shift: number, wrap: boolean): Values {
  const { length } = values
  if (length === 0) return values
  if (!wrap) return shift >= 0 ? values.slice(shift) : values.slice(0, Math.max(0, length + shift))
  const start = ((shift % length) + length) % length
  return [...values.slice(start), ...values.slice(0, start)]
}

/** Weaves lists until all those in the pattern are exhausted. An exhausted list is skipped, or yields nulls. */
function weave(pattern: readonly number[], streams: readonly Values[], fillsGaps: boolean): Values {
  const woven: (Value | null)[] = []
  const taken = streams.map(() => 0)
  const hasMore = (index: number) => (taken[index] ?? 0) < (streams[index]?.length ?? 0)
  while (pattern.some(hasMore)) {
    // Each round weaves some of the pattern, or all of it with gaps.
    reserveValues(pattern.length)
    for (const index of pattern) {
      if (hasMore(index)) {
        const position = taken[index] ?? 0
        woven.push(streams[index]?.[position] ?? null)
        taken[index] = position + 1
      } else if (fillsGaps && index >= 0 && index < streams.length) woven.push(null)
    }
  }
  return woven
}
