import { incircle, orient2d } from 'robust-predicates'

/** A point in a plane. */
export interface Xy {
  readonly x: number
  readonly y: number
}

/** Geometric predicates on points by index, with exact results. */
export interface Predicates {
  /** Compares points by x, then by y; 0 for coincident points. */
  compare(a: number, b: number): number
  /** Positive when c is left of the line from a to b, 0 when the points are collinear. */
  orient(a: number, b: number, c: number): number
  /**
   * Positive when d is inside the circle through a, b and c, which are counter-clockwise; 0 when it is on the
   * circle.
   */
  inCircle(a: number, b: number, c: number, d: number): number
}

/**
 * The largest coordinate is scaled to 2^200 and bits below 2^-260 are dropped, so that products of four are
 * exact.
 */
const LARGEST_EXPONENT = 200
const SMALLEST_BIT = 2 ** -260

/**
 * Predicates for finite points, rounded first to multiples of about 1e-138 of the largest coordinate: then the
 * arithmetic of the library neither overflows nor loses bits, and results are consistent.
 */
export function createPredicates(points: readonly Xy[]): Predicates {
  const [xs, ys] = scale(points)
  return {
    compare: (a, b) => xs[a]! - xs[b]! || ys[a]! - ys[b]!,
    // The library has the y axis pointing down, so its sign is opposite.
    orient: (a, b, c) => -orient2d(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!),
    inCircle: (a, b, c, d) => incircle(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!, xs[d]!, ys[d]!),
  }
}

/** Scales all coordinates by a power of two and rounds them. */
function scale(points: readonly Xy[]): [xs: Float64Array, ys: Float64Array] {
  let largest = 0
  for (const { x, y } of points) largest = Math.max(largest, Math.abs(x), Math.abs(y))
  const shift = largest === 0 ? 0 : LARGEST_EXPONENT - Math.floor(Math.log2(largest))
  // Coordinates are scaled in two steps: a single power would overflow for tiny ones.
  const [first, second] = [2 ** Math.trunc(shift / 2), 2 ** (shift - Math.trunc(shift / 2))]
  const round = (value: number) => {
    const scaled = value * first * second
    // Numbers of at least 2^53 times the smallest bit are multiples of it.
    return Math.abs(scaled) < SMALLEST_BIT * 2 ** 53
      ? Math.round(scaled / SMALLEST_BIT) * SMALLEST_BIT
      : scaled
  }
  return [Float64Array.from(points, ({ x }) => round(x)), Float64Array.from(points, ({ y }) => round(y))]
}
