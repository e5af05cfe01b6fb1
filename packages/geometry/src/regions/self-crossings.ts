import { type Crossing, findCrossings } from '../curve-intersection/intersect-curves.ts'
import { listDistinct } from '../curves/knots.ts'
import { listPieces } from '../curves/pieces.ts'
import { findSubCurve, isClosed } from '../curves/split.ts'
import { type Bounds, findBounds } from '../values/bounding-box.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Curve } from '../values/value.ts'
import { listClosePairs } from './pairs.ts'

/** A span of a NURBS curve is cut into this many parts for each degree, so that none of them crosses itself. */
const PARTS_PER_DEGREE = 4

/**
 * The points in which a curve crosses or touches itself, by the two parameters of each, the smaller one first. The ends of
 * a closed curve are not such a point. Undefined where parts of the curve lie on each other.
 */
export function findSelfCrossings(curve: Curve, tolerance: number): Crossing[] | undefined {
  const { start, end } = getCurveDomain(curve)
  const parts = listParts(curve)
  const boxes = parts.map((part) => findBounds(part) as Bounds)
  const slack = 1e-7 * (end - start)
  const closes = isClosed(curve, tolerance)
  const isJoint = ({ a, b }: Crossing) =>
    Math.abs(a - b) <= slack || (closes && Math.min(a, b) <= start + slack && Math.max(a, b) >= end - slack)
  const found: Crossing[] = []
  for (const [i, j] of listClosePairs(boxes, tolerance)) {
    const crossings = findCrossings(parts[i]!, parts[j]!, tolerance)
    if (!crossings) return undefined
    for (const crossing of crossings) if (!isJoint(crossing)) found.push(crossing)
  }
  const ordered = found.sort((one, other) => one.a - other.a || one.b - other.b)
  return ordered.filter(({ a, b }, i) => {
    const before = ordered[i - 1]
    return !before || Math.abs(a - before.a) > slack || Math.abs(b - before.b) > slack
  })
}

function listParts(curve: Curve): Curve[] {
  const cuts = listPieces(curve).flatMap(({ shape, start, end }) => {
    if (shape.type === 'line') return [start]
    if (shape.type === 'arc') return [start, (start + end) / 2]
    const knots = listDistinct(shape)
    const local = getCurveDomain(shape)
    const count = PARTS_PER_DEGREE * shape.degree
    return knots.slice(1).flatMap((to, i) =>
      Array.from({ length: count }, (_, part) => {
        const t = knots[i]! + ((to - knots[i]!) * part) / count
        return start + ((t - local.start) / (local.end - local.start)) * (end - start)
      }),
    )
  })
  return cuts.flatMap((from, i) => findSubCurve(curve, from, cuts[i + 1] ?? getCurveDomain(curve).end) ?? [])
}
