import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findBounds } from './bounding-box.ts'
import { arc } from './curves.ts'
import { findPlaneFromNormal, pointAt, WORLD_XY } from './planes.ts'
import { vector } from './points.ts'

const TOLERANCE = 1e-9

test('given a quarter of a circle, when its box is asked for, then it ends where the arc does', () => {
  const bounds = findBounds(arc(WORLD_XY, 2, Math.PI / 4, (3 * Math.PI) / 4))
  const side = Math.SQRT1_2 * 2
  for (const [actual, expected] of [
    [bounds?.min.x, -side],
    [bounds?.max.x, side],
    [bounds?.min.y, side],
    [bounds?.max.y, 2],
  ] as const) {
    assert.ok(Math.abs((actual ?? Number.NaN) - expected) < TOLERANCE)
  }
})

test('given any arc in space, when its box is asked for, then it holds every point of it and touches it on each side', () => {
  const angle = fc.double({ min: -7, max: 7, noNaN: true })
  const part = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      part,
      part,
      part,
      angle,
      fc.double({ min: 0.1, max: 6, noNaN: true }),
      (x, y, z, start, rotation) => {
        const plane = findPlaneFromNormal({ x: 1, y: 2, z: 3 }, vector(x, y, z + 2))
        assert.ok(plane)
        const bounds = findBounds(arc(plane, 3, start, start + rotation))
        assert.ok(bounds)
        const steps = 2000
        const reached = {
          min: { x: Infinity, y: Infinity, z: Infinity },
          max: { x: -Infinity, y: -Infinity, z: -Infinity },
        }
        for (let i = 0; i <= steps; i++) {
          const at = start + (rotation * i) / steps
          const point = pointAt(plane, 3 * Math.cos(at), 3 * Math.sin(at))
          for (const axis of ['x', 'y', 'z'] as const) {
            reached.min[axis] = Math.min(reached.min[axis], point[axis])
            reached.max[axis] = Math.max(reached.max[axis], point[axis])
          }
        }
        for (const axis of ['x', 'y', 'z'] as const) {
          assert.ok(
            bounds.min[axis] <= reached.min[axis] + TOLERANCE && reached.min[axis] - bounds.min[axis] < 1e-4,
          )
          assert.ok(
            bounds.max[axis] >= reached.max[axis] - TOLERANCE && bounds.max[axis] - reached.max[axis] < 1e-4,
          )
        }
      },
    ),
    { numRuns: 50 },
  )
})
