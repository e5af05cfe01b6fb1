import { formatValue, hasText } from '@meadow/geometry/values/format-value'
import { type Point, toPoint, toVector, type Vector, type Xyz } from '@meadow/geometry/values/points'
import { roundHalfToEven } from '@meadow/geometry/values/round-half-to-even'
import { joinTexts } from '@meadow/geometry/values/texts'
import { integer, kindOf, type Value, type ValueKind } from '@meadow/geometry/values/value'
import { add, dot, scale, subtract } from '@meadow/geometry/values/vector'
import { ExpressionError, ExpressionLimit } from './expression-error.ts'

/** An absent value: a variable without data. */
export type Operand = Value | null

type Operator = (a: Value, b: Value) => Value

export const BINARY: Readonly<Record<string, Operator>> = {
  '+': (a, b) => combine(a, b, (x, y) => x + y, add, '+'),
  '-': (a, b) => combine(a, b, (x, y) => x - y, subtract, '-'),
  '*': multiply,
  '/': divide,
  '\\': divideWhole,
  '%': remainder,
  mod: remainder,
  '^': (a, b) => raise(a, b),
  '&': (a, b) => joinTexts([textOf(a), textOf(b)]),
  '=': (a, b) => isEqual(a, b),
  '<>': (a, b) => !isEqual(a, b),
  '~': (a, b) => isSimilar(toFloat(a), toFloat(b)),
  '<': (a, b) => compare(a, b) < 0,
  '>': (a, b) => compare(a, b) > 0,
  '<=': (a, b) => compare(a, b) <= 0,
  '>=': (a, b) => compare(a, b) >= 0,
  and: (a, b) => toTruth(a) && toTruth(b),
  or: (a, b) => toTruth(a) || toTruth(b),
  xor: (a, b) => toTruth(a) !== toTruth(b),
  nand: (a, b) => !(toTruth(a) && toTruth(b)),
  nor: (a, b) => !(toTruth(a) || toTruth(b)),
  xnor: (a, b) => toTruth(a) === toTruth(b),
}

export const UNARY: Readonly<Record<string, (a: Value) => Value>> = {
  '+': (a) => a,
  '-': (a) => (isXyz(a) ? like(a, scale(a, -1)) : preserveInteger([a], -toFloat(a))),
  not: (a) => !toTruth(a),
}

/** A number or boolean as a number. Fails: `ExpressionError` for other operands. */
export function toFloat(value: Operand): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value !== null && typeof value === 'object' && value.type === 'integer') return value.value
  throw createMistake([value], `${name(value)} is not a number`)
}

/** A value as text. Fails: `ExpressionLimit` for values whose text is not known. */
export function textOf(value: Value): string {
  if (hasText(value)) return formatValue(value)
  throw new ExpressionLimit(`How ${name(value)} is written is not known`)
}

export function toTruth(value: Operand): boolean {
  return typeof value === 'boolean' ? value : toFloat(value) !== 0
}

export function isXyz(value: Operand): value is Point | Vector {
  return value !== null && typeof value === 'object' && (value.type === 'point' || value.type === 'vector')
}

/** Tags the result as an integer of 32 bits if all operands are integers. */
export function preserveInteger(from: readonly Value[], result: number): Value {
  return from.every(isWhole) ? wholeOf(result) : result
}

/**
 * Tags a result without a fraction as an integer, if it is one of 32 bits. Source for larger results, which are numbers:
 * the list of operators in the questions and answers of the Grasshopper forum.
 */
export function wholeOf(result: number): Value {
  return result === (result | 0) ? integer(result) : result
}

function isWhole(value: Value): boolean {
  return typeof value === 'object' && value.type === 'integer'
}

/**
 * A point and a vector yield a point, two vectors a vector; otherwise the result has the type of the left
 * operand.
 */
function combine(
  a: Value,
  b: Value,
  numbers: (x: number, y: number) => number,
  points: (a: Xyz, b: Xyz) => Xyz,
  sign: string,
): Value {
  if (isXyz(a) && isXyz(b)) {
    const result = points(a, b)
    return a.type === 'point' || b.type === 'point' ? toPoint(result) : toVector(result)
  }
  if (isXyz(a) || isXyz(b)) throw mismatch(a, sign, b)
  if (sign === '+' && (typeof a === 'string' || typeof b === 'string'))
    return joinTexts([textOf(a), textOf(b)])
  return preserveInteger([a, b], numbers(toFloat(a), toFloat(b)))
}

