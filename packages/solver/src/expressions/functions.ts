import { reserveText } from '@meadow/geometry/budget/budget'
import { toVector, type Xyz } from '@meadow/geometry/values/points'
import { roundHalfToEven } from '@meadow/geometry/values/round-half-to-even'
import { replaceAll } from '@meadow/geometry/values/texts'
import type { Value } from '@meadow/geometry/values/value'
import { cross, distance, dot, length } from '@meadow/geometry/values/vector'
import { ExpressionError } from './expression-error.ts'
import { formatComposite } from './format-composite.ts'
import { isXyz, type Operand, preserveInteger, textOf, toFloat, wholeOf } from './operators.ts'

interface Callable {
  /** The minimum and maximum number of operands. */
  arity: readonly [least: number, most: number]
  run(operands: readonly Operand[]): Operand
}

const numeric = (run: (x: number) => number): Callable => ({
  arity: [1, 1],
  run: ([x]) => run(toFloat(x ?? null)),
})
const two = (run: (x: number, y: number) => number): Callable => ({
  arity: [2, 2],
  run: ([x, y]) => run(toFloat(x ?? null), toFloat(y ?? null)),
})
const many = (run: (numbers: readonly number[]) => number): Callable => ({
  arity: [1, 1000],
  run: (operands) => run(operands.map(toFloat)),
})
const onText = (run: (text: string) => Value): Callable => ({
  arity: [1, 1],
  run: ([text]) => run(toText(text)),
})
/** Creates a function that returns an integer for an integer. */
const preservingInteger = (run: (x: number) => number): Callable => ({
  arity: [1, 1],
  run: ([x]) => preserveInteger([toPresent(x)], run(toFloat(x ?? null))),
})
const rounding = (run: (x: number) => number): Callable => ({
  arity: [1, 1],
  run: ([x]) => wholeOf(run(toFloat(x ?? null))),
})

/**
 * The functions by name in lower case, with angles in radians.
 * Source: the function list of Grasshopper's Expression Designer.
 */
export const FUNCTIONS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['abs', preservingInteger(Math.abs)],
  ['acos', numeric(Math.acos)],
  ['asin', numeric(Math.asin)],
  ['atan', numeric(Math.atan)],
  ['atan2', two(Math.atan2)],
  ['am', many((numbers) => sum(numbers) / numbers.length)],
  ['ceiling', rounding(Math.ceil)],
  ['ceil', rounding(Math.ceil)],
  ['cos', numeric(Math.cos)],
  ['cosh', numeric(Math.cosh)],
  ['cosec', numeric((x) => 1 / Math.sin(x))],
  ['cotan', numeric((x) => 1 / Math.tan(x))],
  ['sec', numeric((x) => 1 / Math.cos(x))],
  ['cross', { arity: [2, 2], run: ([a, b]) => toVector(cross(toXyz(a), toXyz(b))) }],
  ['deg', numeric((x) => (x * 180) / Math.PI)],
  ['rad', numeric((x) => (x * Math.PI) / 180)],
  ['distance', { arity: [2, 2], run: ([a, b]) => distance(toXyz(a), toXyz(b)) }],
  ['dot', { arity: [2, 2], run: ([a, b]) => dot(toXyz(a), toXyz(b)) }],
  ['exp', numeric(Math.exp)],
  ['fix', rounding(Math.trunc)],
  ['int', rounding(Math.trunc)],
  ['floor', rounding(Math.floor)],
  ['format', { arity: [1, 1000], run: ([pattern, ...rest]) => formatComposite(toText(pattern), rest) }],
  ['gm', many((numbers) => numbers.reduce((product, x) => product * x, 1) ** (1 / numbers.length))],
  ['hm', many((numbers) => numbers.length / sum(numbers.map((x) => 1 / x)))],
  ['hypot', many((numbers) => Math.hypot(...numbers))],
  ['isnull', { arity: [1, 1], run: ([x]) => (x ?? null) === null }],
  ['lcase', onText((text) => countText(text).toLowerCase())],
  ['ucase', onText((text) => countText(text).toUpperCase())],
  ['left', { arity: [2, 2], run: ([text, count]) => toText(text).slice(0, toCount(count)) }],
  ['right', { arity: [2, 2], run: ([text, count]) => takeRight(toText(text), toCount(count)) }],
  ['mid', { arity: [2, 3], run: ([text, from, count]) => takeMiddle(toText(text), toCount(from), count) }],
  ['len', onText((text) => wholeOf(text.length))],
  [
    'length',
    { arity: [1, 1], run: ([x]) => (isXyz(x ?? null) ? length(toXyz(x)) : wholeOf(toText(x).length)) },
  ],
  ['ln', numeric(Math.log)],
  [
    'log',
    {
      arity: [1, 2],
      run: ([x = null, base]) =>
        base === undefined ? Math.log10(toFloat(x)) : logarithmTo(toFloat(base), toFloat(x)),
    },
  ],
  ['log10', numeric(Math.log10)],
  ['log2', numeric(Math.log2)],
  ['max', { arity: [1, 1000], run: (operands) => pick(operands, (x, best) => x > best) }],
  ['min', { arity: [1, 1000], run: (operands) => pick(operands, (x, best) => x < best) }],
  ['pow', two((x, y) => x ** y)],
  [
    'replace',
    { arity: [3, 3], run: ([text, old, now]) => replaceText(toText(text), toText(old), toText(now)) },
  ],
  ['round', { arity: [1, 2], run: ([x, points]) => round(toFloat(x ?? null), points) }],
  ['sign', rounding(Math.sign)],
  ['sgn', rounding(Math.sign)],
  ['sin', numeric(Math.sin)],
  ['sinc', numeric((x) => (x === 0 ? 1 : Math.sin(x) / x))],
  ['sinh', numeric(Math.sinh)],
  ['sqr', preservingInteger((x) => x * x)],
  ['sqrt', numeric(Math.sqrt)],
  ['tan', numeric(Math.tan)],
  ['tanh', numeric(Math.tanh)],
  ['trim', onText((text) => text.trim())],
])

