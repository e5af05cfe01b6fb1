import { checkpoint } from '../budget/budget.ts'
import { evaluate } from '../curves/evaluate.ts'
import { listSpans } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { touchAlong } from '../surfaces/evaluate-surface.ts'
import { integrateFinely, integratePolynomial } from '../surfaces/quadrature.ts'
import type { BrepFace, BrepTrim } from '../values/brep.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import { areEqual, cross, subtract } from '../values/vector.ts'

/** An integrand over a face: a function of the point and of the normal scaled by the area element. */
export type Integrand = (point: Xyz, area: Xyz) => readonly number[]

/** If the results of six and nine quadrature points agree within this, nine are accurate enough for the integral. */
const CHECK = 1e-6

/**
 * Integrates `size` functions over a trimmed face, with respect to the surface normal. Exact for polynomials;
 * otherwise refined to nine digits.
 * Source: Green's theorem. The integral of g over the parameter region is that of G dv along its loops, where G
 * is the integral of g from the first u of the surface.
 */
export function integrateFace({ surface, loops }: BrepFace, size: number, integrand: Integrand): number[] {
  const cutsU = listCuts(surface.knotsU)
  const cutsV = listCuts(surface.knotsV)
  const sums = new Array<number>(size).fill(0)
  const addAll = (values: readonly number[]) => {
    for (const [i, value] of values.entries()) sums[i] = (sums[i] as number) + value
  }
  const isFlat = isParallelogram(surface)
  const inner = createInner(surface, cutsU, size, integrand, isFlat)
  for (const { curve } of loops.flat()) {
    const isStraight = curve.type === 'polyline'
    for (const [from, to] of listStretches(curve, cutsU, cutsV)) {
      const integrandAlong = (t: number) => {
        const [point, speed] = evaluate(curve, t, 1) as [Xyz, Xyz]
        if (speed.y === 0) return new Array<number>(size).fill(0)
        return inner(point.x, point.y).map((value) => value * speed.y)
      }
      addAll(
        isFlat && isStraight
          ? integratePolynomial(size, from, to, integrandAlong)
          : integrateFinely(size, from, to, integrandAlong, CHECK, 6),
      )
    }
  }
  return sums
}

/** Whether a surface is planar with uniform parameters: then integrands of degree 2 are polynomials. */
export function isParallelogram({ degreeU, degreeV, points, weights }: NurbsSurface): boolean {
  const [[a, b, ...moreB] = [], [c, d] = [], ...more] = points
  if (weights || degreeU > 1 || degreeV > 1 || more.length + moreB.length > 0 || !a || !b || !c || !d)
    return false
  return areEqual(subtract(b, a), subtract(d, c), 1e-12 * (1 + Math.abs(a.x) + Math.abs(a.y) + Math.abs(a.z)))
}

/** G: the integral from the surface's first u to `u`, at `v`. */
function createInner(
  surface: NurbsSurface,
  cuts: readonly number[],
  size: number,
  integrand: Integrand,
  isFlat: boolean,
) {
  return (u: number, v: number): number[] => {
    checkpoint(cuts.length)
    const sums = new Array<number>(size).fill(0)
    const touch = touchAlong(surface, v)
    const at = (s: number) => {
      const { point, du, dv } = touch(s)
      return integrand(point, cross(du, dv))
    }
    for (const [i, to] of cuts.slice(1).entries()) {
      const from = cuts[i] as number
      const end = i === cuts.length - 2 ? u : Math.min(u, to)
      if (end <= from && i > 0) break
      const part = isFlat
        ? integratePolynomial(size, from, end, at)
        : integrateFinely(size, from, end, at, CHECK, 3)
      for (let k = 0; k < size; k++) sums[k] = (sums[k] as number) + (part[k] as number)
    }
    return sums
  }
}

/** The distinct knots. */
function listCuts(knots: readonly number[]): number[] {
  return knots.filter((knot, i) => i === 0 || knot > (knots[i - 1] as number))
}

/**
 * The parts of a trim between seams of the trim and of the surface. Only straight trims are split at the knots
 * of the surface.
 */
function* listStretches(
  curve: BrepTrim['curve'],
  cutsU: readonly number[],
  cutsV: readonly number[],
): Generator<readonly [number, number]> {
  for (const piece of listPieces(curve)) {
    for (const [start, end] of listSpans(piece)) {
      if (piece.shape.type !== 'line') {
        yield [start, end]
        continue
      }
      const { from, to } = piece.shape
      const factors = [
        ...cutsU.map((cut) => (cut - from.x) / (to.x - from.x)),
        ...cutsV.map((cut) => (cut - from.y) / (to.y - from.y)),
      ].filter((t) => t > 1e-12 && t < 1 - 1e-12)
      const stops = [0, ...factors.sort((a, b) => a - b), 1]
      for (const [i, stop] of stops.slice(1).entries()) {
        yield [start + (end - start) * (stops[i] as number), start + (end - start) * stop]
      }
    }
  }
}
