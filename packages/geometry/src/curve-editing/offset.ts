import { checkpoint } from '../budget/budget.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import { sampleCurve } from '../curves/sample-curve.ts'
import { createPolyCurve, isClosed, listSegments } from '../curves/split.ts'
import { findVertices } from '../curves/vertices.ts'
import { arc, circle, line, polyline } from '../values/curves.ts'
import { pointAt, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual, dot } from '../values/vector.ts'
import { offsetNurbs } from './offset-nurbs.ts'

/**
 * Offsets a planar curve, for a positive distance to the right of its direction as seen against the plane
 * normal. Corners stay sharp. NURBS curves are offset within the tolerance. Undefined where pieces vanish, and where the
 * result intersects itself.
 */
export function findOffset(curve: Curve, by: number, plane: Plane, tolerance: number): Curve | undefined {
  const offset = offsetPieces(curve, by, plane, tolerance)
  if (offset?.type !== 'nurbsCurve' && offset?.type !== 'polyCurve') return offset
  const samples = sampleCurve(offset).map((point): Uv => {
    const { x, y } = toLocal(plane, point)
    return { u: x, v: y }
  })
  return crossesItself(samples, isClosed(offset, tolerance), true) ? undefined : offset
}

function offsetPieces(curve: Curve, by: number, plane: Plane, tolerance: number): Curve | undefined {
  const vertices = findVertices(curve)
  if (vertices) return offsetPolyline(vertices, by, plane, curve.type === 'line')
  switch (curve.type) {
    case 'circle':
    case 'arc': {
      const radius = curve.radius + by * (dot(curve.plane.zAxis, plane.zAxis) > 0 ? 1 : -1)
      if (radius <= tolerance) return undefined
      if (curve.type === 'circle') return circle(curve.plane, radius)
      return arc(curve.plane, radius, curve.startAngle, curve.endAngle)
    }
    case 'polyCurve': {
      const segments = listSegments(curve).map((segment) => offsetPieces(segment, by, plane, tolerance))
      const isWhole = segments.every((segment, i) => {
        const next = segments[i + 1]
        return segment && (!next || areEqual(getEnd(segment), getStart(next), tolerance / 1000))
      })
      return isWhole ? createPolyCurve(segments.filter((segment) => segment !== undefined)) : undefined
    }
    case 'nurbsCurve':
      return offsetNurbs(curve, by, plane, tolerance)
    default:
      return undefined
  }
}

interface Uv {
  readonly u: number
  readonly v: number
}

interface Side {
  readonly at: Uv
  readonly direction: Uv
  readonly length: number
}

function offsetPolyline(
  vertices: readonly Xyz[],
  by: number,
  plane: Plane,
  isLine: boolean,
): Curve | undefined {
  const [first, last] = [vertices[0], vertices.at(-1)]
  if (!first || !last) return undefined
  const height = toLocal(plane, first).z
  const locations = withoutRepeats(
    vertices.map((vertex): Uv => {
      const { x, y } = toLocal(plane, vertex)
      return { u: x, v: y }
    }),
  )
  const sides = listSides(locations, by)
  if (sides.length === 0) return undefined
  const isClosed = locations.length > 2 && areEqual(first, last, 1e-9)
  const corners = sides.map((side, i) => {
    const before = sides[i === 0 ? sides.length - 1 : i - 1] as Side
    return i === 0 && !isClosed ? side.at : findCorner(before, side)
  })
  const end = isClosed ? corners[0] : findEnd(sides)
  const all = [...corners, end]
  if (all.some((corner) => corner === undefined)) return undefined
  const moved = all as Uv[]
  // A reversed side has vanished, and its neighbours would need trimming.
  const isSound = sides.every(({ direction }, i) => {
    const [a, b] = [moved[i] as Uv, moved[i + 1] as Uv]
    return (b.u - a.u) * direction.u + (b.v - a.v) * direction.v > 0
  })
  if (!isSound || crossesItself(moved, isClosed)) return undefined
  const points = moved.map(({ u, v }) => pointAt(plane, u, v, height))
  const [from, to] = points
  return isLine && from && to ? line(from, to) : polyline(points)
}

function withoutRepeats(points: readonly Uv[]): Uv[] {
  return points.filter(({ u, v }, i) => {
    const before = points[i - 1]
    return !before || Math.hypot(u - before.u, v - before.v) > 1e-12
  })
}

function listSides(points: readonly Uv[], by: number): Side[] {
  return points.slice(1).map((to, i) => {
    const from = points[i] as Uv
    const length = Math.hypot(to.u - from.u, to.v - from.v)
    const direction = { u: (to.u - from.u) / length, v: (to.v - from.v) / length }
    return { at: { u: from.u + direction.v * by, v: from.v - direction.u * by }, direction, length }
  })
}

/**
 * The intersection of two offset sides; for collinear sides the start of the second. Undefined where the
 * direction reverses.
 */
function findCorner(a: Side, b: Side): Uv | undefined {
  const angle = a.direction.u * b.direction.v - a.direction.v * b.direction.u
  const goesOn = a.direction.u * b.direction.u + a.direction.v * b.direction.v > 0
  if (Math.abs(angle) < 1e-12) return goesOn ? b.at : undefined
  const along = ((b.at.u - a.at.u) * b.direction.v - (b.at.v - a.at.v) * b.direction.u) / angle
  return { u: a.at.u + a.direction.u * along, v: a.at.v + a.direction.v * along }
}

function findEnd(sides: readonly Side[]): Uv {
  const { at, direction, length } = sides.at(-1) as Side
  return { u: at.u + direction.u * length, v: at.v + direction.v * length }
}

/**
 * Whether two sides cross, or touch unless they may. It compares all pairs of sides, which takes quadratic time.
 */
function crossesItself(points: readonly Uv[], isClosed: boolean, mayTouch = false): boolean {
  const most = mayTouch ? -1 : 0
  const last = points.length - 2
  for (let i = 0; i <= last; i++) {
    checkpoint(last - i)
    for (let j = i + 2; j <= last; j++) {
      if (isClosed && i === 0 && j === last) continue
      const [a, b, c, d] = [points[i], points[i + 1], points[j], points[j + 1]] as [Uv, Uv, Uv, Uv]
      if (findSide(a, b, c) * findSide(a, b, d) <= most && findSide(c, d, a) * findSide(c, d, b) <= most)
        return true
    }
  }
  return false
}

function findSide(a: Uv, b: Uv, c: Uv): number {
  return Math.sign((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u))
}
