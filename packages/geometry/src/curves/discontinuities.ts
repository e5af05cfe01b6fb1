import { getCurveDomain } from '../values/curve-domain.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { cross, distance, dot, length, ORIGIN } from '../values/vector.ts'
import { findCurvature, findTangent } from './evaluate.ts'
import { getNurbsSpeed } from './evaluate-nurbs.ts'
import { listSpans } from './length.ts'
import { listPieces } from './pieces.ts'
import { isClosed } from './split.ts'

/** The smallest angle of a kink, in radians: one degree, as in openNURBS. */
const KINK_ANGLE = Math.PI / 180

/**
 * The discontinuous property: the direction (1), the curvature (2), or any derivative, as at every knot and vertex
 * (3).
 */
export type Level = 1 | 2 | 3

/**
 * The ends of an open curve and the inner parameters of its discontinuities; for a closed curve also its seam,
 * if it is a kink.
 */
export function findDiscontinuities(curve: Curve, level: Level): number[] {
  const { start, end } = getCurveDomain(curve)
  const inside = listSeams(curve).filter((t) => level === 3 || jumps(curve, t, level))
  if (!isClosed(curve)) return [start, ...inside, end]
  return getKinkAngle(curve, start) > KINK_ANGLE ? [start, ...inside] : inside
}

/** The inner parameters at which the direction of a curve is discontinuous. */
export function findKinks(curve: Curve): number[] {
  return listSeams(curve).filter((t) => !isSmooth(curve, t) && getKinkAngle(curve, t) > KINK_ANGLE)
}

/** Whether the direction does not jump, as the knots tell: at a single one, the derivative is continuous. */
function isSmooth(curve: Curve, t: number): boolean {
  if (curve.type !== 'nurbsCurve' || curve.degree < 2) return false
  const at = curve.knots.indexOf(t)
  if (at < 0 || curve.knots[at + 1] === t) return false
  return getNurbsSpeed(curve, t) > LEAST_SPEED
}

/** If the first derivative at a knot is shorter than this, the direction may jump there. */
const LEAST_SPEED = 1e-6

/** The angle between the directions before and after a parameter; at the ends of a closed curve, the one of its seam. */
export function getKinkAngle(curve: Curve, t: number): number {
  const { start, end } = getCurveDomain(curve)
  const isSeam = (t === start || t === end) && isClosed(curve)
  const [arriving, leaving] = isSeam
    ? [findTangent(curve, end, 'below'), findTangent(curve, start, 'above')]
    : [findTangent(curve, t, 'below'), findTangent(curve, t, 'above')]
  return arriving && leaving ? getAngle(arriving, leaving) : 0
}

/** The inner parameters at which pieces or knot spans meet. */
function listSeams(curve: Curve): number[] {
  return listPieces(curve)
    .flatMap((piece) => [...listSpans(piece)].map(([start]) => start))
    .slice(1)
}

function jumps(curve: Curve, t: number, level: 1 | 2): boolean {
  if (getKinkAngle(curve, t) > KINK_ANGLE) return true
  if (level === 1) return false
  const [before, after] = [findCurvature(curve, t, 'below') ?? ORIGIN, findCurvature(curve, t) ?? ORIGIN]
  return distance(before, after) > 1e-8 * (1 + length(before) + length(after))
}

function getAngle(a: Xyz, b: Xyz): number {
  return Math.atan2(length(cross(a, b)), dot(a, b))
}
