import { toPoint } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import { findXyz } from '../../conversions/from-text.ts'
import { toNumber } from '../../conversions/to-number.ts'
import { evaluateConstant } from '../../expressions/evaluate-constant.ts'
import { ExpressionError, ExpressionLimit, reportExpression } from '../../expressions/expression-error.ts'
import { BINARY } from '../../expressions/operators.ts'
import type { KindContext } from '../declaration/define-kind.ts'

const WHOLE = /^\s*[+-]?\d{1,9}\s*$/
const DECIMAL = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Converts a text that contains a number or a point, as panels do. */
export function readOperand(value: Value): Value {
  if (typeof value !== 'string') return value
  if (WHOLE.test(value)) return integer(Number(value))
  if (DECIMAL.test(value)) return Number(value)
  const xyz = value.includes(',') ? findXyz(value) : undefined
  return xyz ? toPoint(xyz) : value
}

/** Applies an operator to two values. Null, with an error on the node, for unsupported operands. */
export function operate(operator: string, a: Value, b: Value, context: KindContext): Value | null {
  const run = BINARY[operator]
  if (!run) throw new Error(`No operator ${operator}`)
  const operands = [readOperand(a), readOperand(b)] as const
  return evaluateOrNull(() => {
    try {
      return run(...operands)
    } catch (error) {
      const isUnknown = error instanceof ExpressionError && operands.some(isFormula)
      throw isUnknown
        ? new ExpressionLimit('How an operator reads a text that is a formula is not published')
        : error
    }
  }, context)
}

/** Whether a text, such as `0.3/0.5`, is no number but has one as its value. */
function isFormula(value: Value): boolean {
  if (typeof value !== 'string') return false
  const result = evaluateConstant(value)
  return result !== undefined && toNumber(result) !== undefined
}

/** The result of an action, or null, with an error or a limit on the node, for an `ExpressionError`. */
export function evaluateOrNull<T>(action: () => T, context: KindContext): T | null {
  try {
    return action()
  } catch (error) {
    reportExpression(error, context)
    return null
  }
}
