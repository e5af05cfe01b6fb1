import { preserveInteger, toFloat } from '../../expressions/operators.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, optional } from '../declaration/ports.ts'
import { evaluateOrNull, readOperand } from './operand.ts'

const gate = (guid: string, description: string, test: (a: boolean, b: boolean) => boolean): Kind =>
  defineKind({
    guid,
    description,
    inputs: [item.boolean, item.boolean],
    outputs: [item.boolean],
    solve: ([a, b]) => [test(a, b)],
  })

const ternaryGate = (
  guid: string,
  description: string,
  test: (a: boolean, b: boolean, c: boolean) => boolean,
): Kind =>
  defineKind({
    guid,
    description,
    inputs: [item.boolean, item.boolean, item.boolean],
    outputs: [item.boolean],
    solve: ([a, b, c]) => [test(a, b, c)],
  })

/** Users can add inputs; inputs without data are ignored. */
const manyGate = (guid: string, description: string, test: (values: boolean[]) => boolean): Kind =>
  defineKind({
    guid,
    description,
    inputs: [optional(item.boolean), optional(item.boolean)],
    moreInputs: optional(item.boolean),
    outputs: [item.boolean],
    solve: ([a, b, ...more]) => {
      const values = [a, b, ...more].filter((value) => value !== undefined)
      return [values.length === 0 ? null : test(values)]
    },
  })

export const GATES: readonly Kind[] = [
  ternaryGate(
    'c1364962-87dd-4a6d-901a-e5b170e5ef9e',
    'Tests whether three values are true.',
    (a, b, c) => a && b && c,
  ),
  ternaryGate(
    '55104772-8096-4ffc-a78a-30e36191ace2',
    'Tests whether at least one of three values is true.',
    (a, b, c) => a || b || c,
  ),
  manyGate('040f195d-0b4e-4fe0-901f-fedb2fd3db15', 'Tests whether all values are true.', (values) =>
    values.every(Boolean),
  ),
  manyGate('5cad70f9-5a53-4c5c-a782-54a479b4abe3', 'Tests whether at least one value is true.', (values) =>
    values.some(Boolean),
  ),
  gate(
    'b6aedcac-bf43-42d4-899e-d763612f834d',
    'Tests whether two values are both true or both false.',
    (a, b) => a === b,
  ),
  gate(
    'de4a0d86-2709-4564-935a-88bf4d40af89',
    'Tests whether exactly one of two values is true.',
    (a, b) => a !== b,
  ),
  gate(
    '5ca5de6b-bc71-46c4-a8f7-7f30d7040acb',
    'Tests whether at least one of two values is false.',
    (a, b) => !(a && b),
  ),
  gate(
    '548177c2-d1db-4172-b667-bec979e2d38b',
    'Tests whether neither of two values is true.',
    (a, b) => !(a || b),
  ),
  defineKind({
    guid: '78669f9c-4fea-44fd-ab12-2a69eeec58de',
    description: 'True if at least two of three values are true.',
    solve: ([a, b, c]) => [(a && b) || (a && c) || (b && c)],
  }),
  defineKind({
    guid: 'cb2c7d3c-41b4-4c6d-a6bd-9235bd2851bb',
    description: 'Negates a boolean.',
    solve: ([value]) => [!value],
  }),
]

const compare = (
  guid: string,
  description: string,
  test: (a: number, b: number) => [boolean, boolean],
): Kind =>
  defineKind({
    guid,
    description,
    inputs: [item.number, item.number],
    outputs: [item.boolean, item.boolean],
    solve: ([a, b]) => {
      const [first, second] = test(a, b)
      return [first, second]
    },
  })

const extreme = (guid: string, description: string, pick: (a: number, b: number) => number): Kind =>
  defineKind({
    guid,
    description,
    inputs: [item.any, item.any],
    outputs: [item.any],
    solve: ([a, b], context) => {
      const [left, right] = [readOperand(a), readOperand(b)]
      return [
        evaluateOrNull(() => preserveInteger([left, right], pick(toFloat(left), toFloat(right))), context),
      ]
    },
  })

export const COMPARISONS: readonly Kind[] = [
  compare(
    '30d58600-1aab-42db-80a3-f1ea6c4269a0',
    'Tests whether a number is larger than another, or equal.',
    (a, b) => [a > b, a >= b],
  ),
  compare(
    'ae840986-cade-4e5a-96b0-570f007d4fc0',
    'Tests whether a number is smaller than another, or equal.',
    (a, b) => [a < b, a <= b],
  ),
  compare(
    '5db0fb89-4f22-4f09-a777-fa5e55aed7ec',
    'Tests whether two numbers are equal, or different.',
    (a, b) => [a === b, a !== b],
  ),
  defineKind({
    guid: '40177d8a-a35c-4622-bca7-d150031fe427',
    description:
      'Tests whether two numbers differ by at most a percentage of the larger one, and returns their difference.',
    solve: ([a, b, percentage]) => {
      const difference = Math.abs(a - b)
      const allowed = (percentage / 100) * Math.max(Math.abs(a), Math.abs(b))
      return [difference <= allowed, difference]
    },
  }),
  extreme('0d1e2027-f153-460d-84c0-f9af431b08cb', 'The larger of two numbers.', Math.max),
  extreme('57308b30-772d-4919-ac67-e86c18f3a996', 'The smaller of two numbers.', Math.min),
]
