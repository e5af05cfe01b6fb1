import { findClosestPair } from '@meadow/geometry/curve-intersection/closest-pair'
import { findPlaneCrossings } from '@meadow/geometry/curve-intersection/intersect-plane'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { evaluate, findCurvature, findTangent, getPoint } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { findCurvePlane } from '@meadow/geometry/curves/planarity'
import { listSegments } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { circle, isCurve, line } from '@meadow/geometry/values/curves'
import {
  findPlaneAcross,
  findPlaneFromAxes,
  findPlaneFromNormal,
  pointAt,
  toLocal,
} from '@meadow/geometry/values/planes'
import { type Plane, toPoint, toVector, type Xyz } from '@meadow/geometry/values/points'
import { type Curve, type Domain, domain, type Geometry } from '@meadow/geometry/values/value'
import { addScaled, length, subtract, X_AXIS, Y_AXIS, Z_AXIS } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

/** Below this curvature a curve is straight, and its circle of curvature a line. */
const STRAIGHT = 1e-12
/** How far the line that stands for a circle of curvature reaches to each side. */
const LINE_REACH = 100
/** How near to the extreme height a point has to be, relative to the size of the curve: the first that finds one. */
const ROUNDING = [1e-10, 1e-8, 1e-6]

export const CURVE_PROPERTIES: readonly Kind[] = [
  defineKind({
    guid: 'aaa665bd-fd6e-4ccb-8d2c-c5b33072125d',
    description:
      'The point on a curve at a parameter, with the vector and the circle of its curvature; a line where it is straight.',
    solve: ([curve, t]) => {
      const at = getPoint(curve, t)
      const [tangent, curvature] = [findTangent(curve, t), findCurvature(curve, t)]
      if (!tangent || !curvature) return [toPoint(at)]
      const bend = length(curvature)
      if (bend <= STRAIGHT) {
        const ends = [-LINE_REACH, LINE_REACH].map((reach) => addScaled(at, tangent, reach)) as [Xyz, Xyz]
        return [toPoint(at), toVector(curvature), line(...ends)]
      }
      const centre = addScaled(at, curvature, 1 / bend ** 2)
      const plane = findPlaneFromAxes(centre, subtract(at, centre), tangent)
      return [toPoint(at), toVector(curvature), plane && circle(plane, 1 / bend)]
    },
  }),
  defineKind({
    guid: 'c2e16ca3-9508-4fa4-aeb3-0b1f0ebb72e3',
    description: 'The point on a curve at a parameter, and the first derivatives there.',
    solve: ([curve, t, count], context) => {
      if (count < 1 || count > 3) {
        if (count > 3) context.limit('Derivatives above the third are not supported')
        else context.error('The count must be 1 or more')
        return []
      }
      const [point, ...derivatives] = evaluate(curve, t, count) as [Xyz, ...Xyz[]]
      return [toPoint(point), derivatives.map(toVector)]
    },
  }),
  defineKind({
    guid: '5816ec9c-f170-4c59-ac44-364401ff84cd',
    description: 'Whether a curve lies in a plane, that plane, and how far the curve is from it.',
    solve: ([curve], context) => {
      const plane = findOwnPlane(curve, context)
      if (plane) return [true, plane, 0]
      context.limit('The plane that Rhino fits to a curve that is not planar is not published')
      return []
    },
  }),
  defineKind({
    guid: 'f88a6cd9-1035-4361-b896-4f2dfe79272d',
    description: 'The lengths of the shortest and of the longest segment of a curve, and their domains.',
    solve: ([curve], context) => {
      if (curve.type === 'nurbsCurve' && findKinks(curve).length > 0) {
        context.limit('The segments of a free curve with kinks are not published')
        return []
      }
      const segments = listParts(curve)
      const shortest = segments.reduce((least, one) => (one.size < least.size ? one : least))
      const longest = segments.reduce((most, one) => (one.size > most.size ? one : most))
      return [shortest.size, shortest.range, longest.size, longest.range]
    },
  }),
  defineKind({
    guid: 'e5c33a79-53d5-4f2b-9a97-d3d45c780edc',
    description: 'The plane of a rectangle, and its domains along the axes of the plane.',
    solve: ([{ plane, x, y }]) => [plane, x, y],
  }),
  defineKind({
    guid: 'ebd6c758-19ae-4d74-aed7-b8a0392ff743',
    description: 'The highest and the lowest point of a curve, as seen from a plane.',
    solve: ([curve, plane], context) => {
      const bounds = findTightBounds(curve, plane)
      if (!bounds) return []
      const find = (height: number) => findFirstAt(curve, plane, height, context)
      return [find(bounds.max.z), find(bounds.min.z)]
    },
  }),
  defineKind({
    guid: '748f214a-bc64-4556-9da5-4fa59a30c5c7',
    description: 'The geometry that is nearest to a curve, the last of several, with the closest points.',
    solve: ([curve, shapes], context) => {
      let best: (Gap & { index: number }) | undefined
      for (const [index, shape] of shapes.entries()) {
        if (!shape) continue
        const gap = findGap(curve, shape)
        if (!gap) {
          context.limit('The closest points of a curve and a surface or mesh are not supported')
          return []
        }
        if (!best || gap.distance <= best.distance + 1e-12) best = { ...gap, index }
      }
      if (best?.hasEqual) context.approximate('Other points are as close; Rhino may have chosen these')
      return best ? [toPoint(best.a), toPoint(best.b), best.index] : []
    },
  }),
]

