import { incircle, orient2d } from 'robust-predicates'

/** A place in a plane. */
export interface Xy {
  readonly x: number
  readonly y: number
}

/** Questions about places by their index, answered as exact arithmetic would. */
export interface Predicates {
  /** Orders places by x, then by y; 0 for two that fall together. */
  compare(a: number, b: number): number
  /** More than 0 when c lies to the left of the way from a to b, 0 when the three are in line. */
  orient(a: number, b: number, c: number): number
  /** More than 0 when d is inside of the circle through a, b and c, which run counter-clockwise; 0 when on it. */
  inCircle(a: number, b: number, c: number, d: number): number
}

/** The largest coordinate is brought to 2^200, and none keeps bits below 2^-260: so products of four are exact. */
const LARGEST_EXPONENT = 200
const SMALLEST_BIT = 2 ** -260

/**
 * Predicates for finite places, which are rounded first to multiples of about 1e-138 of the largest coordinate: then
 * the library's arithmetic neither overflows nor loses a bit, and its answers never contradict each other.
 */
export function createPredicates(points: readonly Xy[]): Predicates {
  const [xs, ys] = scale(points)
  return {
    compare: (a, b) => xs[a]! - xs[b]! || ys[a]! - ys[b]!,
    // The library measures with the y axis pointing down, so its sign is the other one.
    orient: (a, b, c) => -orient2d(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!),
    inCircle: (a, b, c, d) => incircle(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!, xs[d]!, ys[d]!),
  }
}

/** All coordinates multiplied by one power of two, and rounded. */
function scale(points: readonly Xy[]): [xs: Float64Array, ys: Float64Array] {
  let largest = 0
  for (const { x, y } of points) largest = Math.max(largest, Math.abs(x), Math.abs(y))
  const shift = largest === 0 ? 0 : LARGEST_EXPONENT - Math.floor(Math.log2(largest))
  // In two steps: the power for the smallest coordinates is larger than a number can be.
  const [first, second] = [2 ** Math.trunc(shift / 2), 2 ** (shift - Math.trunc(shift / 2))]
  const round = (value: number) => {
    const scaled = value * first * second
    // From 2^53 times the smallest bit on, a number is a multiple of it anyway.
    return Math.abs(scaled) < SMALLEST_BIT * 2 ** 53
      ? Math.round(scaled / SMALLEST_BIT) * SMALLEST_BIT
      : scaled
  }
  return [Float64Array.from(points, ({ x }) => round(x)), Float64Array.from(points, ({ y }) => round(y))]
}
