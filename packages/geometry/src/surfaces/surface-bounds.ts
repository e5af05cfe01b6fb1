import { checkpoint } from '../budget/budget.ts'
import { listDistinct, raiseKnots } from '../curves/knots.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import { dot } from '../values/vector.ts'
import { clampNurbs } from './compatible.ts'
import { clampSurface } from './isotrim.ts'
import { fromRows, getRow, transpose } from './rows.ts'

/** The weighted heights of the control points of a Bézier patch, and the weights, row by row. */
interface Patch {
  readonly rows: readonly (readonly number[])[]
  readonly weights: readonly (readonly number[])[]
}

const MAX_CUTS = 20_000
/** The precision of the maximum, relative to the range of heights. */
const PRECISION = 1e-11

/** The maximum of the dot product of a surface point and a direction. */
export function findMaximumAlong(surface: NurbsSurface, direction: Xyz): number {
  return findHighest(cutIntoPatches(surface).map((patch) => measure(patch, direction)))
}

export function findCurveMaximumAlong(curve: NurbsCurve, direction: Xyz): number {
  const clamped = clampNurbs(curve)
  return findMaximumAlong(fromRows([clamped, clamped], 1, [0, 1]), direction)
}

/**
 * Branch and bound: the maximum of a patch is between those of its corners and of its control points. Patches
 * that cannot exceed the best corner are dropped; of the others the most promising one is bisected.
 */
function findHighest(patches: readonly Patch[]): number {
  let best = Math.max(...patches.map(getCornerHeight))
  const lowest = Math.min(...patches.map((patch) => -getBound(negate(patch))))
  const slack = PRECISION * (best - lowest)
  let open = patches.map((patch) => ({ patch, bound: getBound(patch) }))
  for (let cuts = 0; cuts < MAX_CUTS; cuts++) {
    checkpoint(open.length)
    open = open.filter(({ bound }) => bound > best + slack)
    const [first, ...others] = open
    if (!first) break
    const highest = others.reduce((most, other) => (other.bound > most.bound ? other : most), first)
    open.splice(open.indexOf(highest), 1)
    for (const patch of halve(highest.patch)) {
      best = Math.max(best, getCornerHeight(patch))
      open.push({ patch, bound: getBound(patch) })
    }
  }
  return best
}

function negate({ rows, weights }: Patch): Patch {
  return { rows: rows.map((row) => row.map((height) => -height)), weights }
}

function getBound({ rows, weights }: Patch): number {
  let bound = -Infinity
  for (const [i, row] of rows.entries()) {
    for (const [j, height] of row.entries()) bound = Math.max(bound, height / (weights[i]?.[j] as number))
  }
  return bound
}

function getCornerHeight({ rows, weights }: Patch): number {
  const [first, last] = [0, rows.length - 1]
  const end = (rows[0]?.length ?? 1) - 1
  const at = (i: number, j: number) => (rows[i]?.[j] as number) / (weights[i]?.[j] as number)
  return Math.max(at(first, 0), at(first, end), at(last, 0), at(last, end))
}

/** Bisects a patch in the direction in which it is less linear, by de Casteljau's algorithm. */
function halve(patch: Patch): [Patch, Patch] {
  const turned = { rows: swap(patch.rows), weights: swap(patch.weights) }
  if (getBend(patch.rows) > getBend(turned.rows)) {
    const [low, high] = halveRows(patch)
    return [low, high]
  }
  const [low, high] = halveRows(turned)
  return [
    { rows: swap(low.rows), weights: swap(low.weights) },
    { rows: swap(high.rows), weights: swap(high.weights) },
  ]
}

/** The deviation of rows from linear. */
function getBend(rows: readonly (readonly number[])[]): number {
  let bend = 0
  for (const row of rows) {
    const [start, end] = [row[0] as number, row.at(-1) as number]
    for (const [j, height] of row.entries()) {
      bend = Math.max(bend, Math.abs(height - start - ((end - start) * j) / Math.max(1, row.length - 1)))
    }
  }
  return bend
}

function halveRows({ rows, weights }: Patch): [Patch, Patch] {
  const [heights, factors] = [rows.map(halveRow), weights.map(halveRow)]
  return [
    { rows: heights.map(([low]) => low), weights: factors.map(([low]) => low) },
    { rows: heights.map(([, high]) => high), weights: factors.map(([, high]) => high) },
  ]
}

function halveRow(row: readonly number[]): [number[], number[]] {
  const [low, high]: [number[], number[]] = [[], []]
  let work = [...row]
  while (work.length > 0) {
    low.push(work[0] as number)
    high.unshift(work.at(-1) as number)
    work = work.slice(1).map((value, i) => (value + (work[i] as number)) / 2)
  }
  return [low, high]
}

function swap<T>(rows: readonly (readonly T[])[]): T[][] {
  return (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] as T))
}

interface Cut {
  readonly points: readonly (readonly Xyz[])[]
  readonly weights: readonly (readonly number[])[]
}

/** Splits a surface into Bézier patches. */
function cutIntoPatches(surface: NurbsSurface): Cut[] {
  const whole = transpose(refineInV(transpose(refineInV(clampSurface(surface)))))
  const { points, weights, degreeU, degreeV } = whole
  const cuts: Cut[] = []
  for (let i = 0; i + degreeU < points.length; i += degreeU) {
    for (let j = 0; j + degreeV < (points[i]?.length ?? 0); j += degreeV) {
      const pick = <T>(rows: readonly (readonly T[])[]) =>
        rows.slice(i, i + degreeU + 1).map((row) => row.slice(j, j + degreeV + 1))
      const own = pick(points)
      cuts.push({ points: own, weights: weights ? pick(weights) : own.map((row) => row.map(() => 1)) })
    }
  }
  return cuts
}

/** Raises each inner knot to full multiplicity. */
function refineInV(surface: NurbsSurface): NurbsSurface {
  const rows = surface.points.map((_, i) => {
    const row = getRow(surface, i)
    return raiseKnots(row, listDistinct(row).slice(1, -1))
  })
  return fromRows(rows, surface.degreeU, surface.knotsU)
}

function measure({ points, weights }: Cut, direction: Xyz): Patch {
  return {
    rows: points.map((row, i) => row.map((point, j) => dot(point, direction) * (weights[i]?.[j] as number))),
    weights,
  }
}
