import { checkpoint } from '../budget/budget.ts'

type Rule = readonly (readonly [node: number, weight: number])[]

/** A Gauss-Legendre rule on -1 to 1; the nodes by Newton's method. */
function createRule(count: number): Rule {
  return Array.from({ length: count }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5))
    let slope = 1
    for (let round = 0; round < 100; round++) {
      let [before, value] = [1, x]
      for (let k = 2; k <= count; k++)
        [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k]
      slope = (count * (x * value - before)) / (x * x - 1)
      const step = value / slope
      x -= step
      if (Math.abs(step) < 1e-16) break
    }
    return [x, 2 / ((1 - x * x) * slope * slope)] as const
  })
}

const FINE = createRule(9)
const CHECK = createRule(6)
const COARSE: Rule = [
  [-Math.sqrt(3 / 5), 5 / 9],
  [0, 8 / 9],
  [Math.sqrt(3 / 5), 5 / 9],
]

/** The integral of polynomials of a degree up to 5, with three points. */
export function integratePolynomial(
  size: number,
  from: number,
  to: number,
  evaluate: (t: number) => readonly number[],
): number[] {
  return integrate(size, from, to, evaluate, COARSE)
}

/** Integrates several functions at once with one rule. */
function integrate(
  size: number,
  from: number,
  to: number,
  evaluate: (t: number) => readonly number[],
  rule: Rule,
): number[] {
  const [middle, half] = [(from + to) / 2, (to - from) / 2]
  const sums = new Array<number>(size).fill(0)
  for (const [node, weight] of rule) {
    const values = evaluate(middle + half * node)
    for (let i = 0; i < size; i++) sums[i] = (sums[i] as number) + weight * half * (values[i] as number)
  }
  return sums
}

/**
 * Adaptive quadrature of smooth functions: nine points have to agree with six within the precision; otherwise
 * both halves are integrated, up to `depth` times.
 */
export function integrateFinely(
  size: number,
  from: number,
  to: number,
  evaluate: (t: number) => readonly number[],
  precision: number,
  depth = 8,
): number[] {
  checkpoint()
  const fine = integrate(size, from, to, evaluate, FINE)
  const check = integrate(size, from, to, evaluate, CHECK)
  const scale = Math.max(...fine.map(Math.abs))
  if (depth === 0 || fine.every((sum, i) => Math.abs(sum - (check[i] as number)) <= precision * scale))
    return fine
  const middle = (from + to) / 2
  const low = integrateFinely(size, from, middle, evaluate, precision, depth - 1)
  const high = integrateFinely(size, middle, to, evaluate, precision, depth - 1)
  return low.map((value, i) => value + (high[i] as number))
}
