import { checkpoint } from '../budget/budget.ts'
import { getLocalDomain } from '../curves/evaluate.ts'
import { listBezierSpans, type Weighted } from '../curves/knots.ts'
import { listPieces, type Piece } from '../curves/pieces.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { toLocal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'

/**
 * A span of a curve as a rational Bézier curve, with the map from its parameter (0 to 1) to that of the curve.
 */
export interface Bezier {
  readonly points: readonly Weighted[]
  readonly start: number
  readonly end: number
  toParameter(u: number): number
}

/** Splits a curve into Bézier curves. */
export function listBeziers(curve: Curve): Bezier[] {
  return listPieces(curve).flatMap(cutPiece)
}

function cutPiece(piece: Piece): Bezier[] {
  const nurbs = toNurbs(piece.shape)
  const range = getCurveDomain(nurbs)
  const rate = (piece.end - piece.start) / (range.end - range.start)
  return listBezierSpans(nurbs).map((span): Bezier => {
    checkpoint()
    const start = piece.start + (span.start - range.start) * rate
    const end = span.end === range.end ? piece.end : piece.start + (span.end - range.start) * rate
    return { points: span.points, start, end, toParameter: createMap(piece, span.points, start, end) }
  })
}

/** The parameter of an arc is its angle, unlike that of its Bézier curves. */
function createMap(
  { shape, start: pieceStart, end: pieceEnd }: Piece,
  points: readonly Weighted[],
  start: number,
  end: number,
): Bezier['toParameter'] {
  if (shape.type !== 'arc') return (u) => start + (end - start) * u
  const { plane } = shape
  const local = getLocalDomain(shape)
  const rate = (pieceEnd - pieceStart) / (local.end - local.start)
  const from = local.start + (start - pieceStart) / rate
  const xAxis = { x: Math.cos(from), y: Math.sin(from) }
  return (u) => {
    const { x, y } = toLocal(plane, evaluateBezier(points, u))
    const angle = Math.atan2(xAxis.x * y - xAxis.y * x, xAxis.x * x + xAxis.y * y)
    return Math.min(end, Math.max(start, start + angle * rate))
  }
}

function evaluateBezier(points: readonly Weighted[], u: number): Xyz {
  let work = [...points]
  while (work.length > 1) work = work.slice(1).map((point, i) => blend(work[i] as Weighted, point, u))
  const { x, y, z, w } = work[0] as Weighted
  return { x: x / w, y: y / w, z: z / w }
}

/** Splits a Bézier curve at its middle. */
export function halveBezier(points: readonly Weighted[]): [Weighted[], Weighted[]] {
  checkpoint(points.length)
  const [left, right]: [Weighted[], Weighted[]] = [[], []]
  let work = [...points]
  while (work.length > 0) {
    left.push(work[0] as Weighted)
    right.push(work.at(-1) as Weighted)
    work = work.slice(1).map((point, i) => blend(work[i] as Weighted, point, 0.5))
  }
  return [left, right.reverse()]
}

function blend(a: Weighted, b: Weighted, u: number): Weighted {
  return {
    x: a.x + (b.x - a.x) * u,
    y: a.y + (b.y - a.y) * u,
    z: a.z + (b.z - a.z) * u,
    w: a.w + (b.w - a.w) * u,
  }
}
