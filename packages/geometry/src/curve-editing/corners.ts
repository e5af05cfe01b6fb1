import { checkpoint } from '../budget/budget.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import { getLength } from '../curves/length.ts'
import { listPieces, type Piece } from '../curves/pieces.ts'
import { createPolyCurve, findSubCurve, withDomain } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { findVertices } from '../curves/vertices.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { type Arc, arc, line, polyline } from '../values/curves.ts'
import { findPlaneFromAxes } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { addScaled, areEqual, distance, dot, findUnit, subtract } from '../values/vector.ts'

/**
 * Rounds the corners of a polyline with arcs of a radius, or with arcs that begin at a distance from the corners, or
 * with the largest arc that fits within half of the adjacent sides. A closed result starts with the arc of its first corner.
 * Source: what Grasshopper's Fillet returns, as pyhopper (github.com/ezzahiranass/pyhopper) describes it.
 */
export function roundCorners(
  vertices: readonly Xyz[],
  size: number,
  of: 'radius' | 'distance' = 'radius',
): Curve {
  const [first, last] = [vertices[0] as Xyz, vertices.at(-1) as Xyz]
  const isClosed = areEqual(first, last, 1e-9)
  const count = vertices.length - 1
  const corners = isClosed ? vertices.slice(0, -1) : vertices
  const arcs = corners.map((corner, i) => {
    if (!isClosed && (i === 0 || i === count)) return undefined
    const [before, after] = [vertices[i === 0 ? count - 1 : i - 1] as Xyz, vertices[i + 1] as Xyz]
    const factors = isClosed ? [0.5, 0.5] : [i === 1 ? 1 : 0.5, i === count - 1 ? 1 : 0.5]
    return findCornerArc(before, corner, after, size, factors as [number, number], of)
  })
  const segments: Curve[] = []
  for (const [i, corner] of corners.entries()) {
    const own = arcs[i]
    if (own) segments.push(own)
    const nextIndex = i + 1 === corners.length ? 0 : i + 1
    if (!isClosed && nextIndex === 0) break
    const from = own ? getEnd(own) : corner
    const next = arcs[nextIndex]
    const to = next ? getStart(next) : (corners[nextIndex] as Xyz)
    if (!areEqual(from, to, 1e-9)) segments.push(line(from, to))
  }
  return arcs.some((own) => own) ? createPolyCurve(segments) : polyline(vertices)
}

/**
 * A polyline with one corner rounded: the vertex at the parameter closest to `parameter`, where the seam of a closed
 * polyline counts. Undefined where no corner turns, or the radius does not fit. The parts keep their domains, the arc
 * has its length; for another corner than the seam a closed curve then starts with the arc.
 * Source: what Grasshopper's older Fillet returns, in pyhopper (github.com/ezzahiranass/pyhopper).
 */
export function roundCornerAt(
  curve: Curve,
  parameter: number,
  radius: number,
): { curve: Curve; parameter: number } | undefined {
  const vertices = findVertices(curve) ?? []
  const pieces = listPieces(curve)
  const range = getCurveDomain(curve)
  const last = vertices.length - 1
  const isClosed = last > 2 && areEqual(vertices[0] as Xyz, vertices[last] as Xyz, 1e-9)
  let best: { index: number; at: number; own: Arc; gap: number } | undefined
  for (let i = isClosed ? 0 : 1; i < last; i++) {
    checkpoint()
    const [before, corner, after] = [vertices[i === 0 ? last - 1 : i - 1], vertices[i], vertices[i + 1]]
    const own = findCornerArc(before as Xyz, corner as Xyz, after as Xyz, radius, [1, 1])
    const at = pieces[i]?.start ?? range.start
    const gap = Math.min(Math.abs(at - parameter), i === 0 ? Math.abs(range.end - parameter) : Infinity)
    if (own && (!best || gap < best.gap)) best = { index: i, at, own, gap }
  }
  if (!best || best.own.radius < radius * (1 - 1e-9)) return undefined
  const { index, at, own } = best
  const [before, after] = [pieces[index === 0 ? pieces.length - 1 : index - 1], pieces[index]] as [
    Piece,
    Piece,
  ]
  const to = before.end - getShare(before, distance(vertices[index] as Xyz, getStart(own)))
  const from = after.start + getShare(after, distance(vertices[index] as Xyz, getEnd(own)))
  const head = findSubCurve(curve, range.start, to)
  const tail = findSubCurve(curve, from, range.end)
  if (!isClosed) return { curve: createPolyCurve([head, own, tail].filter(isPresent)), parameter: at }
  if (index === 0) {
    return { curve: createPolyCurve([findSubCurve(curve, from, to), own].filter(isPresent)), parameter: at }
  }
  const size = range.end - range.start
  const start = to + size
  const round = withDomain(own, domain(start, start + getLength(own)))
  return { curve: createPolyCurve([round, ...joinAcross(tail, head, size)]), parameter: at }
}

function getShare({ start, end, shape }: Piece, length: number): number {
  return ((end - start) * length) / getLength(shape)
}

function isPresent(curve: Curve | undefined): curve is Curve {
  return curve !== undefined
}

/** The rest of a closed polyline that begins and ends at the seam, as one curve across it. */
function joinAcross(tail: Curve | undefined, head: Curve | undefined, size: number): Curve[] {
  const parts = [tail, head && shift(head, size)].filter(isPresent).map(toNurbs)
  const [first, second] = parts
  if (!first || !second) return parts
  const points = [...first.points, ...second.points.slice(1)]
  return [{ ...first, points, knots: [...first.knots, ...second.knots.slice(1)] }]
}

function shift(curve: Curve, by: number): Curve {
  const { start, end } = getCurveDomain(curve)
  return withDomain(curve, domain(start + by, end + by))
}

/**
 * The arc tangent to both sides of a corner; undefined for collinear sides. `factors` are the fractions of the
 * sides that it may use.
 */
function findCornerArc(
  before: Xyz,
  corner: Xyz,
  after: Xyz,
  size: number,
  factors: [number, number],
  of: 'radius' | 'distance' = 'radius',
): Arc | undefined {
  const [arriving, leaving] = [findUnit(subtract(corner, before)), findUnit(subtract(after, corner))]
  if (!arriving || !leaving) return undefined
  const angle = Math.acos(Math.min(1, Math.max(-1, dot(arriving, leaving))))
  const inwards = findUnit(subtract(leaving, arriving))
  if (angle < 1e-9 || Math.PI - angle < 1e-9 || !inwards) return undefined
  const free = Math.min(factors[0] * distance(before, corner), factors[1] * distance(corner, after))
  const cut = Math.min(of === 'radius' ? size * Math.tan(angle / 2) : size, free)
  const fitting = cut / Math.tan(angle / 2)
  const centre = addScaled(corner, inwards, fitting / Math.cos(angle / 2))
  const level = findPlaneFromAxes(centre, subtract(addScaled(corner, arriving, -cut), centre), arriving)
  return level && arc(level, fitting, 0, angle)
}
