import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'
import { ofNumber } from './of-number.ts'

/** Powers, roots, logarithms, and multiples of well-known numbers. */
export const POWERS: readonly Kind[] = [
  ofNumber('2280dde4-9fa2-4b4a-ae2f-37d554861367', 'Square', 'The square of a number.', (x) => x * x),
  ofNumber('7e3185eb-a38c-4949-bcf2-0e80dee3a344', 'Cube', 'The cube of a number.', (x) => x * x * x),
  ofNumber('ad476cb7-b6d1-41c8-986b-0df243a64146', 'Square Root', 'The square root of a number.', Math.sqrt),
  ofNumber('5b0be57a-31f5-4446-a11a-ae0d348bca90', 'Cube Root', 'The cube root of a number.', Math.cbrt),
  ofNumber('797d922f-3a1d-46fe-9155-358b009b5997', 'One Over X', 'One over a number.', (x) => 1 / x),
  ofNumber('c717f26f-e4a0-475c-8e1c-b8f77af1bc99', 'Power of E', 'A power of e.', Math.exp),
  ofNumber('7a1e5fd7-b7da-4244-a261-f1da66614992', 'Power of 2', 'A power of 2.', (x) => 2 ** x),
  ofNumber('2ebb82ef-1f90-4ac9-9a71-1fe0f4ef7044', 'Power of 10', 'A power of 10.', (x) => 10 ** x),
  ofNumber('27d6f724-a701-4585-992f-3897488abf08', 'Logarithm', 'The logarithm to base 10.', Math.log10),
  ofNumber('23afc7aa-2d2f-4ae7-b876-bf366246b826', 'Natural logarithm', 'The logarithm to base e.', Math.log),
  defineKind({
    guid: '7ab8d289-26a2-4dd4-b4ad-df5b477999d8',
    name: 'Log N',
    description: 'The logarithm to a base.',
    inputs: { number: named('Number (V)', item.number), base: named('Base (B)', item.number) },
    outputs: { result: named('Result (R)', item.number) },
    solve: ({ number, base }) => ({ result: Math.log(number) / Math.log(base) }),
  }),
  multiple('0d2ccfb3-9d41-4759-9452-da6a522c3eaa', 'Pi', 'A multiple of pi.', Math.PI),
  multiple(
    'cb22d3ed-93d8-4629-bdf2-c0c7c25afd2c',
    'Golden Ratio',
    'A multiple of the golden ratio.',
    (1 + Math.sqrt(5)) / 2,
  ),
  multiple('b6cac37c-21b9-46c6-bd0d-17ff67796578', 'Natural logarithm', 'A multiple of e.', Math.E),
  multiple(
    'deadf87d-99a6-4980-90c3-f98350aa6f0f',
    'Epsilon',
    'A multiple of the smallest number above 0.',
    Number.MIN_VALUE,
  ),
]

function multiple(guid: string, name: string, description: string, constant: number): Kind {
  return ofNumber(guid, name, description, (x) => x * constant, 'Factor (N)')
}