/**
 * The plane of a planar curve: its own for an arc, a level or upright one through a line that is level or upright.
 * Source: results of Grasshopper's Planar in pyhopper (github.com/ezzahiranass/pyhopper), and `ON_Line::InPlane`.
 */
function findOwnPlane(curve: Curve, context: KindContext): Plane | undefined {
  if (curve.type === 'line') return findPlaneOfLine(curve.from, curve.to)
  const plane = findCurvePlane(curve, context.tolerance)
  const [first, second] = findVertices(curve) ?? []
  if (!plane || curve.type === 'circle' || curve.type === 'arc' || curve.type === 'rectangle') return plane
  if (curve.type !== 'polyline')
    context.approximate('Rhino may have turned the plane around its normal, or seen it from the other side')
  const along = first && second ? subtract(second, first) : plane.xAxis
  return findPlaneAcross(plane.origin, plane.zAxis, along) ?? plane
}

function findPlaneOfLine(from: Xyz, to: Xyz): Plane | undefined {
  const along = subtract(to, from)
  const [x, y, z] = [along.x, along.y, along.z].map((part) => Math.abs(part) <= 1e-12)
  if (z && !(x && y)) return findPlaneFromAxes(from, X_AXIS, Y_AXIS)
  if (x && !(y && z)) return findPlaneFromAxes(from, Y_AXIS, Z_AXIS)
  if (y && !(z && x)) return findPlaneFromAxes(from, Z_AXIS, X_AXIS)
  const square = findPlaneFromNormal(from, along)
  return square && findPlaneFromAxes(from, along, square.xAxis)
}

/** The segments of a polyline or of joined curves, each with its length and its domain in the whole; else the curve. */
function listParts(curve: Curve): readonly { size: number; range: Domain }[] {
  const whole = getCurveDomain(curve)
  const vertices = curve.type === 'polyCurve' ? undefined : findVertices(curve)
  if (curve.type !== 'polyCurve' && !vertices) return [{ size: getLength(curve), range: whole }]
  if (curve.type !== 'polyCurve' && vertices) {
    const step = (whole.end - whole.start) / (vertices.length - 1)
    return vertices.slice(1).map((to, i) => ({
      size: length(subtract(to, vertices[i] as Xyz)),
      range: domain(whole.start + i * step, whole.start + (i + 1) * step),
    }))
  }
  let start = whole.start
  return listSegments(curve as Curve & { type: 'polyCurve' }).map((segment) => {
    const own = getCurveDomain(segment)
    const range = domain(start, start + own.end - own.start)
    start = range.end
    return { size: getLength(segment), range }
  })
}

/** The first point of a curve at its largest or smallest height above a plane. */
function findFirstAt(curve: Curve, plane: Plane, height: number, context: KindContext) {
  const { points } = toNurbs(curve)
  const size = points.reduce((most, p) => Math.max(most, length(subtract(p, plane.origin))), 1)
  const level = { ...plane, origin: pointAt(plane, 0, 0, height) }
  const found = ROUNDING.map((slack) => findPlaneCrossings(curve, level, slack * size))
  const [first, ...others] = found.find(({ length }) => length > 0) ?? []
  const isLevel = points.every((p) => Math.abs(toLocal(level, p).z) <= Math.max(...ROUNDING) * size)
  if (first === undefined) context.limit('The height of this curve cannot be told from rounding')
  if (others.length > 0 || isLevel)
    context.approximate('Other points are as high, or as low; Rhino may have chosen these')
  return first === undefined ? undefined : toPoint(getPoint(curve, first))
}

interface Gap {
  readonly a: Xyz
  readonly b: Xyz
  readonly distance: number
  readonly hasEqual: boolean
}

/** The closest points of a curve and a point or curve; undefined for other geometry. */
function findGap(curve: Curve, shape: Geometry): Gap | undefined {
  if (isCurve(shape)) return findClosestPair(curve, shape)
  const closest = shape.type === 'point' ? findClosestPoint(curve, shape) : undefined
  return (
    closest && { a: closest.point, b: shape as Xyz & Geometry, distance: closest.distance, hasEqual: false }
  )
}
