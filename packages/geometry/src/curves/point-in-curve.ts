import { checkpoint } from '../budget/budget.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { evaluatePiece } from './evaluate.ts'
import { listSpans } from './length.ts'
import { listPieces, type Piece } from './pieces.ts'

/** The winding number of a closed planar curve around a point of the plane that is not on the curve. */
export function getWindingNumber(curve: Curve, plane: Plane, point: Xyz): number {
  let angle = 0
  for (const piece of listPieces(curve)) {
    for (const [from, to] of listSpans(piece)) angle += getSubtendedAngle(piece, plane, point, from, to, 40)
  }
  return Math.round(angle / (2 * Math.PI)) + 0
}

/** The angle subtended by a part of the curve, seen from the point. */
function getSubtendedAngle(
  piece: Piece,
  plane: Plane,
  point: Xyz,
  from: number,
  to: number,
  halvings: number,
): number {
  checkpoint()
  const [start, end] = [getPoint(piece, from), getPoint(piece, to)]
  if (halvings === 0 || isShort(piece, from, to, Math.max(distance(start, point), distance(end, point)))) {
    const [a, b] = [toLocal(plane, start), toLocal(plane, end)]
    const centre = toLocal(plane, point)
    const [ax, ay, bx, by] = [a.x - centre.x, a.y - centre.y, b.x - centre.x, b.y - centre.y]
    return Math.atan2(ax * by - ay * bx, ax * bx + ay * by)
  }
  const middle = (from + to) / 2
  return (
    getSubtendedAngle(piece, plane, point, from, middle, halvings - 1) +
    getSubtendedAngle(piece, plane, point, middle, to, halvings - 1)
  )
}

/** A part too short to go around the point subtends the angle between its ends. */
function isShort(piece: Piece, from: number, to: number, reach: number): boolean {
  if (piece.shape.type === 'line') return true
  const middle = getPoint(piece, (from + to) / 2)
  const chords = distance(getPoint(piece, from), middle) + distance(middle, getPoint(piece, to))
  return 2 * chords < reach
}

function getPoint(piece: Piece, t: number): Xyz {
  return evaluatePiece(piece, t, 0, t === piece.start ? 'above' : 'below')[0] as Xyz
}
