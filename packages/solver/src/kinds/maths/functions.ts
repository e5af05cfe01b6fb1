import { compileCached } from '../../expressions/compile-cached.ts'
import { ExpressionError } from '../../expressions/expression-error.ts'
import type { Value } from '../../values/value.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, named, nullable, optional } from '../ports.ts'
import { readOperand } from './operand.ts'

const ofNumber = (guid: string, name: string, description: string, run: (x: number) => number): Kind =>
  defineKind({
    guid,
    name,
    description,
    inputs: { x: named('Value (x)', item.number) },
    outputs: { y: named('Result (y)', item.number) },
    solve: ({ x }) => ({ y: run(x) }),
  })

export const FUNCTION_KINDS: readonly Kind[] = [
  ofNumber('7663efbb-d9b8-4c6a-a0da-c3750a7bbe77', 'Sine', 'The sine of an angle.', Math.sin),
  ofNumber('d2d2a900-780c-4d58-9a35-1f9d8d35df6f', 'Cosine', 'The cosine of an angle.', Math.cos),
  ofNumber('49584390-d541-41f7-b5f6-1f9515ac0f73', 'ArcCosine', 'The angle of a cosine.', Math.acos),
  ofNumber(
    'a4cd2751-414d-42ec-8916-476ebf62d7fe',
    'Radians',
    'Degrees as radians.',
    (x) => (x * Math.PI) / 180,
  ),
  ofNumber(
    '0d77c51e-584f-44e8-aed2-c2ddf4803888',
    'Degrees',
    'Radians as degrees.',
    (x) => (x * 180) / Math.PI,
  ),
  ofNumber('ad476cb7-b6d1-41c8-986b-0df243a64146', 'Square Root', 'The square root of a number.', Math.sqrt),
  ofNumber('2280dde4-9fa2-4b4a-ae2f-37d554861367', 'Square', 'The square of a number.', (x) => x * x),
  ofNumber('0d2ccfb3-9d41-4759-9452-da6a522c3eaa', 'Pi', 'A multiple of pi.', (x) => x * Math.PI),
  defineKind({
    guid: 'a50c4a3b-0177-4c91-8556-db95de6c56c8',
    name: 'Round',
    description: 'The nearest whole number, the one below and the one above.',
    inputs: { x: named('Number (x)', item.number) },
    outputs: {
      nearest: named('Nearest (N)', item.integer),
      floor: named('Floor (F)', item.integer),
      ceiling: named('Ceiling (C)', item.integer),
    },
    // A half goes away from zero here, unlike on the way to a port for whole numbers.
    solve: ({ x }) => ({
      nearest: Math.sign(x) * Math.floor(Math.abs(x) + 0.5),
      floor: Math.floor(x),
      ceiling: Math.ceil(x),
    }),
  }),
  defineKind({
    guid: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
    description: 'Computes an expression; its variables are the nicknames of the inputs.',
    inputs: {},
    moreInputs: nullable(optional(item.any)),
    outputs: { result: item.any },
    solve: ({ more }, context) => ({
      result: compute(getExpression(context), context.inputNames, more, context),
    }),
  }),
  defineKind({
    guid: 'cc2b626f-6eff-4d08-9829-2877560693f4',
    name: 'Evaluate',
    description:
      'Computes an expression that comes as text; its variables are the nicknames of the other inputs.',
    inputs: { expression: named('Expression (F)', item.text) },
    moreInputs: nullable(optional(item.any)),
    outputs: { result: named('Result (r)', item.any) },
    solve: ({ expression, more }, context) => ({
      result: compute(expression, context.inputNames.slice(1), more, context),
    }),
  }),
]

function getExpression({ node }: KindContext): string {
  return node.state?.kind === 'expression' ? String(node.state.expression) : ''
}

function compute(
  expression: string,
  names: readonly string[],
  variables: readonly (Value | null | undefined)[],
  context: KindContext,
): Value | null {
  try {
    const operands = variables.map((value) =>
      value === null || value === undefined ? null : readOperand(value),
    )
    return compileCached(expression, names)(operands)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    context.error(error.message)
    return null
  }
}