/** Names of constants, in lower case. */
export const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
  ['phi', (1 + Math.sqrt(5)) / 2],
  ['ϕ', (1 + Math.sqrt(5)) / 2],
  ['∞', Infinity],
  ['true', true],
  ['false', false],
])

function toPresent(operand: Operand | undefined): Value {
  if (operand === undefined || operand === null) throw new ExpressionError('Nothing is not a number')
  return operand
}

function toText(operand: Operand | undefined): string {
  return operand === undefined || operand === null ? '' : textOf(operand)
}

/** Reserves memory for a result as long as the text. */
function countText(text: string): string {
  reserveText(text.length)
  return text
}

function replaceText(text: string, old: string, now: string): string {
  if (old === '') throw new ExpressionError('There is nothing to find')
  return replaceAll(text, old, now)
}

function toXyz(operand: Operand | undefined): Xyz {
  if (operand !== undefined && isXyz(operand)) return operand
  throw new ExpressionError('A point or vector is needed')
}

function toCount(operand: Operand | undefined): number {
  return Math.max(0, Math.trunc(toFloat(operand ?? null)))
}

function takeRight(text: string, count: number): string {
  return text.slice(Math.max(0, text.length - count))
}

/** The substring from index `from`. */
function takeMiddle(text: string, from: number, count: Operand | undefined): string {
  return text.slice(from, count === undefined ? undefined : from + toCount(count))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, x) => total + x, 0)
}

function pick(operands: readonly Operand[], isBetter: (x: number, best: number) => boolean): Operand {
  return operands.reduce((best, x) => (isBetter(toFloat(x), toFloat(best)) ? x : best))
}

/** The logarithm to a base; NaN for bases whose powers are all alike. Source: the documentation of .NET's `Math.Log`. */
export function logarithmTo(base: number, x: number): number {
  const hasNone = base === 1 || (x !== 1 && (base === 0 || base === Infinity))
  return hasNone ? Number.NaN : Math.log(x) / Math.log(base) + 0
}

const MAX_DECIMALS = 15

function round(x: number, decimals: Operand | undefined): Value {
  if (decimals === undefined) return wholeOf(roundHalfToEven(x))
  const factor = 10 ** Math.min(toCount(decimals), MAX_DECIMALS)
  const scaled = x * factor
  return Number.isFinite(scaled) ? roundHalfToEven(scaled) / factor : x
}
