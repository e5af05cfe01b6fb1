import { checkpoint } from '../budget/budget.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { add, addScaled, areEqual, cross, dot, findUnit, subtract } from '../values/vector.ts'

/**
 * Moves the sides of a control polygon by a distance, for a positive one to the right as seen against the normal, and
 * its control points to where they meet: inner ones by the distance divided by the cosine of half the turn.
 * Source: results of Grasshopper's Offset Curve Loose in pyhopper (github.com/ezzahiranass/pyhopper).
 */
export function offsetControlPoints(curve: NurbsCurve, by: number, normal: Xyz): NurbsCurve {
  const { points } = curve
  const last = points.length - 1
  const isClosed = last > 1 && areEqual(points[0] as Xyz, points[last] as Xyz, 1e-9)
  const moved = points.map((point, i): Xyz => {
    checkpoint()
    const before = i > 0 ? points[i - 1] : isClosed ? points[last - 1] : undefined
    const after = i < last ? points[i + 1] : isClosed ? points[1] : undefined
    return movePoint(point, before, after, by, normal)
  })
  return { ...curve, points: moved }
}

function movePoint(
  point: Xyz,
  before: Xyz | undefined,
  after: Xyz | undefined,
  by: number,
  normal: Xyz,
): Xyz {
  const arriving = before && findUnit(subtract(point, before))
  const leaving = after && findUnit(subtract(after, point))
  const along = arriving && leaving ? add(arriving, leaving) : (arriving ?? leaving)
  const sideways = along && findUnit(cross(along, normal))
  if (!sideways) return point
  const halfTurn = arriving && leaving ? Math.sqrt(Math.max(0, (1 + dot(arriving, leaving)) / 2)) : 1
  const { x, y, z } = addScaled(point, sideways, halfTurn > 1e-9 ? by / halfTurn : by)
  return { x, y, z }
}
