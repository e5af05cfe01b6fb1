import { toNurbs } from '../curves/to-nurbs.ts'
import { findVertices } from '../curves/vertices.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, Circle, PolyCurve, Rectangle } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, type Domain, domain, type Transform } from '../values/value.ts'
import { transformPoint } from './matrix.ts'
import { findFrame, preservesCircles, type TransformedFrame } from './transform-plane.ts'

/**
 * Transforms a curve. Circles, arcs and rectangles that lose their type become NURBS curves or polylines with
 * the same parameter. Undefined for a circle or arc that shrinks to a point.
 */
export function findTransformedCurve(curve: Curve, transform: Transform): Curve | undefined {
  const move = (point: Xyz) => transformPoint(transform, point)
  switch (curve.type) {
    case 'line':
      return { ...curve, from: move(curve.from), to: move(curve.to) }
    case 'polyline':
      return { ...curve, vertices: curve.vertices.map(move) }
    case 'nurbsCurve':
      return { ...curve, points: curve.points.map(move) }
    case 'polyCurve':
      return findTransformedPolyCurve(curve, transform)
    case 'rectangle':
      return transformRectangle(curve, transform)
    case 'circle':
    case 'arc':
      return findTransformedArc(curve, transform)
  }
}

function findTransformedArc(curve: Circle | Arc, transform: Transform): Curve | undefined {
  const frame = findFrame(curve.plane, transform)
  if (frame && preservesCircles(frame)) {
    const radius = curve.radius * frame.factors.x
    return radius > 0 ? { ...curve, plane: frame.plane, radius } : undefined
  }
  const nurbs = toNurbs(curve)
  const points = nurbs.points.map((point) => transformPoint(transform, point))
  const [first] = points
  const isNothing = first && points.every(({ x, y, z }) => x === first.x && y === first.y && z === first.z)
  return isNothing ? undefined : { ...nurbs, points }
}

function transformRectangle(rectangle: Rectangle, transform: Transform): Curve {
  const frame = findFrame(rectangle.plane, transform)
  if (frame?.isSquare) return { ...rectangle, plane: frame.plane, ...scaleSides(rectangle, frame) }
  const vertices = (findVertices(rectangle) ?? []).map((corner) => transformPoint(transform, corner))
  const { domain: range } = rectangle
  return { type: 'polyline', vertices, ...(range ? { domain: range } : {}) }
}

/** Scales the sides of a rectangle or box to a transformed plane. */
export function scaleSides({ x, y }: { x: Domain; y: Domain }, { factors }: TransformedFrame) {
  return { x: scaleSide(x, factors.x), y: scaleSide(y, factors.y) }
}

/** A negative factor reverses the domain, which stays ascending. */
export function scaleSide({ start, end }: Domain, factor: number): Domain {
  return factor < 0 ? domain(end * factor, start * factor) : domain(start * factor, end * factor)
}

/** Segments keep their parameters, regardless of their new length. */
function findTransformedPolyCurve(curve: PolyCurve, transform: Transform): PolyCurve | undefined {
  const segments: Curve[] = []
  for (const segment of curve.segments) {
    const moved = findTransformedCurve(segment, transform)
    if (!moved) return undefined
    segments.push(restoreDomain(moved, getCurveDomain(segment)))
  }
  return { ...curve, segments }
}

function restoreDomain(curve: Curve, range: Domain): Curve {
  const { start, end } = getCurveDomain(curve)
  return curve.type === 'nurbsCurve' || (start === range.start && end === range.end)
    ? curve
    : { ...curve, domain: range }
}
