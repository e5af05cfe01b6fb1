import { checkpoint } from '@meadow/geometry/budget/budget'
import { toPoint, toVector } from '@meadow/geometry/values/points'
import { roundHalfToEven } from '@meadow/geometry/values/round-half-to-even'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import { interpolate, length, ORIGIN, subtract } from '@meadow/geometry/values/vector'
import { ExpressionError } from '../../expressions/expression-error.ts'
import { isXyz, textOf, toFloat } from '../../expressions/operators.ts'
import { countValues } from '../../tree/tree.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { interpolateDomain } from './domains.ts'
import { evaluateOrNull, operate, readOperand } from './operand.ts'

/** Statistics of lists, and other kinds on numeric lists. */
export const LIST_MATHS: readonly Kind[] = [
  defineKind({
    guid: 'dd17d442-3776-40b3-ad5b-5e188b56bd4c',
    description: 'The differences between consecutive values of a list. The first result is null.',
    solve: ([values], context) => {
      const known = present(values).map(readOperand)
      return [known.map((value, i) => evaluateOrNull(() => differ(value, known[i - 1] ?? value), context))]
    },
  }),
  defineKind({
    guid: '57e1d392-e3fb-4de9-be98-982854a92351',
    description:
      'Smooths a list of numbers by moving each towards the average of its neighbours, repeatedly.',
    solve: ([numbers, strength, iterations, isLocked, wraps], context) => {
      if (iterations < 0) {
        context.error('Iterations must be 0 or more')
        return []
      }
      context.reserve(2 * numbers.length)
      let blurred: readonly number[] = present(numbers)
      for (let round = 0; round < iterations; round++) {
        checkpoint(1 + blurred.length)
        blurred = blur(blurred, strength, isLocked, wraps)
      }
      return [blurred]
    },
  }),
  defineKind({
    guid: '5b424e1c-d061-43cd-8c20-db84564b0502',
    description:
      'Smooths numbers that change from solve to solve. A solve is the first one, which changes nothing.',
    solve: ([numbers], context) => {
      if (countValues(numbers) > 0)
        context.approximate('The numbers are those of the first solve of a document')
      return [numbers]
    },
  }),
  defineKind({
    guid: 'e168ff6b-e5c0-48f1-b831-f6996bf3b459',
    description: 'The value at a normalised parameter of a list, interpolated between two of its values.',
    solve: ([data, fraction], context) => {
      const known = present(data).map(readOperand)
      const index = Math.min(Math.max(fraction, 0), 1) * (known.length - 1)
      const [before, after] = [known[Math.floor(index)], known[Math.ceil(index)]]
      if (before === undefined || after === undefined) {
        context.error('There is nothing to interpolate')
        return []
      }
      return [evaluateOrNull(() => mix(before, after, index - Math.floor(index)), context)]
    },
  }),
  defineKind({
    guid: '338666eb-14c5-4d9b-82e2-2b5be60655df',
    description: 'The mean of a list of numbers, points or vectors, each with its weight.',
    solve: ([values, weights], context) => {
      const sum = present(weights).reduce((total, weight) => total + weight, 0)
      if (values.length === 0 || values.length !== weights.length || sum === 0) {
        context.error('Each value needs a weight, and weights must not add up to zero')
        return []
      }
      let total: Value | null = null
      for (const [i, value] of values.entries()) {
        const weighted = value === null ? null : operate('*', value, weights[i] ?? 0, context)
        if (weighted === null) return []
        total = total === null ? weighted : operate('+', total, weighted, context)
      }
      return [total === null ? null : operate('/', total, sum, context)]
    },
  }),
  defineKind({
    guid: 'bd96f893-d57b-4f04-90d0-dca0d72ff2f9',
    description: 'Sorts numbers and removes a fraction of them, half at each end.',
    solve: ([values, factor], context) => {
      context.reserve(values.length)
      const numbers = evaluateOrNull(
        () =>
          present(values)
            .map(readOperand)
            .map((value) => ({ value, number: toFloat(value) })),
        context,
      )
      if (!numbers) return []
      const cut = roundHalfToEven((numbers.length * Math.min(Math.max(factor, 0), 1)) / 2)
      const sorted = numbers.sort((a, b) => a.number - b.number).slice(cut, numbers.length - cut)
      return [sorted.map(({ value }) => value)]
    },
  }),
  defineKind({
    guid: '37084b3f-2b66-4f3a-9737-80d0b0b7f0cb',
    description: 'The smaller and the larger of two numbers, texts or vectors.',
    solve: ([a, b], context) => {
      const [first, second] = [a ?? b, b ?? a]
      if (first === undefined || second === undefined) return []
      return evaluateOrNull(() => sortTwo(first, second), context) ?? []
    },
  }),
]

/** The difference of points is a vector, that of integers an integer. */
function differ(value: Value, before: Value): Value {
  if (isXyz(value) && isXyz(before)) return toVector(subtract(value, before))
  const difference = toFloat(value) - toFloat(before)
  return typeof value === 'object' && typeof before === 'object' ? integer(difference) : difference
}

/**
 * Blurs numbers. The ends have one neighbour, stay unchanged (`isLocked`), or are neighbours of each other (`wraps`).
 */
function blur(numbers: readonly number[], strength: number, isLocked: boolean, wraps: boolean): number[] {
  const last = numbers.length - 1
  if (last < 1) return [...numbers]
  return numbers.map((number, i) => {
    const isEnd = i === 0 || i === last
    if (isEnd && isLocked && !wraps) return number
    const before = numbers[i === 0 ? (wraps ? last : 1) : i - 1] as number
    const after = numbers[i === last ? (wraps ? 0 : last - 1) : i + 1] as number
    return number + strength * ((before + after) / 2 - number)
  })
}

function mix(a: Value, b: Value, fraction: number): Value {
  if (isXyz(a) && isXyz(b)) {
    const point = interpolate(a, b, fraction)
    return a.type === 'point' ? toPoint(point) : toVector(point)
  }
  if (typeof a === 'object' && a.type === 'domain' && typeof b === 'object' && b.type === 'domain') {
    return domain(
      interpolateDomain(domain(a.start, b.start), fraction),
      interpolateDomain(domain(a.end, b.end), fraction),
    )
  }
  if (typeof a === 'object' && typeof b === 'object') {
    return integer(roundHalfToEven(interpolateDomain(domain(toFloat(a), toFloat(b)), fraction)))
  }
  return interpolateDomain(domain(toFloat(a), toFloat(b)), fraction)
}

/** Compares vectors by length; compared with a text, any value is a text. */
function sortTwo(a: Value, b: Value): [Value, Value] {
  if (typeof a === 'string' || typeof b === 'string') {
    const [first, second] = [textOf(a), textOf(b)]
    return first.localeCompare(second, 'en') > 0 ? [second, first] : [first, second]
  }
  const isVector = (value: Value) => isXyz(value) && value.type === 'vector'
  if (isVector(a) !== isVector(b)) throw new ExpressionError('The two cannot be compared')
  const size = (value: Value) =>
    isXyz(value) && value.type === 'vector' ? length(subtract(value, ORIGIN)) : toFloat(value)
  return size(a) > size(b) ? [b, a] : [a, b]
}
