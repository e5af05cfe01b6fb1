import { line } from '../../values/curves.ts'
import { addScaled, areEqual, findUnit } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item } from '../ports.ts'

export const LINES: readonly Kind[] = [
  defineKind({
    guid: '4c4e56eb-2f04-43f9-95a3-cc46a14f495a',
    description: 'A line from one point to another.',
    inputs: { from: item.point, to: item.point },
    outputs: { line: item.line },
    solve: ({ from, to }, context) => {
      if (!areEqual(from, to)) return { line: line(from, to) }
      context.warn('Both ends are at the same place')
      return {}
    },
  }),
  defineKind({
    guid: '4c619bc9-39fd-4717-82a6-1e07ea237bbe',
    description:
      'A line from a point in a direction, as long as told; a length below zero goes the other way.',
    inputs: { start: item.point, direction: item.vector, length: item.number },
    outputs: { line: item.line },
    solve: ({ start, direction, length }, context) => {
      const unit = findUnit(direction)
      if (unit && length !== 0) return { line: line(start, addScaled(start, unit, length)) }
      context.warn(unit ? 'The length is zero' : 'The direction has no length')
      return {}
    },
  }),
]
