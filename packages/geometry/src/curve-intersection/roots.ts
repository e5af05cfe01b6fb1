import { checkpoint } from '../budget/budget.ts'

/** Bisections until a root has full precision. */
const MAX_HALVINGS = 52

/**
 * The zeros of a polynomial in Bernstein form between 0 and 1, ascending, and the minima within `slack` of
 * zero. Empty for a polynomial that is within `slack` everywhere.
 * Source: Descartes' rule of signs and bisection.
 */
export function findRoots(coefficients: readonly number[], slack = 0): number[] {
  if (coefficients.every((value) => Math.abs(value) <= slack)) return []
  const roots = [...isolate(coefficients, 0, 1, MAX_HALVINGS)]
  const extremes =
    coefficients.length > 2 ? [...isolate(differentiate(coefficients), 0, 1, MAX_HALVINGS)] : []
  for (const u of [0, ...extremes, 1]) {
    if (Math.abs(evaluate(coefficients, u)) <= slack) roots.push(u)
  }
  return unique(roots.sort((a, b) => a - b))
}

function* isolate(
  coefficients: readonly number[],
  from: number,
  to: number,
  halvings: number,
): Generator<number> {
  checkpoint(coefficients.length)
  const [first, last] = [coefficients[0] as number, coefficients.at(-1) as number]
  const changes = countSignChanges(coefficients)
  if (first === 0) yield from
  if (last === 0 && to === 1) yield to
  if (changes === 0) return
  if (halvings === 0) {
    yield (from + to) / 2
    return
  }
  const [left, right] = halve(coefficients)
  const middle = (from + to) / 2
  yield* isolate(left, from, middle, halvings - 1)
  yield* isolate(right, middle, to, halvings - 1)
}

function countSignChanges(values: readonly number[]): number {
  const signs = values.filter((value) => value !== 0).map(Math.sign)
  return signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length
}

function halve(coefficients: readonly number[]): [number[], number[]] {
  const [left, right]: [number[], number[]] = [[], []]
  let work = [...coefficients]
  while (work.length > 0) {
    left.push(work[0] as number)
    right.push(work.at(-1) as number)
    work = work.slice(1).map((value, i) => ((work[i] as number) + value) / 2)
  }
  return [left, right.reverse()]
}

function differentiate(coefficients: readonly number[]): number[] {
  return coefficients.slice(1).map((value, i) => value - (coefficients[i] as number))
}

function evaluate(coefficients: readonly number[], u: number): number {
  let work = [...coefficients]
  while (work.length > 1) work = work.slice(1).map((value, i) => (work[i] as number) * (1 - u) + value * u)
  return work[0] ?? 0
}

function unique(sorted: readonly number[]): number[] {
  return sorted.filter((value, i) => i === 0 || value - (sorted[i - 1] as number) > 1e-9)
}
