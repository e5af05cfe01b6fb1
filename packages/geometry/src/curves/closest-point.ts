import type { Arc, Line } from '../values/curves.ts'
import { toLocal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, subtract } from '../values/vector.ts'
import { evaluatePiece } from './evaluate.ts'
import { listSpans } from './length.ts'
import { listPieces, type Piece } from './pieces.ts'

export interface ClosestPoint {
  readonly parameter: number
  readonly point: Xyz
  readonly distance: number
}

/** The samples per knot span and degree for the start values. */
const SAMPLES_PER_DEGREE = 4
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The closest point of a curve; the first of several equally close. Exact for lines and arcs; for NURBS curves
 * refined from the closest samples.
 */
export function findClosestPoint(curve: Curve, location: Xyz): ClosestPoint | undefined {
  let best: ClosestPoint | undefined
  for (const piece of listPieces(curve)) {
    for (const parameter of listCandidates(piece, location)) {
      const [point] = evaluatePiece(piece, parameter, 0, parameter === piece.end ? 'below' : 'above')
      if (!point) continue
      const gap = distance(point, location)
      if (!best || gap < best.distance - 1e-12 * (1 + gap)) best = { parameter, point, distance: gap }
    }
  }
  return best
}

function listCandidates(piece: Piece, point: Xyz): number[] {
  const { shape, start, end } = piece
  if (shape.type === 'nurbsCurve') return listNearSpans(piece, point)
  const t = shape.type === 'line' ? projectOnLine(shape, point) : projectOnArc(shape, point)
  return [start, t > 0 && t < 1 ? start + (end - start) * t : start, end]
}

function projectOnLine({ from, to }: Line, point: Xyz): number {
  const along = subtract(to, from)
  const square = dot(along, along)
  return square === 0 ? 0 : dot(subtract(point, from), along) / square
}

function projectOnArc({ plane, startAngle, endAngle }: Arc, point: Xyz): number {
  const { x, y } = toLocal(plane, point)
  const angle = Math.atan2(y, x)
  const turns = Math.ceil((startAngle - angle) / (2 * Math.PI))
  return (angle + turns * 2 * Math.PI - startAngle) / (endAngle - startAngle)
}

function listNearSpans(piece: Piece, point: Xyz): number[] {
  const { shape } = piece
  const count = shape.type === 'nurbsCurve' ? SAMPLES_PER_DEGREE * shape.degree : 1
  const samples: number[] = [piece.start]
  for (const [from, to] of listSpans(piece)) {
    for (let i = 1; i <= count; i++) samples.push(i === count ? to : from + ((to - from) * i) / count)
  }
  const gaps = samples.map((t) => getGap(piece, point, t))
  const candidates: number[] = []
  for (const [i, t] of samples.entries()) {
    const gap = gaps[i] as number
    if (gap > (gaps[i - 1] ?? Infinity) || gap > (gaps[i + 1] ?? Infinity)) continue
    // A knot between samples may separate two minima.
    candidates.push(
      refine(piece, point, samples[i - 1] ?? t, t),
      refine(piece, point, t, samples[i + 1] ?? t),
    )
  }
  return [piece.start, ...candidates, piece.end]
}

function getGap(piece: Piece, location: Xyz, t: number): number {
  const [point] = evaluatePiece(piece, t, 0, 'above')
  return point ? distance(point, location) : Infinity
}

/** Golden-section search, then Newton's method for a perpendicular offset. */
function refine(piece: Piece, location: Xyz, low: number, high: number): number {
  let [a, b] = [low, high]
  for (let round = 0; round < 24; round++) {
    const [left, right] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)]
    if (getGap(piece, location, left) <= getGap(piece, location, right)) b = right
    else a = left
  }
  const start = (a + b) / 2
  let t = start
  for (let round = 0; round < 12; round++) {
    const [point, first, second] = evaluatePiece(piece, t, 2, 'above')
    if (!point || !first || !second) break
    const offset = subtract(point, location)
    const slope = dot(first, first) + dot(offset, second)
    const next = slope > 0 ? Math.min(high, Math.max(low, t - dot(offset, first) / slope)) : t
    if (next === t) break
    t = next
  }
  return getGap(piece, location, t) <= getGap(piece, location, start) ? t : start
}
