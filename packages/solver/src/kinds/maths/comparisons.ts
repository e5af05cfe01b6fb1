import { keepWhole, toFloat } from '../../expressions/operators.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'
import { attempt, readOperand } from './operand.ts'

const compare = (
  guid: string,
  description: string,
  test: (a: number, b: number) => [boolean, boolean],
): Kind =>
  defineKind({
    guid,
    description,
    inputs: { a: item.number, b: item.number },
    outputs: { first: item.boolean, second: item.boolean },
    solve: ({ a, b }) => {
      const [first, second] = test(a, b)
      return { first, second }
    },
  })

const extreme = (
  guid: string,
  name: string,
  description: string,
  pick: (a: number, b: number) => number,
): Kind =>
  defineKind({
    guid,
    name,
    description,
    inputs: { a: named('A', item.any), b: named('B', item.any) },
    outputs: { result: named('Result (R)', item.any) },
    solve: ({ a, b }, context) => {
      const [left, right] = [readOperand(a), readOperand(b)]
      return { result: attempt(() => keepWhole([left, right], pick(toFloat(left), toFloat(right))), context) }
    },
  })

export const COMPARISONS: readonly Kind[] = [
  compare(
    '30d58600-1aab-42db-80a3-f1ea6c4269a0',
    'Whether a number is larger than another, or equal.',
    (a, b) => [a > b, a >= b],
  ),
  compare(
    'ae840986-cade-4e5a-96b0-570f007d4fc0',
    'Whether a number is smaller than another, or equal.',
    (a, b) => [a < b, a <= b],
  ),
  compare(
    '5db0fb89-4f22-4f09-a777-fa5e55aed7ec',
    'Whether two numbers are equal, and whether not.',
    (a, b) => [a === b, a !== b],
  ),
  defineKind({
    guid: '40177d8a-a35c-4622-bca7-d150031fe427',
    description:
      'Whether two numbers differ by so many hundredths of the larger one at most, and how much they do.',
    inputs: { a: item.number, b: item.number, percentage: item.number },
    outputs: { isSimilar: item.boolean, difference: item.number },
    solve: ({ a, b, percentage }) => {
      const difference = Math.abs(a - b)
      const allowed = (percentage / 100) * Math.max(Math.abs(a), Math.abs(b))
      return { isSimilar: difference <= allowed, difference }
    },
  }),
  extreme('0d1e2027-f153-460d-84c0-f9af431b08cb', 'Maximum', 'The larger of two numbers.', Math.max),
  extreme('57308b30-772d-4919-ac67-e86c18f3a996', 'Minimum', 'The smaller of two numbers.', Math.min),
]