/**
 * The product of two numbers, or of a number and a point or vector. With a vector, a vector or point gives the dot
 * product; two points are multiplied coordinate by coordinate. Source: the list of operators in the questions and
 * answers of the Grasshopper forum, and, for two points, the recorded Mass Multiplication of Grasshopper 8.
 */
function multiply(a: Value, b: Value): Value {
  if (isXyz(a) && isXyz(b)) {
    const areTwoPoints = a.type === 'point' && b.type === 'point'
    return areTwoPoints ? toPoint({ x: a.x * b.x, y: a.y * b.y, z: a.z * b.z }) : dot(a, b)
  }
  if (isXyz(a)) return like(a, scale(a, toFloat(b)))
  if (isXyz(b)) return like(b, scale(b, toFloat(a)))
  return preserveInteger([a, b], toFloat(a) * toFloat(b))
}

/** Integers are divided as fractions too: 7/2 is 3.5. */
function divide(a: Value, b: Value): Value {
  if (isXyz(a)) return like(a, scale(a, divideBy(1, toFloat(b))))
  return divideBy(toFloat(a), toFloat(b))
}

/**
 * The whole part of a quotient. Fails: `ExpressionLimit` where it depends on whether fractions are rounded first, as in
 * Visual Basic.
 */
function divideWhole(a: Value, b: Value): Value {
  const [x, y] = [toFloat(a), toFloat(b)]
  const result = Math.trunc(divideBy(x, y)) + 0
  if (Math.trunc(roundHalfToEven(x) / roundHalfToEven(y)) + 0 === result) return wholeOf(result)
  throw new ExpressionLimit(`Whether ${x} \\ ${y} rounds its fractions first is not known`)
}

function divideBy(a: number, b: number): number {
  if (b === 0) throw new ExpressionError('Division by zero')
  return a / b
}

/** The result has the sign of the left operand, as in .NET. */
function remainder(a: Value, b: Value): Value {
  const divisor = toFloat(b)
  if (divisor === 0) throw new ExpressionError('Division by zero')
  return preserveInteger([a, b], (toFloat(a) % divisor) + 0)
}

function raise(a: Value, b: Value): Value {
  const [base, power] = [toFloat(a), toFloat(b)]
  const result = base ** power
  return power >= 0 ? preserveInteger([a, b], result) : result
}

function isEqual(a: Value, b: Value): boolean {
  if (isXyz(a) && isXyz(b)) return a.x === b.x && a.y === b.y && a.z === b.z
  if (typeof a === 'string' || typeof b === 'string') return textOf(a) === textOf(b)
  return toFloat(a) === toFloat(b)
}

/** Numbers that differ by less are similar, whatever Grasshopper's tolerance is. */
const SURELY_SIMILAR = 1e-12
/** Numbers that differ by more are not similar, whatever Grasshopper's tolerance is. */
const SURELY_DIFFERENT = 0.01

/** The tolerance of `~` is not published. Fails: `ExpressionLimit` for numbers that may be similar or not. */
function isSimilar(a: number, b: number): boolean {
  if (a === b) return true
  const gap = Math.abs(a - b)
  const size = Math.max(Math.abs(a), Math.abs(b))
  if (gap <= SURELY_SIMILAR * Math.min(1, size)) return true
  if (Number.isNaN(gap) || gap >= SURELY_DIFFERENT * Math.max(1, size)) return false
  throw new ExpressionLimit(`Whether ${a} ~ ${b} is not certain: Grasshopper's tolerance is not known`)
}

/** Compares texts alphabetically, other operands as numbers. NaN is neither smaller nor larger. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, 'en')
  return toFloat(a) - toFloat(b)
}

function like(model: Point | Vector, xyz: Xyz): Value {
  return model.type === 'point' ? toPoint(xyz) : toVector(xyz)
}

function mismatch(a: Value, sign: string, b: Value): ExpressionError {
  return createMistake([a, b], `${name(a)} ${sign} ${name(b)} has no meaning`)
}

/** What Grasshopper computes with domains, planes, colours and other values is not published. */
function createMistake(operands: readonly Operand[], message: string): ExpressionError {
  const isKnown = operands.every((operand) => operand === null || KNOWN.has(kindOf(operand)))
  return isKnown ? new ExpressionError(message) : new ExpressionLimit(message)
}

const KNOWN: ReadonlySet<ValueKind> = new Set([
  'boolean',
  'integer',
  'number',
  'text',
  'point',
  'vector',
] as const)

function name(value: Operand): string {
  return value === null ? 'Nothing' : `A ${kindOf(value)}`
}
