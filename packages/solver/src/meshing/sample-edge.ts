import { checkpoint } from '../budget/budget.ts'
import { findTangent, getPoint } from '../geometry/curves/evaluate.ts'
import { listSpans } from '../geometry/curves/length.ts'
import { listPieces } from '../geometry/curves/pieces.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, interpolate } from '../values/vector.ts'
import type { MeshSettings } from './mesh-settings.ts'

/** The number of samples for the turning angle of a span. */
const PROBES = 6
/** More pieces cannot be distinguished. */
const MAX_PIECES = 2000

/** Points along a curve whose polyline approximates it as the settings require, in at least `least` pieces. */
export function sampleEdge(curve: Curve, settings: MeshSettings, least: number): Xyz[] {
  const stops: number[] = []
  for (const piece of listPieces(curve)) {
    for (const [from, to] of listSpans(piece)) {
      const isStraight = piece.shape.type === 'line'
      const count = isStraight ? 1 : Math.ceil(measureTurn(curve, from, to) / settings.maxAngle - 1e-9)
      stops.push(...divide(from, to, count))
      if (stops.length > MAX_PIECES) break
    }
  }
  const { end } = listPieces(curve).at(-1)!
  const ends = [...stops, end]
  const atLeast = Math.ceil(least / stops.length)
  const refined = stops.flatMap((from, i) => {
    const to = ends[i + 1]!
    return divide(from, to, Math.max(atLeast, countFor(curve, from, to, settings)))
  })
  checkpoint(refined.length)
  return [...refined.slice(0, MAX_PIECES), end].map((t) => getPoint(curve, t))
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
