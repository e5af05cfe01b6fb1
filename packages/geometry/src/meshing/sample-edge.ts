import { checkpoint } from '../budget/budget.ts'
import { findTangent, getPoint } from '../curves/evaluate.ts'
import { listSpans } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, interpolate } from '../values/vector.ts'
import type { MeshSettings } from './mesh-settings.ts'
import { placeStops, type Stretch } from './place-stops.ts'

/** The number of samples for the turning angle of a span. */
const PROBES = 6
/** More pieces cannot be distinguished. */
const MAX_PIECES = 2000

export interface EdgeSamples {
  readonly points: readonly Xyz[]
  /** The part of the domain of the curve before each point. */
  readonly fractions: readonly number[]
}

/** Points along a curve whose polyline approximates it as the settings require, in at least `least` pieces. */
export function sampleEdge(curve: Curve, settings: MeshSettings, least: number): EdgeSamples {
  const stops = placeStops(
    listPieces(curve).flatMap((piece) => {
      const spans = [...listSpans(piece)]
      return spans.map(([from, to], i): Stretch => {
        const isSmooth = i < spans.length - 1
        const need = piece.shape.type === 'line' ? 1 : measureTurn(curve, from, to) / settings.maxAngle
        return { from, to, need, isSmooth }
      })
    }),
    MAX_PIECES,
  )
  const { start, end } = getCurveDomain(curve)
  // A curve without length has no pieces.
  if (stops.length === 0) stops.push(start)
  const ends = [...stops, end]
  const atLeast = Math.ceil(Math.min(least, MAX_PIECES) / stops.length)
  const refined = stops.flatMap((from, i) => {
    const to = ends[i + 1]!
    return divide(from, to, Math.max(atLeast, countFor(curve, from, to, settings)))
  })
  checkpoint(refined.length)
  const parameters = [...refined, end]
  return {
    points: parameters.map((t) => getPoint(curve, t)),
    fractions: parameters.map((t, i) => (end > start ? (t - start) / (end - start) : i / refined.length)),
  }
}

/** The starts of equal parts. */
function divide(from: number, to: number, count: number): number[] {
  const most = Math.min(Math.max(count, 1), MAX_PIECES)
  return Array.from({ length: most }, (_, i) => from + ((to - from) * i) / most)
}

/** The sum of the angles between the tangents at some points. */
function measureTurn(curve: Curve, from: number, to: number): number {
  let turn = 0
  let before: Xyz | undefined
  for (let i = 0; i <= PROBES; i++) {
    const tangent = findTangent(curve, from + ((to - from) * i) / PROBES, i === PROBES ? 'below' : 'above')
    if (before && tangent) turn += Math.acos(Math.min(1, Math.max(-1, dot(before, tangent))))
    before = tangent ?? before
  }
  return turn
}

/** The number of pieces that the settings about lengths require. */
function countFor(curve: Curve, from: number, to: number, { maxEdge, maxDistance }: MeshSettings): number {
  const [a, b] = [getPoint(curve, from), getPoint(curve, to)]
  const forEdge = maxEdge > 0 ? Math.ceil(distance(a, b) / maxEdge) : 1
  const gap = distance(getPoint(curve, (from + to) / 2), interpolate(a, b, 0.5))
  // The gap shrinks with the square of the number of pieces.
  const forDistance = maxDistance > 0 ? Math.ceil(Math.sqrt(gap / maxDistance)) : 1
  return Math.max(forEdge, forDistance)
}
