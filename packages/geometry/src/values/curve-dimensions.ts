import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from './points.ts'
import type { Curve } from './value.ts'
import { add, addScaled, cross, dot, findUnit, length, ORIGIN, subtract } from './vector.ts'

/** Points this close to each other, a line or a plane count as on it, relative to their size. */
const FLATNESS = 1e-9

/** What a curve spreads over: 0 for one place, 1 for a straight line, 2 for a plane, otherwise 3. */
export function countDimensions(curve: Curve): 0 | 1 | 2 | 3 {
  const points = listPlanePoints(curve)
  checkpoint(points.length)
  const [first = ORIGIN] = points
  const offsets = points.map((point) => subtract(point, first))
  const far = findLongest(offsets)
  const along = findUnit(far)
  if (!along) return 0
  const limit = FLATNESS * length(far)
  const across = findLongest(offsets.map((offset) => addScaled(offset, along, -dot(offset, along))))
  const aside = findUnit(across)
  if (!aside || length(across) <= limit) return 1
  const normal = cross(along, aside)
  return offsets.every((offset) => Math.abs(dot(offset, normal)) <= limit) ? 2 : 3
}

/** The ends of a straight curve that goes from one to the other without turning back. */
export function findStraightEnds(curve: Curve): readonly [from: Xyz, to: Xyz] | undefined {
  if (countDimensions(curve) !== 1) return undefined
  const points = listPlanePoints(curve)
  const [from, to] = [points[0], points.at(-1)]
  if (!from || !to) return undefined
  const along = subtract(to, from)
  const steps = points.slice(1).map((point, i) => dot(subtract(point, points[i] as Xyz), along))
  return dot(along, along) > 0 && steps.every((step) => step >= 0) ? [from, to] : undefined
}

/** Points that lie in a plane if and only if the curve does. */
function listPlanePoints(curve: Curve): readonly Xyz[] {
  checkpoint()
  switch (curve.type) {
    case 'line':
      return [curve.from, curve.to]
    case 'polyline':
      return curve.vertices
    case 'nurbsCurve':
      return curve.points
    case 'polyCurve':
      return curve.segments.flatMap(listPlanePoints)
    default: {
      const { origin } = curve.plane
      return [origin, add(origin, curve.plane.xAxis), add(origin, curve.plane.yAxis)]
    }
  }
}

function findLongest(vectors: readonly Xyz[]): Xyz {
  return vectors.reduce((longest, one) => (length(one) > length(longest) ? one : longest), ORIGIN)
}
