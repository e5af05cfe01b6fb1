import type { DataValue } from '@meadow/contract'

const WHOLE = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const QUOTED = /^"(.*)"$/s

/**
 * The value of an expression that is a constant: `5`, `0.5`, `True`, `"A"`.
 * `unknown`, with the expression as description, for one that has to be computed.
 */
export function readConstant(expression: string): DataValue {
  const text = expression.trim()
  const quoted = QUOTED.exec(text)?.[1]
  if (quoted !== undefined) return { type: 'string', value: quoted }
  if (/^(?:true|false)$/i.test(text)) return { type: 'boolean', value: text.toLowerCase() === 'true' }
  if (WHOLE.test(text) && Number.isSafeInteger(Number(text))) return { type: 'integer', value: Number(text) }
  if (DECIMAL.test(text) && Number.isFinite(Number(text))) return { type: 'number', value: Number(text) }
  return { type: 'unknown', value: { description: text } }
}
