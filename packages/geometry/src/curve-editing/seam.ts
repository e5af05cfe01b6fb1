import { listPieces } from '../curves/pieces.ts'
import { createFromPieces, isClosed, SAME, splitCurve, withDomain } from '../curves/split.ts'
import { findVertices } from '../curves/vertices.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { circle, polyline } from '../values/curves.ts'
import { plane } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { addScaled, scale } from '../values/vector.ts'

/**
 * Splits a curve at parameters. For a closed curve not split at its seam, the part across the seam comes last.
 * Without parameters the result is empty.
 */
export function shatterCurve(curve: Curve, parameters: readonly number[]): Curve[] {
  if (parameters.length === 0) return []
  const { start, end } = getCurveDomain(curve)
  const slack = SAME * (end - start)
  const isCutAtSeam = parameters.some((t) => Math.abs(t - start) <= slack || Math.abs(t - end) <= slack)
  const parts = splitCurve(curve, parameters)
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last || parts.length === 1 || isCutAtSeam || !isClosed(curve)) return parts
  return [...parts.slice(1, -1), appendAfter(last, first)]
}

/** A closed curve with its seam at another parameter; the domain is unchanged. */
export function moveSeam(curve: Curve, parameter: number): Curve {
  const { start, end } = getCurveDomain(curve)
  const turns = Math.floor((parameter - start) / (end - start))
  const t = parameter - turns * (end - start)
  if (curve.type === 'circle') {
    const turned = rotatePlane(curve.plane, (2 * Math.PI * (t - start)) / (end - start))
    return { ...circle(turned, curve.radius), domain: domain(start, end) }
  }
  const [before, after] = splitCurve(curve, [t])
  if (!before || !after) return curve
  const moved = appendAfter(after, before)
  const vertices = findVertices(moved)
  return vertices ? polyline(vertices) : withDomain(moved, domain(start, end))
}

function rotatePlane({ origin, xAxis, yAxis, zAxis }: Plane, angle: number): Plane {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const turned = addScaled(scale(xAxis, cos), yAxis, sin)
  return plane(origin, turned, addScaled(scale(yAxis, cos), xAxis, -sin), zAxis)
}

/** Appends a curve at the end of another; its parameters continue. */
function appendAfter(curve: Curve, next: Curve): Curve {
  const shift = getCurveDomain(curve).end - getCurveDomain(next).start
  const moved = listPieces(next).map((piece) => ({
    ...piece,
    start: piece.start + shift,
    end: piece.end + shift,
  }))
  return createFromPieces([...listPieces(curve), ...moved])
}
