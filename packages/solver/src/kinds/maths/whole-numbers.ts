import { defineKind, type Kind } from '../declaration/define-kind.ts'

/** The largest number whose factorial is an integer of 32 bits. */
const LARGEST = 12

export const WHOLE_NUMBERS: readonly Kind[] = [
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
      if (number < 0 || number > LARGEST) {
        context.limit('Factorials are supported of 0 to 12')
        return []
      }
      let factorial = 1
      for (let factor = 2; factor <= number; factor++) factorial *= factor
      return [factorial]
    },
  }),
]
