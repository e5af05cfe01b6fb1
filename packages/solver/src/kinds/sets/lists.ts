import { checkpoint, reserveValues } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { list, optional } from '../declaration/ports.ts'

type Values = readonly (Value | null)[]

export const LIST_KINDS: readonly Kind[] = [
  defineKind({
    guid: '6ec97ea8-c559-47a2-8d0f-ce80c794d1f4',
    description: 'Reverses a list.',
    solve: ([values]) => [values.toReversed()],
  }),
  defineKind({
    guid: '4fdfe351-6c07-47ce-9fb9-be027fb62186',
    description:
      'Shifts the items of a list; items that leave one end are appended at the other, or removed.',
    solve: ([values, shift, wrap]) => [shiftList(values, shift, wrap)],
  }),
  defineKind({
    guid: '6f93d366-919f-4dda-a35e-ba03dd62799b',
    description: 'Sorts numbers, and further lists in the same order. Equal numbers keep their order.',
    inputs: [list.number],
    moreInputs: optional(list.any),
    outputs: [list.number],
    moreOutputs: list.any,
    solve: ([keys, ...more], context) => {
      context.reserve(keys.length)
      const order = keys.map((_, i) => i).filter((i) => keys[i] !== null)
      order.sort((a, b) => {
        checkpoint()
        return (keys[a] as number) - (keys[b] as number)
      })
      return [
        order.map((i) => keys[i] as number),
        ...more.map((values) => order.filter((i) => i < values.length).map((i) => values[i] ?? null)),
      ]
    },
  }),
  defineKind({
    guid: '9ab93e1a-ebdf-4090-9296-b000cff7b202',
    description: 'Splits a list in two before an index.',
    solve: ([values, index], context) => {
      if (index >= 0) return [values.slice(0, index), values.slice(index)]
      context.limit('Where an index below 0 splits a list is not published')
      return []
    },
  }),
  defineKind({
    guid: '5a93246d-2595-4c28-bc2d-90657634f92a',
    description: 'Partitions a list into chunks; the pattern of sizes is repeated.',
    solve: ([values, sizes], context) => {
      const usable = sizes.filter((size) => size !== null)
      if (usable.length === 0 || usable.some((size) => size < 1)) {
        context.error('Sizes must be 1 or more')
        return []
      }
      const branches: { path: number[]; values: Values }[] = []
      for (let from = 0; from < values.length; ) {
        const size = usable[branches.length % usable.length] ?? 1
        branches.push({ path: [...context.path, branches.length], values: values.slice(from, from + size) })
        from += size
      }
      return [{ branches }]
    },
  }),
  defineKind({
    guid: '50faccbd-9c92-4175-a5fa-d65e36013db6',
    description: 'Weaves several lists into one, by a pattern of list indices.',
    options: { nullGaps: 'boolean' },
    inputs: [list.integer],
    moreInputs: list.any,
    solve: ([pattern, ...more], context) => {
      const fillsGaps = findOption<boolean>(context.node, 'nullGaps', 'boolean') ?? false
      return [
        weave(
          pattern.filter((index) => index !== null),
          more,
          fillsGaps,
        ),
      ]
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
