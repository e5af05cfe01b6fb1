import type { Value } from '@meadow/geometry/values/value'
import { preserveInteger, toFloat, UNARY } from '../../expressions/operators.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, nullable, optional, present } from '../declaration/ports.ts'
import { evaluateOrNull, operate, readOperand } from './operand.ts'

/** Combines two or more optional values; null if any value is null. */
const chain = (guid: string, operator: string, description: string): Kind =>
  defineKind({
    guid,
    description,
    inputs: [nullable(optional(item.any)), nullable(optional(item.any))],
    moreInputs: nullable(optional(item.any)),
    outputs: [item.any],
    solve: ([a, b, ...more], context) => [reduceValues([a, b, ...more], operator, context)],
  })

const pair = (guid: string, operator: string, description: string): Kind =>
  defineKind({
    guid,
    description,
    inputs: [item.any, item.any],
    outputs: [item.any],
    solve: ([a, b], context) => [operate(operator, a, b, context)],
  })

function reduceValues(
  values: readonly (Value | null | undefined)[],
  operator: string,
  context: KindContext,
): Value | null {
  let result: Value | null | undefined
  for (const value of values) {
    if (value === undefined) continue
    if (value === null) return null
    if (result === null) return null
    result = result === undefined ? readOperand(value) : operate(operator, result, value, context)
  }
  return result ?? null
}

/** The largest number whose factorial is an integer of 32 bits. */
const LARGEST_FACTORIAL = 12

export const OPERATORS: readonly Kind[] = [
  chain('a0d62394-a118-422d-abb3-6af115c75b25', '+', 'Adds numbers, points, vectors, or joins texts.'),
  chain(
    'ce46b74e-00c9-43c4-805a-193b69ea4a11',
    '*',
    'Multiplies numbers, points and vectors; two vectors give their dot product.',
  ),
  chain('9c007a04-d0d9-48e4-9da3-9ba142bc4d46', '-', 'Subtracts one value from another.'),
  pair('b8963bb1-aa57-476e-a20e-ed6cf635a49c', '*', 'Multiplies two values.'),
  pair('2c56ab33-c7cc-4129-886c-d5856b714010', '-', 'Subtracts one value from another.'),
  pair(
    '9c85271f-89fa-4e9f-9f4a-d75802120ccc',
    '/',
    'Divides one value by another; whole numbers give fractions.',
  ),
  pair(
    '431bc610-8ae1-4090-b217-1a9d9c519fe2',
    '%',
    'The remainder of a division, with the sign of the first value.',
  ),
  pair('78fed580-851b-46fe-af2f-6519a9d378e0', '^', 'Raises a number to a power.'),
  defineKind({
    guid: 'a3371040-e552-4bc8-b0ff-10a840258e88',
    description: 'The value with its sign reversed.',
    solve: ([value], context) => [evaluateOrNull(() => UNARY['-']?.(readOperand(value)) ?? null, context)],
  }),
  defineKind({
    guid: '28124995-cf99-4298-b6f4-c75a8e379f18',
    description: 'The absolute value of a number.',
    solve: ([value], context) => {
      const operand = readOperand(value)
      return [evaluateOrNull(() => preserveInteger([operand], Math.abs(toFloat(operand))), context)]
    },
  }),
  defineKind({
    guid: '5b850221-b527-4bd6-8c62-e94168cd6efa',
    description:
      'The sum of a list, and its partial sums. Nulls are skipped; texts that are no numbers are rejected.',
    solve: ([values], context) => {
      const counted = present(values)
      // Source: what Grasshopper does, by the case text_concatenates of Mass Addition in pyhopper, which differs.
      if (counted.some((value) => typeof readOperand(value) === 'string')) {
        context.error('Texts are not added')
        return []
      }
      if (counted.some((value) => typeof value === 'string')) {
        context.approximate('Texts that are numbers are added as numbers, as definitions rely on it')
      }
      return accumulate(counted, '+', context)
    },
  }),
  defineKind({
    guid: ['e44c1bd7-72cc-4697-80c9-02787baf7bb4', '921775f7-bf22-4cfc-a4db-c415a56069c4'],
    description: 'The product of a list, and its partial products. Nulls are skipped.',
    solve: ([values], context) => accumulate(present(values), '*', context),
  }),
  defineKind({
    guid: '7986486c-621a-48fb-8f27-a28a22c91cc9',
    description:
      'The arithmetic mean of a list of numbers, points or vectors. Nulls are skipped; texts, even numeric ones, are rejected.',
    solve: ([values], context) => {
      const counted = present(values)
      if (counted.some((value) => typeof value === 'string')) {
        context.error('Texts have no mean')
        return []
      }
      const [result] = accumulate(counted, '+', context)
      return [result === null ? null : operate('/', result, counted.length, context)]
    },
  }),
  defineKind({
    guid: '54db2568-3441-4ae2-bcef-92c4cc608e11',
    description: 'The whole part of a division of integers, towards zero.',
    solve: ([a, b], context) => {
      // Source: the integer division of .NET, where the smallest integer by -1 overflows.
      const result = Math.trunc(a / b) + 0
      if (b !== 0 && result <= 0x7fffffff) return [result]
      context.error(b === 0 ? 'Division by zero' : 'The result is no integer of 32 bits')
      return []
    },
  }),
  defineKind({
    guid: ['80da90e3-3ea9-4cfe-b7cc-2b6019f850e3', 'a0a38131-c5fc-4984-b05d-34cf57f0c018'],
    description: 'The factorial of an integer from 0 to 12.',
    solve: ([number], context) => {
      if (number < 0 || number > LARGEST_FACTORIAL) {
        context.limit('Factorials are supported of 0 to 12')
        return []
      }
      let factorial = 1
      for (let factor = 2; factor <= number; factor++) factorial *= factor
      return [factorial]
    },
  }),
]

function accumulate(
  values: readonly Value[],
  operator: string,
  context: KindContext,
): [result: Value | null, partial: (Value | null)[]] {
  context.reserve(values.length)
  const partial: (Value | null)[] = []
  let result: Value | null = null
  for (const [i, value] of values.entries()) {
    if (i > 0 && result === null) break
    result = result === null ? readOperand(value) : operate(operator, result, value, context)
    partial.push(result)
  }
  return [result, partial]
}
