import { checkpoint } from '../budget/budget.ts'
/** The non-zero B-spline basis functions at a parameter, and their derivatives. */
export interface Basis {
  /** The index of the first control point with a non-zero basis function. */
  readonly first: number
  /** `values[k][j]`: the k-th derivative of the function of control point `first + j`. */
  readonly values: readonly (readonly number[])[]
}

/**
 * Evaluates the basis functions at a parameter; outside the domain the first or last span is extrapolated.
 * Source: the Cox-de Boor recurrence, with knots as in openNURBS; derivatives from basis functions of degree p - 1
 * (Piegl and Tiller, The NURBS Book, 2.3).
 */
export function findBasis(
  knots: readonly number[],
  degree: number,
  pointCount: number,
  t: number,
  order: number,
): Basis {
  checkpoint(degree)
  const first = findSpan(knots, degree, pointCount, t)
  const values = [findFunctions(knots, degree, first, t)]
  for (let k = 1; k <= order; k++) {
    // The k-th derivative: basis functions of degree p - k, differentiated k times.
    let row = degree >= k ? findFunctions(knots, degree - k, first + k, t) : []
    for (let p = degree - k + 1; p <= degree && row.length > 0; p++) {
      const start = first + degree - p
      const next: number[] = []
      for (let j = 0; j <= p; j++) {
        const left = j > 0 ? rate(knots, start + j, p) * (row[j - 1] as number) : 0
        const right = j < p ? rate(knots, start + j + 1, p) * (row[j] as number) : 0
        next.push(left - right)
      }
      row = next
    }
    values.push(row.length > 0 ? row : new Array<number>(degree + 1).fill(0))
  }
  return { first, values }
}

/** p divided by the length of the support of basis function `index` of degree p - 1. */
function rate(knots: readonly number[], index: number, p: number): number {
  const size = (knots[index + p - 1] as number) - (knots[index - 1] as number)
  return size === 0 ? 0 : p / size
}

function findSpan(knots: readonly number[], degree: number, pointCount: number, t: number): number {
  let [low, high] = [0, pointCount - degree - 1]
  // At the end of the domain the last non-empty span applies.
  while (high > 0 && knots[high + degree - 1] === knots[high + degree]) high--
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((knots[middle + degree - 1] as number) <= t) low = middle
    else high = middle - 1
  }
  return low
}

/** The `degree + 1` basis functions on the span whose first control point, for this degree, is `first`. */
function findFunctions(knots: readonly number[], degree: number, first: number, t: number): number[] {
  const values = [1]
  const knot = (i: number) => knots[first + degree - 1 + i] as number
  for (let p = 1; p <= degree; p++) {
    let saved = 0
    for (let r = 0; r < p; r++) {
      const [right, left] = [knot(r + 1), knot(r + 1 - p)]
      const ratio = right === left ? 0 : (values[r] as number) / (right - left)
      values[r] = saved + (right - t) * ratio
      saved = (t - left) * ratio
    }
    values[p] = saved
  }
  return values
}
