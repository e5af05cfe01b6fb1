import fc from 'fast-check'
import { findPlaneFromAxes } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { distance } from '../values/vector.ts'

const coordinate = fc.integer({ min: -100, max: 100 }).map((number) => number / 8)

export const anyPoint: fc.Arbitrary<Xyz> = fc.record({ x: coordinate, y: coordinate, z: coordinate })

export const anyPlane: fc.Arbitrary<Plane> = fc
  .tuple(anyPoint, anyPoint, anyPoint)
  .map(([origin, x, y]) => findPlaneFromAxes(origin, x, y))
  .filter((plane) => plane !== undefined)

export function areNear(a: Xyz, b: Xyz): boolean {
  return distance(a, b) < 1e-9 * (1 + Math.hypot(a.x, a.y, a.z))
}
