import { evaluatePiece, getPoint, getStart } from '../curves/evaluate.ts'
import { evaluateNurbs } from '../curves/evaluate-nurbs.ts'
import { listSpans } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { integrateFinely } from '../surfaces/quadrature.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, NurbsCurve } from '../values/curves.ts'
import { findPlaneFromAxes, findPlaneFromNormal, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { addScaled, cross, distance, dot, length, ORIGIN, subtract } from '../values/vector.ts'

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
 * lines, arcs and NURBS arcs, otherwise to 12 digits. Source: Green's theorem.
 */
export function integrateRegion(curves: readonly Curve[], plane: Plane): RegionMass {
  let [area, momentX, momentY] = [0, 0, 0]
  const pieces = curves.flatMap(listPieces)
  // Points are relative to one of the curve, to keep precision far from the origin of the plane.
  const origin = curves[0] ? toLocal(plane, getStart(curves[0])) : ORIGIN
  const toXy = (point: Xyz) => {
    const { x, y } = toLocal(plane, point)
    return { x: x - origin.x, y: y - origin.y }
  }
  for (const { shape } of pieces) {
    const parts =
      shape.type === 'line'
        ? [integrateLine(toXy(shape.from), toXy(shape.to))]
        : shape.type === 'arc'
          ? integrateArc(shape, plane, toXy)
          : (integrateConics(shape, toXy) ?? integrateBent(shape, plane, toXy))
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
 * The triangle between the chord of an arc and the origin, and the segment between chord and arc. The arc may be
 * tilted against the plane: its segment is then that of an ellipse, an affine image of a circle's.
 */
function integrateArc(arc: Arc, plane: Plane, toXy: (point: Xyz) => Xy): RegionMass[] {
  const { radius, startAngle, endAngle } = arc
  const along = (axis: Xyz) => ({ x: radius * dot(axis, plane.xAxis), y: radius * dot(axis, plane.yAxis) })
  const [a, b] = [along(arc.plane.xAxis), along(arc.plane.yAxis)]
  const centre = toXy(arc.plane.origin)
  const angle = endAngle - startAngle
  const middle = startAngle + angle / 2
  const factor = (a.x * b.y - a.y * b.x) / 2
  const area = factor * subtractSine(angle)
  const reach = (factor * 4 * Math.sin(angle / 2) ** 3) / 3
  const towards = (axis: 'x' | 'y') => a[axis] * Math.cos(middle) + b[axis] * Math.sin(middle)
  const [from, to] = [startAngle, endAngle].map((t) => toXy(evaluatePoint(arc, t)))
  return [
    integrateLine(from!, to!),
    {
      area,
      momentX: area * centre.x + reach * towards('x'),
      momentY: area * centre.y + reach * towards('y'),
    },
  ]
}

/** The smallest half angle for which the formula of a segment's centre keeps its digits. */
const LEAST_HALF_ANGLE = 0.02

/**
 * Integrates a NURBS curve that consists of lines and arcs of circles, ellipses or parabolas: for each, the triangle
 * between its chord and the origin, and the segment between chord and arc. Undefined for other curves.
 * Source: with end weights of 1, the middle weight is the cosine of half the angle of the circle's arc that the arc is
 * an affine image of (Piegl and Tiller, The NURBS Book, 7.3).
 */
function integrateConics(curve: NurbsCurve, toXy: (point: Xyz) => Xy): RegionMass[] | undefined {
  const { degree, points, weights, knots } = curve
  if (degree !== 2 || !weights || points.length % 2 === 0) return undefined
  // Each span has control points of its own where all knots are double.
  for (let i = 0; i < knots.length; i += 2) if (knots[i] !== knots[i + 1]) return undefined
  const masses: RegionMass[] = []
  for (let i = 0; i + 2 < points.length; i += 2) {
    const [first, second, third] = [weights[i]!, weights[i + 1]!, weights[i + 2]!]
    const cosine = second / Math.sqrt(first * third)
    const half = Math.abs(cosine - 1) < 1e-12 ? 0 : Math.acos(cosine)
    if (!(half === 0 || (half >= LEAST_HALF_ANGLE && half < Math.PI / 2))) return undefined
    const [from, apex, to] = [toXy(points[i]!), toXy(points[i + 1]!), toXy(points[i + 2]!)]
    masses.push(integrateLine(from, to), integrateSegment(from, apex, to, half))
  }
  return masses
}

/**
 * Integrates the segment of an ellipse (of a parabola if `half` is 0) whose tangents at the ends of the chord meet at
 * `apex`.
 */
function integrateSegment(from: Xy, apex: Xy, to: Xy, half: number): RegionMass {
  const triangle = ((apex.x - from.x) * (to.y - from.y) - (to.x - from.x) * (apex.y - from.y)) / 2
  const [sine, cosine] = [Math.sin(half), Math.cos(half)]
  // In a circle of radius 1 the segment has this area, and the triangle of chord and tangents `sine ** 3 / cosine`.
  const segment = subtractSine(2 * half) / 2
  const area = triangle * (half === 0 ? 2 / 3 : (segment * cosine) / sine ** 3)
  // The centre is at this share of the way from the middle of the chord to the apex.
  const share = half === 0 ? 1 / 5 : (((2 * sine ** 3) / (3 * segment) - cosine) * cosine) / sine ** 2
  const centre = (axis: 'x' | 'y') => {
    const middle = (from[axis] + to[axis]) / 2
    return middle + share * (apex[axis] - middle)
  }
  return { area, momentX: area * centre('x'), momentY: area * centre('y') }
}

const evaluatePoint = (arc: Arc, angle: number): Xyz =>
  evaluatePiece({ shape: arc, start: arc.startAngle, end: arc.endAngle }, angle, 0, 'above')[0] ?? ORIGIN

/** The angle without its sine, with all digits for small angles too. */
function subtractSine(angle: number): number {
  if (Math.abs(angle) > 0.5) return angle - Math.sin(angle)
  // The Taylor series, from its last term on.
  let sum = 0
  for (let n = 15; n >= 5; n -= 2) sum = (1 - sum) * ((angle * angle) / (n * (n - 1)))
  return ((1 - sum) * angle ** 3) / 6
}

/** If the results of six and nine quadrature points agree within this, nine are accurate enough for the integral. */
const CHECK = 1e-8

/** The region between a curve and the origin. */
function integrateBent(shape: NurbsCurve, plane: Plane, toXy: (point: Xyz) => Xy): RegionMass[] {
  const { start, end } = getCurveDomain(shape)
  return [...listSpans({ shape, start, end })].map(([from, to]) => {
    const [area = 0, momentX = 0, momentY = 0] = integrateFinely(
      3,
      from,
      to,
      (t) => {
        const [point, speed] = evaluateNurbs(shape, t, 1) as [Xyz, Xyz]
        const { x, y } = toXy(point)
        const areaElement = (x * dot(speed, plane.yAxis) - y * dot(speed, plane.xAxis)) / 2
        return [areaElement, (2 / 3) * x * areaElement, (2 / 3) * y * areaElement]
      },
      CHECK,
    )
    return { area, momentX, momentY }
  })
}
