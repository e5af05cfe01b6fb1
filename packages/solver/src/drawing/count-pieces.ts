import type { Xyz } from '../values/points.ts'
import { cross, dot, length, subtract } from '../values/vector.ts'

/** How finely a geometry is drawn. */
export interface Detail {
  /** The largest angle between neighbouring pieces of a line, in radians. */
  line: number
  /** The largest angle between neighbouring pieces of a face: shading hides bends that a line would show. */
  face: number
  /** Whether drawings have no isocurves. */
  isPlain?: boolean
}

export const FINE: Detail = { line: Math.PI / 36, face: Math.PI / 24 }
export const COARSE: Detail = { line: Math.PI / 24, face: Math.PI / 12 }
/** Shows the shape while something moves. */
export const ROUGH: Detail = { line: Math.PI / 8, face: Math.PI / 4, isPlain: true }

/** Rounding errors of angles are below this, so that all quarter turns have the same number of pieces. */
const ROUNDING = 1e-9

/** The limit for one span: more pieces cannot be distinguished. */
const MAX_PIECES = 32

/**
 * The number of straight pieces that approximate a curve span with these control points, from the turning angle
 * of its control polygon, which bounds that of the curve.
 */
export function countPieces(polygon: readonly Xyz[], degree: number, most: number): number {
  if (degree === 1) return 1
  let angle = 0
  let before: Xyz | undefined
  for (let i = 1; i < polygon.length; i++) {
    const leg = subtract(polygon[i]!, polygon[i - 1]!)
    if (length(leg) === 0) continue
    if (before) angle += Math.atan2(length(cross(before, leg)), dot(before, leg))
    before = leg
  }
  return Math.min(Math.max(Math.ceil(angle / most - ROUNDING), 1), MAX_PIECES)
}

/** The most pieces of an arc. One turn has 48, and an arc of very many turns looks the same with fewer. */
const MAX_ARC_PIECES = 4096

/** Returns the number of pieces for a circular arc of this angle, in radians. */
export const countArcPieces = (angle: number, most: number): number =>
  Math.min(Math.max(Math.ceil(Math.abs(angle) / most - ROUNDING), 1), MAX_ARC_PIECES)
