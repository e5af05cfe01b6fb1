import { isCurve, type Rectangle } from '../values/curves.ts'
import { findPlaneFromAxes, toLocal } from '../values/planes.ts'
import { domain, type Value } from '../values/value.ts'
import { areEqual, distance, dot, findUnit, subtract } from '../values/vector.ts'
import { findVertices } from './to-curve.ts'

const TOLERANCE = 1e-9

/** A rectangle, or a closed polyline of four corners that is one. */
export function toRectangle(value: Value): Rectangle | undefined {
  if (!isCurve(value)) return undefined
  if (value.type === 'rectangle') return value
  const [a, b, c, d, e] = findVertices(value) ?? []
  if (!a || !b || !c || !d || !e || !areEqual(a, e, TOLERANCE)) return undefined
  const plane = findPlaneFromAxes(a, subtract(b, a), subtract(d, a))
  const [side, other] = [findUnit(subtract(b, a)), findUnit(subtract(d, a))]
  if (!plane || !side || !other || Math.abs(dot(side, other)) > TOLERANCE) return undefined
  const corner = toLocal(plane, c)
  const size = { x: distance(a, b), y: distance(a, d) }
  const isClosed = areEqual(corner, { ...size, z: 0 }, TOLERANCE * (1 + size.x + size.y))
  return isClosed ? { type: 'rectangle', plane, x: domain(0, size.x), y: domain(0, size.y) } : undefined
}
