import type { NurbsCurve } from '../values/curves.ts'
import { toXyz, type Xyz } from '../values/points.ts'
import { addScaled, distance, findUnit, scale, subtract } from '../values/vector.ts'

/** The spacing of knots: uniform, by the distances of the points, or by their square roots. */
export type KnotStyle = 'uniform' | 'chord' | 'squareRoot'

/**
 * The C2 cubic curve through points, with a knot at each; the first knot is 0. Its first and last inner control
 * points are in the direction of the parabola through the three points at that end, at a third of the distance
 * to the next point; a unit vector in `directions`, for the start and the end, replaces that of the parabola. The
 * parabola is parameterised by distance for all knot styles.
 * Source: what Rhino's `Curve.CreateInterpolatedCurve` returns, as published with an example at
 * https://discourse.mcneel.com/t/interpolated-curve/123999; for other knot styles, as pyhopper
 * (github.com/ezzahiranass/pyhopper) observed it in Grasshopper.
 */
export function interpolatePoints(
  points: readonly Xyz[],
  style: KnotStyle = 'chord',
  [forwards, backwards]: readonly (Xyz | undefined)[] = [],
): NurbsCurve {
  const steps = listSteps(points, style, false)
  const last = points.length - 1
  const inner = knotsOf(steps)
  const knots = [0, 0, ...inner, ...Array(2).fill(inner.at(-1) ?? 0)]
  const [start, end] = [points[0] as Xyz, points[last] as Xyz]
  const afterStart = findEndPoint(points.slice(0, 3), forwards)
  const beforeEnd = findEndPoint(points.slice(-3).toReversed(), backwards && scale(backwards, -1))
  // Rows 1 to last - 1: the curve passes its point at each inner knot.
  const rows = points.slice(1, -1).map((point, i) => createRow(knots, i + 3, point))
  const solved = solveRows(rows, afterStart, beforeEnd)
  return {
    type: 'nurbsCurve',
    degree: 3,
    points: [start, afterStart, ...solved, beforeEnd, end].map(toXyz),
    knots,
  }
}

/** The closed C2 cubic curve through points. Its seam is at the first point. */
export function interpolateClosed(points: readonly Xyz[], style: KnotStyle): NurbsCurve {
  const steps = listSteps(points, style, true)
  const count = points.length
  const at = (i: number) => steps[((i % count) + count) % count] as number
  const knots: number[] = [-at(-1) - at(-2), -at(-1), 0]
  for (let i = 0; i < count + 2; i++) knots.push((knots.at(-1) as number) + at(i))
  const rows = points.map((point, i) => createRow(knots, i + 2, point))
  const inner = solveCyclic(rows)
  // The row of point i weighs the control points i, i + 1 and i + 2 of the curve.
  const turned = [...inner.slice(-1), ...inner.slice(0, -1)]
  const all = [...turned, ...turned.slice(0, 3)]
  return { type: 'nurbsCurve', degree: 3, points: all.map(toXyz), knots }
}

function listSteps(points: readonly Xyz[], style: KnotStyle, closed: boolean): number[] {
  const nexts = closed ? [...points.slice(1), points[0] as Xyz] : points.slice(1)
  return nexts.map((next, i) => {
    if (style === 'uniform') return 1
    const chord = distance(points[i] as Xyz, next)
    return style === 'chord' ? chord : Math.sqrt(chord)
  })
}

function knotsOf(steps: readonly number[]): number[] {
  const knots = [0]
  for (const step of steps) knots.push((knots.at(-1) as number) + step)
  return knots
}

/** The second control point at an end, from a direction or the parabola through the first three points. */
function findEndPoint([a, b, c]: readonly Xyz[], along?: Xyz): Xyz {
  const [first, second] = [a as Xyz, b as Xyz]
  const chord = distance(first, second)
  if (along) return addScaled(first, along, chord / 3)
  const direction = scale(subtract(second, first), 1 / chord)
  if (!c) return addScaled(first, direction, chord / 3)
  const next = distance(second, c)
  const turn = subtract(direction, scale(subtract(c, second), 1 / next))
  const tangent = findUnit(addScaled(direction, turn, chord / (chord + next))) ?? direction
  return addScaled(first, tangent, chord / 3)
}

/** The weights of three control points in the value of a cubic at a knot. */
interface Row {
  readonly below: number
  readonly here: number
  readonly above: number
  readonly point: Xyz
}

function createRow(knots: readonly number[], index: number, point: Xyz): Row {
  const [k0, k1, k, k3, k4] = knots.slice(index - 2, index + 3) as [number, number, number, number, number]
  const below = ((k3 - k) * (k3 - k)) / ((k3 - k0) * (k3 - k1))
  const above = ((k - k1) * (k - k1)) / ((k4 - k1) * (k3 - k1))
  return { below, here: 1 - below - above, above, point }
}

/**
 * Solves a tridiagonal system by elimination, with known values before the first and after the last unknown.
 */
function solveRows(rows: readonly Row[], before: Xyz, after: Xyz): Xyz[] {
  const factors: number[] = []
  const values: Xyz[] = []
  for (const [i, { below, here, above, point }] of rows.entries()) {
    const pivot = here - below * (factors[i - 1] ?? 0)
    factors.push(above / pivot)
    values.push(scale(addScaled(point, values[i - 1] ?? before, -below), 1 / pivot))
  }
  const solved: Xyz[] = []
  let next = after
  for (let i = rows.length - 1; i >= 0; i--) {
    next = addScaled(values[i] as Xyz, next, -(factors[i] as number))
    solved.push(next)
  }
  return solved.reverse()
}

const NOTHING: Xyz = { x: 0, y: 0, z: 0 }

/** Solves a cyclic tridiagonal system by eliminating the last unknown separately. */
function solveCyclic(rows: readonly Row[]): Xyz[] {
  const inner = rows.slice(0, -1)
  const last = rows.at(-1) as Row
  const fixed = solveRows(inner, NOTHING, NOTHING)
  const unit = { x: 1, y: 0, z: 0 }
  const zero = inner.map((row) => ({ ...row, point: NOTHING }))
  const change = solveRows(zero, unit, unit).map(({ x }) => x)
  const pivot = last.here + last.above * (change[0] as number) + last.below * (change.at(-1) as number)
  const rest = addScaled(
    addScaled(last.point, fixed[0] as Xyz, -last.above),
    fixed.at(-1) as Xyz,
    -last.below,
  )
  const unknown = scale(rest, 1 / pivot)
  return [...fixed.map((value, i) => addScaled(value, unknown, change[i] as number)), unknown]
}
