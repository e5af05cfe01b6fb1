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

/** Places along a curve: enough to tell what it is like. Ends of pieces and of knot spans, and places between. */
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
 * The plane in which a closed curve lies, its normal so that the curve runs counter-clockwise about it; undefined
 * for one that leaves every plane by more than the tolerance, or has no area. A circle, arc or rectangle keeps its
 * axes, another curve has its x axis along its first direction.
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

/** What lies inside of curves of a plane, in the plane's coordinates. Counter-clockwise the area is more than 0. */
export interface RegionMass {
  readonly area: number
  readonly momentX: number
  readonly momentY: number
}

/**
 * The area that curves of a plane run around, end to end in one or several loops, and its first moments. Exact for
 * straight curves, else to 12 digits. Source: Green's theorem.
 */
export function integrateRegion(curves: readonly Curve[], plane: Plane): RegionMass {
  let [area, momentX, momentY] = [0, 0, 0]
  const pieces = curves.flatMap(listPieces)
  // Measured from a place on the curve, so that nothing is lost far from the plane's origin.
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

/** Where six points are this near, nine have about 12 digits. */
const CHECK = 1e-8

/** The parts between a curve's knots and the origin. */
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
        const sweep = (x * dot(speed, plane.yAxis) - y * dot(speed, plane.xAxis)) / 2
        return [sweep, (2 / 3) * x * sweep, (2 / 3) * y * sweep]
      },
      CHECK,
    )
    return { area, momentX, momentY }
  })
}
