import { countPieces, type KnotSpan, listKnotSpans } from '@meadow/geometry/curves/sample-curve'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Detail } from './detail.ts'

/** The grid parameters of a surface in one direction. */
export interface GridLines {
  /** The parameters between creases, ascending; at least two in each part. */
  parts: number[][]
  /** The intervals between knots. */
  spans: readonly KnotSpan[]
  /** Whether the surface bends in this direction. */
  isCurved: boolean
  /** The number of pieces before a parameter: triangles are small enough where it differs by about one. */
  measure(t: number): number
}

export interface SurfaceGrid {
  alongU: GridLines
  alongV: GridLines
}

export const createGrid = (surface: NurbsSurface, detail: Detail): SurfaceGrid => ({
  alongU: createGridLines(surface, 'u', detail),
  alongV: createGridLines(surface, 'v', detail),
})

/** The limit for one direction: more lines cannot be distinguished. */
const MAX_LINES = 400

function createGridLines(surface: NurbsSurface, direction: 'u' | 'v', detail: Detail): GridLines {
  const { degreeU, degreeV, knotsU, knotsV, points } = surface
  const isU = direction === 'u'
  const [degree, knots] = isU ? [degreeU, knotsU] : [degreeV, knotsV]
  const rows = isU ? transpose(points) : points
  const count = rows[0]?.length ?? 0
  const spans = listKnotSpans(knots, degree, count)
  const pieces = limit(
    spans.map(({ first }) =>
      Math.max(...rows.map((row) => countPieces(row.slice(first, first + degree + 1), degree, detail.face))),
    ),
  )
  return {
    parts: cutAtCreases(spans, pieces, knots, degree),
    spans,
    isCurved: pieces.some((piece) => piece > 1),
    measure: createMeasure(spans, pieces),
  }
}

const transpose = (points: readonly (readonly Xyz[])[]): Xyz[][] =>
  (points[0] ?? []).map((_, j) => points.map((row) => row[j]!))

function limit(pieces: readonly number[]): number[] {
  const sum = pieces.reduce((total, count) => total + count, 0)
  const factor = Math.min(MAX_LINES / sum, 1)
  return pieces.map((count) => Math.max(Math.floor(count * factor), 1))
}

/** A knot whose multiplicity is the degree may be a crease: the parts on both sides share no vertices. */
function cutAtCreases(
  spans: readonly KnotSpan[],
  pieces: readonly number[],
  knots: readonly number[],
  degree: number,
): number[][] {
  const parts: number[][] = []
  for (const [i, { from, to }] of spans.entries()) {
    const count = pieces[i]!
    const steps = Array.from({ length: count }, (_, k) => from + ((to - from) * (k + 1)) / count)
    const isCrease = knots.filter((knot) => knot === from).length >= degree
    if (i === 0 || isCrease) parts.push([from, ...steps])
    else parts.at(-1)!.push(...steps)
  }
  return parts
}

function createMeasure(spans: readonly KnotSpan[], pieces: readonly number[]) {
  return (t: number): number => {
    let before = 0
    for (const [i, { from, to }] of spans.entries()) {
      if (t < to || i === spans.length - 1) return before + (pieces[i]! * (t - from)) / (to - from)
      before += pieces[i]!
    }
    return before
  }
}
