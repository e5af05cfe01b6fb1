import { defineKind, type Kind } from '../define-kind.ts'
import { item, named, optional } from '../ports.ts'

const gate = (
  guid: string,
  name: string,
  description: string,
  test: (a: boolean, b: boolean) => boolean,
): Kind =>
  defineKind({
    guid,
    name,
    description,
    inputs: { a: named('A', item.boolean), b: named('B', item.boolean) },
    outputs: { result: named('Result (R)', item.boolean) },
    solve: ({ a, b }) => ({ result: test(a, b) }),
  })

/** Users can add inputs; one without data does not count. */
const manyGate = (
  guid: string,
  name: string,
  description: string,
  test: (values: boolean[]) => boolean,
): Kind =>
  defineKind({
    guid,
    name,
    description,
    inputs: { a: named('A', optional(item.boolean)), b: named('B', optional(item.boolean)) },
    moreInputs: optional(item.boolean),
    outputs: { result: named('Result (R)', item.boolean) },
    solve: ({ a, b, more }) => {
      const values = [a, b, ...more].filter((value) => value !== undefined)
      return { result: values.length === 0 ? null : test(values) }
    },
  })

export const GATES: readonly Kind[] = [
  manyGate('040f195d-0b4e-4fe0-901f-fedb2fd3db15', 'Gate And', 'Whether all values are true.', (values) =>
    values.every(Boolean),
  ),
  manyGate('5cad70f9-5a53-4c5c-a782-54a479b4abe3', 'Gate Or', 'Whether a value is true.', (values) =>
    values.some(Boolean),
  ),
  gate(
    'b6aedcac-bf43-42d4-899e-d763612f834d',
    'Gate Xnor',
    'Whether two values are both true or both false.',
    (a, b) => a === b,
  ),
  gate(
    'de4a0d86-2709-4564-935a-88bf4d40af89',
    'Gate Xor',
    'Whether one of two values is true, and not both.',
    (a, b) => a !== b,
  ),
  gate(
    '5ca5de6b-bc71-46c4-a8f7-7f30d7040acb',
    'Gate Nand',
    'Whether not both of two values are true.',
    (a, b) => !(a && b),
  ),
  gate(
    '548177c2-d1db-4172-b667-bec979e2d38b',
    'Gate Nor',
    'Whether neither of two values is true.',
    (a, b) => !(a || b),
  ),
  defineKind({
    guid: '78669f9c-4fea-44fd-ab12-2a69eeec58de',
    name: 'Gate Majority',
    description: 'Whether two of three values are true, or all.',
    inputs: { a: named('A', item.boolean), b: named('B', item.boolean), c: named('C', item.boolean) },
    outputs: { result: named('Result (R)', item.boolean) },
    solve: ({ a, b, c }) => ({ result: (a && b) || (a && c) || (b && c) }),
  }),
  defineKind({
    guid: 'cb2c7d3c-41b4-4c6d-a6bd-9235bd2851bb',
    name: 'Gate Not',
    description: 'True for false, and false for true.',
    inputs: { value: named('A', item.boolean) },
    outputs: { result: named('Result (R)', item.boolean) },
    solve: ({ value }) => ({ result: !value }),
  }),
]
