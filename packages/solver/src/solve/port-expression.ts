import { compile } from '../expressions/compile.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import type { Operand } from '../expressions/operators.ts'

/**
 * A function that applies a port's expression to a value, which the expression calls x. What cannot be computed is
 * null. `report` hears each reason.
 */
export function createPortExpression(
  expression: string,
  report: (message: string) => void,
): (value: Operand) => Operand {
  const run = attempt(() => compile(expression, ['x']), report)
  if (!run) return () => null
  return (value) => (value === null ? null : (attempt(() => run([value]), report) ?? null))
}

function attempt<T>(action: () => T, report: (message: string) => void): T | undefined {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(`Expression: ${error.message}`)
    return undefined
  }
}
