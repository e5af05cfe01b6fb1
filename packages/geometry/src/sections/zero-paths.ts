import { checkpoint } from '../budget/budget.ts'
import { findRoots } from '../curve-intersection/roots.ts'
import { listBezierSpans } from '../curves/knots.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'

/** A pair of parameters of a surface. */
export interface Uv {
  readonly u: number
  readonly v: number
}

/** Why a section could not be found. */
export class SectionError extends Error {}

/**
 * The heights of a Bézier patch over a plane, multiplied by the weight: Bernstein coefficients, `values[i][j]` with i
 * along u. They are zero where the patch meets the plane.
 */
interface Patch {
  readonly values: readonly (readonly number[])[]
  readonly u: readonly [number, number]
  readonly v: readonly [number, number]
}

/** Points of a path between two patches' borders, both included. */
const STEPS = 8
/** Halvings of a patch until the plane counts as touching it. */
const MAX_DEPTH = 22
const HALVINGS = 60

/**
 * Lists the paths in the parameters of a surface along which it meets a plane (points within `slack` are in it), one
 * for each part of a patch through which a path passes in one go. No path is missed: a part is divided until the
 * heights have one sign, or grow in one direction.
 * Fails: `SectionError` where the plane touches the surface.
 */
export function listZeroPaths(surface: NurbsSurface, plane: Plane, slack: number): Uv[][] {
  return listPatches(surface, plane, slack).flatMap((patch) => [...trace(patch, MAX_DEPTH)])
}

function listPatches({ points, weights, ...surface }: NurbsSurface, plane: Plane, slack: number): Patch[] {
  const heights = points.map((row, i) =>
    row.map((point, j) => {
      const { z } = toLocal(plane, point)
      return Math.abs(z) <= slack ? 0 : z * (weights?.[i]?.[j] ?? 1)
    }),
  )
  const columns = (heights[0] ?? []).map((_, j) =>
    splitHeights(
      heights.map((row) => row[j] as number),
      surface.degreeU,
      surface.knotsU,
    ),
  )
  return (columns[0] ?? []).flatMap(({ start, end }, span) => {
    const rows = Array.from({ length: surface.degreeU + 1 }, (_, i) =>
      splitHeights(
        columns.map((column) => column[span]?.values[i] as number),
        surface.degreeV,
        surface.knotsV,
      ),
    )
    return (rows[0] ?? []).map((part, k): Patch => {
      const values = rows.map((row) => row[k]?.values as number[])
      return { values, u: [start, end], v: [part.start, part.end] }
    })
  })
}

function splitHeights(heights: readonly number[], degree: number, knots: readonly number[]) {
  const points = heights.map((height) => ({ x: height, y: 0, z: 0 }))
  const carrier: NurbsCurve = { type: 'nurbsCurve', degree, points, knots }
  return listBezierSpans(carrier).map(({ start, end, points: span }) => ({
    start,
    end,
    values: span.map(({ x }) => x),
  }))
}

function* trace(patch: Patch, depth: number): Generator<Uv[]> {
  const { values } = patch
  const all = values.flat()
  checkpoint(all.length)
  if (all.every((value) => value > 0) || all.every((value) => value < 0)) return
  if (findTrend(values) !== 0) yield* traceAcross(patch)
  else if (findTrend(transpose(values)) !== 0) {
    const turned = { values: transpose(values), u: patch.v, v: patch.u }
    for (const path of traceAcross(turned)) yield path.map(({ u, v }) => ({ u: v, v: u }))
  } else if (depth === 0) throw new SectionError('the plane touches a face')
  else for (const part of quarter(patch)) yield* trace(part, depth - 1)
}

/** 1 if the heights grow along u everywhere, −1 if they fall, otherwise 0. */
function findTrend(values: readonly (readonly number[])[]): -1 | 0 | 1 {
  const steps = values.slice(1).flatMap((row, i) => row.map((value, j) => value - (values[i]?.[j] as number)))
  if (steps.every((step) => step > 0)) return 1
  return steps.every((step) => step < 0) ? -1 : 0
}

/** The paths through a patch whose heights grow or fall along u: for each v at most one u. */
function* traceAcross({ values, u, v }: Patch): Generator<Uv[]> {
  const rising = findTrend(values)
  const first = (values[0] as readonly number[]).map((value) => value * rising)
  const last = (values.at(-1) as readonly number[]).map((value) => value * rising)
  const stops = [0, ...findRoots(first), ...findRoots(last), 1].sort((a, b) => a - b)
  for (const [i, to] of stops.slice(1).entries()) {
    const from = stops[i] as number
    const middle = (from + to) / 2
    if (to - from < 1e-12 || evaluate(first, middle) > 0 || evaluate(last, middle) < 0) continue
    yield Array.from({ length: STEPS + 1 }, (_, step): Uv => {
      const t = step === STEPS ? to : from + ((to - from) * step) / STEPS
      const s = solve(values.map((row) => evaluate(row, t) * rising))
      return { u: u[0] + (u[1] - u[0]) * s, v: v[0] + (v[1] - v[0]) * t }
    })
  }
}

/** Finds where a growing polynomial is zero. */
function solve(coefficients: readonly number[]): number {
  let [low, high] = [0, 1]
  for (let i = 0; i < HALVINGS; i++) {
    checkpoint()
    const middle = (low + high) / 2
    const value = evaluate(coefficients, middle)
    if (value === 0) return middle
    if (value < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Evaluates a polynomial in Bernstein form by de Casteljau's algorithm. */
function evaluate(coefficients: readonly number[], t: number): number {
  const work = [...coefficients]
  for (let size = work.length - 1; size > 0; size--) {
    for (let i = 0; i < size; i++) work[i] = (work[i] as number) * (1 - t) + (work[i + 1] as number) * t
  }
  return work[0] ?? 0
}

function quarter({ values, u, v }: Patch): Patch[] {
  const [middleU, middleV] = [(u[0] + u[1]) / 2, (v[0] + v[1]) / 2]
  return halve(values).flatMap((part, i) =>
    halve(transpose(part)).map(
      (piece, j): Patch => ({
        values: transpose(piece),
        u: i === 0 ? [u[0], middleU] : [middleU, u[1]],
        v: j === 0 ? [v[0], middleV] : [middleV, v[1]],
      }),
    ),
  )
}

/** Halves a patch in its first direction. */
function halve(values: readonly (readonly number[])[]): [number[][], number[][]] {
  const [low, high]: [number[][], number[][]] = [[], []]
  let work = values.map((row) => [...row])
  while (work.length > 0) {
    low.push(work[0] as number[])
    high.push(work.at(-1) as number[])
    work = work.slice(1).map((row, i) => row.map((value, j) => (value + (work[i]?.[j] as number)) / 2))
  }
  return [low, high.reverse()]
}

function transpose(values: readonly (readonly number[])[]): number[][] {
  return (values[0] ?? []).map((_, j) => values.map((row) => row[j] as number))
}
