import type { Xyz } from '../values/points.ts'
import { cross, dot, length, subtract } from '../values/vector.ts'

/**
 * The largest angle between neighbouring pieces of a drawing, in radians. Shading hides bends that a line would
 * show.
 */
export const TURN = { line: Math.PI / 24, face: Math.PI / 12 } as const

export type TurningAngle = (typeof TURN)[keyof typeof TURN]

/** The limit for one span: more pieces cannot be distinguished. */
const MAX_PIECES = 32

/**
 * The number of straight pieces that approximate a curve span with these control points, from the turning angle
 * of its control polygon, which bounds that of the curve.
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

/** For a circular arc of this angle, in radians. */
export const countArcPieces = (angle: number): number => Math.max(Math.ceil(Math.abs(angle) / TURN.line), 1)
