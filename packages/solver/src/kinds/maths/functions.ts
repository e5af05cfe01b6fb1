import type { Value } from '@meadow/geometry/values/value'
import { compileCached } from '../../expressions/compile-cached.ts'
import { reportExpression } from '../../expressions/expression-error.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { item, nullable, optional } from '../declaration/ports.ts'
import { readOperand } from './operand.ts'

export const FUNCTION_KINDS: readonly Kind[] = [
  defineKind({
    guid: 'a50c4a3b-0177-4c91-8556-db95de6c56c8',
    description: 'The nearest whole number, the one below and the one above.',
    // Rounds halves away from zero, unlike integer ports.
    solve: ([x]) => [Math.sign(x) * Math.floor(Math.abs(x) + 0.5), Math.floor(x), Math.ceil(x)],
  }),
  defineKind({
    guid: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
    description: 'Evaluates an expression; its variables are the nicknames of the inputs.',
    inputs: [],
    moreInputs: nullable(optional(item.any)),
    solve: (more, context) => [compute(getExpression(context), context.inputNames, more, context)],
  }),
  defineKind({
    guid: 'cc2b626f-6eff-4d08-9829-2877560693f4',
    description:
      'Evaluates an expression from a text input; its variables are the nicknames of the other inputs.',
    // In old files the expression is an option.
    options: { equation: 'string' },
    inputs: [optional(item.text)],
    moreInputs: nullable(optional(item.any)),
    solve: ([expression, ...more], context) => {
      const used = expression ?? findOption<string>(context.node, 'equation', 'string')
      if (used !== undefined) return [compute(used, context.inputNames.slice(1), more, context)]
      context.warn(`Input parameter ${context.inputNames[0]} failed to collect data`)
      return []
    },
  }),
]

function getExpression({ node }: KindContext): string {
  return node.state?.kind === 'expression' ? String(node.state.expression) : ''
}

/** The result of an expression; null, with an error or a limit, for one that has none. */
export function compute(
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
    reportExpression(error, context)
    return null
  }
}
