import type { Xyz } from '../values/points.ts'
import { cross, dot, length, subtract } from '../values/vector.ts'

/** So much the drawing turns at most, in radians, from one piece to the next: shading hides what bends a line shows. */
export const TURN = { line: Math.PI / 24, face: Math.PI / 12 } as const

export type TurningAngle = (typeof TURN)[keyof typeof TURN]

/** Of one span: more are not to be told apart. */
const MAX_PIECES = 32

/**
 * How many straight pieces stand for a span of a curve with these control points: as many as its polygon turns, which
 * the curve does not more.
 */
export function countPieces(polygon: readonly Xyz[], degree: number, most: TurningAngle): number {
  if (degree === 1) return 1
  let angle = 0
  let before: Xyz | undefined
  for (let i = 1; i < polygon.length; i++) {
    const leg = subtract(polygon[i]!, polygon[i - 1]!)
    if (length(leg) === 0) continue
    if (before) angle += Math.atan2(length(cross(before, leg)), dot(before, leg))
    before = leg
  }
  return Math.min(Math.max(Math.ceil(angle / most), 1), MAX_PIECES)
}

/** Of a circular arc of this angle, in radians. */
export const countArcPieces = (angle: number): number => Math.max(Math.ceil(Math.abs(angle) / TURN.line), 1)
