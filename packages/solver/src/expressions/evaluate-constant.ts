import type { Value } from '@meadow/geometry/values/value'
import { compile } from './compile.ts'
import { ExpressionError } from './expression-error.ts'

const MAX_LENGTH = 200

/** The value of an expression without variables, such as `2*pi`; undefined for invalid expressions. */
export function evaluateConstant(text: string): Value | undefined {
  if (text.length > MAX_LENGTH) return undefined
  try {
    return compile(text, [])([]) ?? undefined
  } catch (error) {
    if (error instanceof ExpressionError) return undefined
    throw error
  }
}
