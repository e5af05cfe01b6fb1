import { checkpoint } from '../budget/budget.ts'
import { findTangent, getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { listSpans } from '../curves/length.ts'
import { listPieces, type Piece } from '../curves/pieces.ts'
import { createPolyCurve } from '../curves/split.ts'
import { findVertices } from '../curves/vertices.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { type Arc, arc, type Line, line, type NurbsCurve, polyline } from '../values/curves.ts'
import { toLocal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual, cross, distance, dot, findUnit, length, subtract } from '../values/vector.ts'
import { getGapToSegment } from './polylines.ts'

/** Below this angle directions are equal, in radians. */
const SAME_DIRECTION = 1e-9

export interface SimplifiedCurve {
  readonly curve: Curve
  readonly isChanged: boolean
}

/**
 * A curve with fewer or simpler segments: vertices at which a polyline turns by at most the angle tolerance and that
 * are within the tolerance of the joined segment are removed, straight NURBS curves become lines, arcs of one circle
 * are joined. Undefined where Rhino's result depends on an order that is not published: where several such vertices
 * follow each other without being exactly straight, and where a NURBS curve could be taken for an arc.
 * Source: `Curve.Simplify` of RhinoCommon lists what it does; results of Grasshopper in pyhopper
 * (github.com/ezzahiranass/pyhopper), by which a bent NURBS curve counts as changed.
 */
export function simplifyCurve(
  curve: Curve,
  tolerance: number,
  angleTolerance: number,
): SimplifiedCurve | undefined {
  if (curve.type === 'line' || curve.type === 'circle' || curve.type === 'arc') {
    return { curve, isChanged: false }
  }
  const vertices = findVertices(curve)
  if (vertices) return simplifyVertices(curve, vertices, tolerance, angleTolerance)
  if (curve.type === 'nurbsCurve') return simplifyNurbs(curve, tolerance)
  return simplifySegments(curve, tolerance, angleTolerance)
}

function simplifyVertices(
  curve: Curve,
  vertices: readonly Xyz[],
  tolerance: number,
  angleTolerance: number,
): SimplifiedCurve | undefined {
  const distinct = vertices.filter((vertex, i) => i === 0 || !areEqual(vertices[i - 1] as Xyz, vertex))
  if (distinct.length < 2) return { curve, isChanged: false }
  const straight = distinct.filter((vertex, i) => {
    const [before, after] = [distinct[i - 1], distinct[i + 1]]
    return !before || !after || getTurn(before, vertex, after) > SAME_DIRECTION
  })
  const isWeak = straight.map((vertex, i) => {
    checkpoint()
    const [before, after] = [straight[i - 1], straight[i + 1]]
    if (!before || !after || getTurn(before, vertex, after) > angleTolerance) return false
    return getGapToSegment(vertex, before, after) <= tolerance
  })
  if (isWeak.some((weak, i) => weak && isWeak[i + 1])) return undefined
  const kept = straight.filter((_, i) => !isWeak[i])
  const [from, to] = kept
  if (kept.length === 2 && from && to) return { curve: line(from, to), isChanged: true }
  return kept.length === vertices.length
    ? { curve, isChanged: false }
    : { curve: polyline(kept), isChanged: true }
}

/** The angle by which a polyline turns at a vertex; zero if a side has no length. */
function getTurn(before: Xyz, vertex: Xyz, after: Xyz): number {
  return getAngle(subtract(vertex, before), subtract(after, vertex))
}

function getAngle(a: Xyz, b: Xyz): number {
  return Math.atan2(length(cross(a, b)), dot(a, b))
}

function simplifyNurbs(curve: NurbsCurve, tolerance: number): SimplifiedCurve | undefined {
  const isBent = !isStraight(curve, tolerance)
  if (isBent) return mayBeArc(curve, tolerance) || hasKinks(curve) ? undefined : { curve, isChanged: true }
  const points = curve.points
  const chord = subtract(getEnd(curve), getStart(curve))
  // A curve that turns back is on a line without being one.
  const isForward = points.every(
    (point, i) => i === 0 || dot(subtract(point, points[i - 1] as Xyz), chord) >= 0,
  )
  return isForward ? { curve: line(getStart(curve), getEnd(curve)), isChanged: true } : undefined
}

/** Whether all control points are on the line through the ends. */
function isStraight({ points }: NurbsCurve, tolerance: number): boolean {
  const [start, end] = [points[0] as Xyz, points.at(-1) as Xyz]
  const along = findUnit(subtract(end, start))
  return (
    along !== undefined && points.every((point) => length(cross(subtract(point, start), along)) <= tolerance)
  )
}

/** A knot of full multiplicity, at which Rhino splits. */
function hasKinks({ knots, degree }: NurbsCurve): boolean {
  const inner = knots.slice(degree, -degree)
  return inner.some((knot, i) => knot === inner[i + degree - 1])
}

/** Whether a circle passes sample points of a curve within the tolerance. */
function mayBeArc(curve: NurbsCurve, tolerance: number): boolean {
  const points = listPieces(curve).flatMap((piece) => {
    return [...listSpans(piece)].flatMap(([start, end]) =>
      [0, 0.25, 0.5, 0.75, 1].map((t) => getPoint(curve, start + (end - start) * t)),
    )
  })
  const at = (t: number) => points[Math.round((points.length - 1) * t)] as Xyz
  const circle = findCircle(at(0), at(1 / 3), at(2 / 3))
  if (!circle) return false
  return points.every((point) => {
    const offset = subtract(point, circle.centre)
    const height = dot(offset, circle.normal)
    const reach = Math.sqrt(Math.max(0, dot(offset, offset) - height * height))
    return Math.hypot(reach - circle.radius, height) <= tolerance
  })
}

function findCircle(a: Xyz, b: Xyz, c: Xyz): { centre: Xyz; radius: number; normal: Xyz } | undefined {
  const [ab, ac] = [subtract(b, a), subtract(c, a)]
  const axis = cross(ab, ac)
  const square = dot(axis, axis)
  const normal = findUnit(axis)
  if (!normal || square === 0) return undefined
  const [u, v] = [cross(axis, ab), cross(ac, axis)]
  const [p, q] = [dot(ac, ac) / (2 * square), dot(ab, ab) / (2 * square)]
  const offset = { x: u.x * p + v.x * q, y: u.y * p + v.y * q, z: u.z * p + v.z * q }
  return {
    centre: { x: a.x + offset.x, y: a.y + offset.y, z: a.z + offset.z },
    radius: length(offset),
    normal,
  }
}

type Segment = Line | Arc

/** Joins segments of a polycurve of lines and arcs. Undefined with a bent NURBS curve. */
function simplifySegments(
  curve: Curve,
  tolerance: number,
  angleTolerance: number,
): SimplifiedCurve | undefined {
  const pieces = listPieces(curve)
  const segments = pieces.map(({ shape }: Piece): Segment | undefined => {
    if (shape.type !== 'nurbsCurve') return shape
    const simple = simplifyNurbs(shape, tolerance)?.curve
    return simple?.type === 'line' ? simple : undefined
  })
  const joined: Segment[] = []
  for (const segment of segments) {
    checkpoint()
    const before = joined.at(-1)
    if (!segment) return undefined
    const united = before && join(before, segment, tolerance, angleTolerance)
    if (united === 'unclear') return undefined
    if (united) joined[joined.length - 1] = united
    else joined.push(segment)
  }
  const isChanged = joined.length < pieces.length || pieces.some(({ shape }) => shape.type === 'nurbsCurve')
  if (!isChanged) return { curve, isChanged }
  const [only] = joined
  return { curve: joined.length === 1 && only ? only : createPolyCurve(joined), isChanged }
}

/** One segment for two; undefined where they stay apart. */
function join(
  a: Segment,
  b: Segment,
  tolerance: number,
  angleTolerance: number,
): Segment | undefined | 'unclear' {
  const [arriving, leaving] = [
    findTangent(a, getCurveDomain(a).end, 'below'),
    findTangent(b, getCurveDomain(b).start),
  ]
  const turn = arriving && leaving ? getAngle(arriving, leaving) : 0
  if (turn > angleTolerance) return undefined
  // Rhino tunes the ends of segments that are nearly tangent.
  if (turn > 1e-6) return 'unclear'
  if (a.type === 'line' && b.type === 'line') {
    return getGapToSegment(a.to, a.from, b.to) <= tolerance ? line(a.from, b.to) : 'unclear'
  }
  if (a.type !== 'arc' || b.type !== 'arc') return undefined
  return joinArcs(a, b, tolerance)
}

function joinArcs(a: Arc, b: Arc, tolerance: number): Arc | undefined | 'unclear' {
  const gap = distance(a.plane.origin, b.plane.origin) + Math.abs(a.radius - b.radius)
  if (gap > tolerance) return undefined
  const isSame = gap <= 1e-9 * (1 + a.radius) && dot(a.plane.zAxis, b.plane.zAxis) > 1 - 1e-12
  const { x, y } = toLocal(a.plane, getStart(b))
  const turns = a.endAngle - Math.atan2(y, x)
  const isNext = Math.abs(turns - 2 * Math.PI * Math.round(turns / (2 * Math.PI))) * a.radius <= tolerance
  const size = a.endAngle - a.startAngle + b.endAngle - b.startAngle
  if (!isSame || !isNext || size > 2 * Math.PI) return 'unclear'
  return arc(a.plane, a.radius, a.startAngle, a.startAngle + size)
}
