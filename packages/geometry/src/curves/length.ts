import { checkpoint } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Curve } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { getNurbsSpeed } from './evaluate-nurbs.ts'
import { listPieces, type Piece } from './pieces.ts'

/** An interval of a curve with known length that is smooth enough for one quadrature. */
interface Stretch {
  readonly piece: Piece
  readonly start: number
  readonly end: number
  /** The length of the curve up to the start of the interval, and of the interval. */
  readonly before: number
  readonly length: number
}

const KNOWN = new WeakMap<Curve, readonly Stretch[]>()
/** The maximum number of bisections of a knot span. */
const MAX_HALVINGS = 16
const PRECISION = 1e-12

/**
 * The length of a curve, or of its part up to the parameter `to`. Exact for lines and arcs; for NURBS curves
 * accurate to 12 digits, by Gauss-Legendre quadrature on bisected knot spans.
 */
export function getLength(curve: Curve, to?: number): number {
  const stretches = measure(curve)
  if (to !== undefined) {
    const stretch = stretches[findLast(stretches, ({ start }) => start <= to)]
    return stretch ? stretch.before + integrate(stretch.piece, stretch.start, Math.min(to, stretch.end)) : 0
  }
  const last = stretches.at(-1)
  return last ? last.before + last.length : 0
}

/** The parameter at a length from the start, clamped to the domain. */
export function getParameterAtLength(curve: Curve, target: number): number {
  const stretches = measure(curve)
  const stretch = stretches[findLast(stretches, ({ before }) => before <= target)]
  const { start, end } = getCurveDomain(curve)
  if (!stretch || target <= 0) return start
  const rest = target - stretch.before
  if (rest >= stretch.length) return stretch === stretches.at(-1) ? end : stretch.end
  return invert(stretch, rest)
}

function measure(curve: Curve): readonly Stretch[] {
  let stretches = KNOWN.get(curve)
  if (!stretches) {
    stretches = [...listStretches(curve)]
    KNOWN.set(curve, stretches)
  }
  return stretches
}

function* listStretches(curve: Curve): Generator<Stretch> {
  let before = 0
  for (const piece of listPieces(curve)) {
    for (const [start, end] of listSpans(piece)) {
      for (const stretch of halve(piece, start, end, MAX_HALVINGS)) {
        yield { ...stretch, piece, before }
        before += stretch.length
      }
    }
  }
}

/** The smooth intervals of a piece, between its knots. */
export function* listSpans({ shape, start, end }: Piece): Generator<readonly [number, number]> {
  if (shape.type !== 'nurbsCurve') {
    yield [start, end]
    return
  }
  const { knots, degree, points } = shape
  const range = getCurveDomain(shape)
  const rate = (end - start) / (range.end - range.start)
  for (let i = degree - 1; i < points.length - 1; i++) {
    const [from, to] = [knots[i] as number, knots[i + 1] as number]
    if (to > from) {
      const last = to === range.end ? end : start + (to - range.start) * rate
      yield [start + (from - range.start) * rate, last]
    }
  }
}

function halve(
  piece: Piece,
  start: number,
  end: number,
  halvings: number,
): Pick<Stretch, 'start' | 'end' | 'length'>[] {
  checkpoint()
  const length = integrate(piece, start, end)
  if (piece.shape.type !== 'nurbsCurve' || halvings === 0) return [{ start, end, length }]
  const middle = (start + end) / 2
  const halves = integrate(piece, start, middle) + integrate(piece, middle, end)
  if (Math.abs(halves - length) <= PRECISION * halves) return [{ start, end, length }]
  return [...halve(piece, start, middle, halvings - 1), ...halve(piece, middle, end, halvings - 1)]
}

/** Newton's method, with bisection as a safeguard. */
function invert(stretch: Stretch, target: number): number {
  const { piece, length } = stretch
  let [low, high] = [stretch.start, stretch.end]
  let t = low + ((high - low) * target) / length
  if (piece.shape.type !== 'nurbsCurve') return t
  for (let round = 0; round < 60; round++) {
    const error = integrate(piece, stretch.start, t) - target
    if (Math.abs(error) <= 1e-13 * length) break
    if (error > 0) high = t
    else low = t
    const step = error / getSpeed(piece, t)
    const next = t - step
    const better = next > low && next < high ? next : (low + high) / 2
    if (better === t) break
    t = better
  }
  return t
}

function integrate(piece: Piece, from: number, to: number): number {
  const { shape, start, end } = piece
  if (shape.type !== 'nurbsCurve') {
    const whole =
      shape.type === 'line'
        ? distance(shape.from, shape.to)
        : shape.radius * (shape.endAngle - shape.startAngle)
    return end === start ? 0 : (whole * (to - from)) / (end - start)
  }
  const [middle, half] = [(from + to) / 2, (to - from) / 2]
  let sum = 0
  for (const [node, weight] of GAUSS) {
    sum += weight * (getSpeed(piece, middle - half * node) + getSpeed(piece, middle + half * node))
  }
  return sum * half
}

function getSpeed({ shape, start, end }: Piece, t: number): number {
  if (shape.type !== 'nurbsCurve') return 0
  const local = getCurveDomain(shape)
  const rate = (local.end - local.start) / (end - start)
  return getNurbsSpeed(shape, local.start + (t - start) * rate) * rate
}

function findLast<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, items.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isBefore(items[middle] as T)) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The positive nodes of the quadrature with 12 points on -1 to 1, and their weights.
 * Source: Abramowitz and Stegun, table 25.4.
 */
const GAUSS: readonly (readonly [node: number, weight: number])[] = [
  [0.1252334085114689, 0.24914704581340277],
  [0.3678314989981802, 0.2334925365383548],
  [0.5873179542866175, 0.20316742672306592],
  [0.7699026741943047, 0.16007832854334622],
  [0.9041172563704748, 0.10693932599531843],
  [0.9815606342467192, 0.04717533638651182],
]
