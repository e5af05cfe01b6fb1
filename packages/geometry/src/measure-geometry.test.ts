import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBrep } from './breps/to-brep.ts'
import { measureGeometry } from './measure-geometry.ts'
import { createSphere } from './surfaces/revolve.ts'
import { circle } from './values/curves.ts'
import { triangle } from './values/mesh.ts'
import { WORLD_XY } from './values/planes.ts'
import { point } from './values/points.ts'
import { domain } from './values/value.ts'

const isNear = (actual: number | undefined, expected: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= 1e-9, `${actual} is not ${expected}`)

test('[G-5] given geometry, when it is measured, then lengths and areas are exact', () => {
  isNear(measureGeometry(circle(WORLD_XY, 5)), 10 * Math.PI)
  const box = { type: 'box', plane: WORLD_XY, x: domain(0, 2), y: domain(0, 3), z: domain(0, 4) } as const
  isNear(measureGeometry(toBrep(box)!), 52)
  isNear(measureGeometry(toBrep(createSphere(WORLD_XY, 2))!), 16 * Math.PI)
  const vertices = [point(0, 0, 0), point(1, 0, 0), point(0, 1, 0)]
  isNear(measureGeometry({ type: 'mesh', vertices, faces: [triangle(0, 1, 2)] }), 0.5)
  assert.equal(measureGeometry(point(1, 2, 3)), undefined)
})
