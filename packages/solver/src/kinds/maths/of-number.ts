import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

/** A kind that makes one number of another. What is not defined for a number is NaN, or infinite. */
export const ofNumber = (
  guid: string,
  name: string,
  description: string,
  run: (x: number) => number,
  input = 'Value (x)',
): Kind =>
  defineKind({
    guid,
    name,
    description,
    inputs: { x: named(input, item.number) },
    outputs: { y: named('Result (y)', item.number) },
    solve: ({ x }) => ({ y: run(x) }),
  })
