import { getCurveDomain } from '../../values/curve-domain.ts'
import type { Arc, NurbsCurve } from '../../values/curves.ts'
import { findPlaneFromAxes, findPlaneFromNormal, toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { addScaled, cross, distance, dot, length, ORIGIN, subtract } from '../../values/vector.ts'
import { evaluatePiece, getLocalDomain, getPoint, getStart } from '../curves/evaluate.ts'
import { listSpans } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { integrateFinely } from '../surfaces/quadrature.ts'

/** Sample points of a curve: the ends of pieces and knot spans, and points between them. */
export function samplePoints(curve: Curve, perSpan = 8): Xyz[] {
  const points: Xyz[] = []
  for (const piece of listPieces(curve)) {
    for (const [start, end] of listSpans(piece)) {
      const steps = piece.shape.type === 'line' ? 1 : perSpan
      for (let i = 0; i < steps; i++) points.push(getPoint(curve, start + ((end - start) * i) / steps))
    }
  }
  points.push(getPoint(curve, getCurveDomain(curve).end))
  return points
}

/**
 * The plane of a closed curve, with the normal around which it runs counter-clockwise. Undefined if the curve
 * leaves the plane by more than the tolerance or has no area. A circle, arc or rectangle keeps its axes; for
 * other curves the x axis is the direction at the start.
 */
export function findRegionPlane(curve: Curve, tolerance: number): Plane | undefined {
  const points = samplePoints(curve)
  const [first] = points
  if (!first) return undefined
  let normal = { x: 0, y: 0, z: 0 }
  for (let i = 1; i + 1 < points.length; i++) {
    normal = addScaled(normal, cross(subtract(points[i]!, first), subtract(points[i + 1]!, first)), 0.5)
  }
  const own = 'plane' in curve ? curve.plane : undefined
  const plane = own && dot(own.zAxis, normal) > 0 ? own : findPlane(first, normal, points)
  if (!plane) return undefined
  return points.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance) ? plane : undefined
}

function findPlane(origin: Xyz, normal: Xyz, points: readonly Xyz[]): Plane | undefined {
  const size = points.reduce((widest, point) => Math.max(widest, distance(origin, point)), 0)
  if (length(normal) <= 1e-12 * size * size) return undefined
  const next = points.find((point) => distance(point, origin) > 1e-9 * size)
  const along = next && subtract(next, origin)
  return (
    (along && findPlaneFromAxes(origin, along, cross(normal, along))) ?? findPlaneFromNormal(origin, normal)
  )
}

/**
 * The area enclosed by planar curves and its moments, in coordinates of the plane. Positive for counter-
 * clockwise curves.
 */
export interface RegionMass {
  readonly area: number
  readonly momentX: number
  readonly momentY: number
}

/**
 * The area enclosed by planar curves, end to end in one or several loops, and its first moments. Exact for
 * straight curves, otherwise to 12 digits. Source: Green's theorem.
 */
export function integrateRegion(curves: readonly Curve[], plane: Plane): RegionMass {
  let [area, momentX, momentY] = [0, 0, 0]
  const pieces = curves.flatMap(listPieces)
  // Relative to a point of the curve, to keep precision far from the origin of the plane.
  const origin = curves[0] ? toLocal(plane, getStart(curves[0])) : ORIGIN
  const toXy = (point: Xyz) => {
    const { x, y } = toLocal(plane, point)
    return { x: x - origin.x, y: y - origin.y }
  }
  for (const { shape } of pieces) {
    const parts =
      shape.type === 'line'
        ? [integrateLine(toXy(shape.from), toXy(shape.to))]
        : integrateBent(shape, plane, toXy)
    for (const part of parts) {
      area += part.area
      momentX += part.momentX
      momentY += part.momentY
    }
  }
  return { area, momentX: momentX + area * origin.x, momentY: momentY + area * origin.y }
}

type Xy = Pick<Xyz, 'x' | 'y'>

/** The triangle between a line and the origin. */
function integrateLine(from: Xy, to: Xy): RegionMass {
  const area = (from.x * to.y - to.x * from.y) / 2
  return { area, momentX: (area * (from.x + to.x)) / 3, momentY: (area * (from.y + to.y)) / 3 }
}

/**
 * With this agreement of six and nine quadrature points, nine are accurate to the digits that the integral
 * needs.
 */
const CHECK = 1e-8

/** The region between a curve and the origin. */
function integrateBent(shape: Arc | NurbsCurve, plane: Plane, toXy: (point: Xyz) => Xy): RegionMass[] {
  const { start, end } = getLocalDomain(shape)
  return [...listSpans({ shape, start, end })].map(([from, to]) => {
    const [area = 0, momentX = 0, momentY = 0] = integrateFinely(
      3,
      from,
      to,
      (t) => {
        const [point, speed] = evaluatePiece({ shape, start, end }, t, 1, 'above') as [Xyz, Xyz]
        const { x, y } = toXy(point)
        const areaElement = (x * dot(speed, plane.yAxis) - y * dot(speed, plane.xAxis)) / 2
        return [areaElement, (2 / 3) * x * areaElement, (2 / 3) * y * areaElement]
      },
      CHECK,
    )
    return { area, momentX, momentY }
  })
}
