import { roundHalfToEven } from '@meadow/geometry/values/round-half-to-even'
import { kindOf, type Value } from '@meadow/geometry/values/value'
import { evaluateConstant } from '../expressions/evaluate-constant.ts'

const DECIMAL = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** A number from a number, a truth value (1 and 0) or a text that is a number or an expression of numbers. */
export function toNumber(value: Value): number | undefined {
  switch (typeof value) {
    case 'number':
      return value
    case 'boolean':
      return value ? 1 : 0
    case 'string':
      return readNumber(value)
    default:
      return value.type === 'integer' ? value.value : undefined
  }
}

/** Several numbers with commas between them: a number with separators of thousands, or coordinates. */
export const COMMAS = /^\s*\d+(?:,\d+)+(?:\.\d*)?\s*$/

function readNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text)
  if (COMMAS.test(text)) return readWithCommas(text)
  const result = evaluateConstant(text)
  return result === undefined || kindOf(result) === 'text' ? undefined : toNumber(result)
}

/** The number that a text is both with separators of thousands and as the distance of a point from the origin. */
function readWithCommas(text: string): number | undefined {
  const parts = text.split(',').map(Number)
  const number = Number(text.replaceAll(',', ''))
  return parts.length === 3 && Math.hypot(...parts) === number ? number : undefined
}

/** Rounds to the nearest integer, halves to even; undefined outside 32 bits. */
export function toInteger(value: Value): number | undefined {
  const number = toNumber(value)
  if (number === undefined) return undefined
  const rounded = roundHalfToEven(number)
  return rounded >= -(2 ** 31) && rounded < 2 ** 31 ? rounded : undefined
}

/** True for numbers other than 0 and for the text `true`. */
export function toBoolean(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
  }
  const number = toNumber(value)
  return number === undefined || Number.isNaN(number) ? undefined : number !== 0
}
