import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findPlaneFromNormal, pointAt, toLocal, WORLD_XY, xyPlane } from '../values/planes.ts'
import { cross, distance, dot, length, ORIGIN, subtract, X_AXIS, Z_AXIS } from '../values/vector.ts'
import {
  createMirroring,
  createProjection,
  createReorientation,
  createScaling,
  createTranslation,
  createUniformScaling,
  findProjectionAlong,
  findRotation,
} from './create.ts'
import { compose, findInverse, getDeterminant, IDENTITY, transformNormal, transformPoint } from './matrix.ts'
import { anyPlane, anyPoint, areNear } from './testing.ts'

const anyAngle = fc.double({ min: -10, max: 10, noNaN: true })
const anyFactor = fc.double({ min: 0.1, max: 10, noNaN: true })

test('given quarter turns, when matrices are made, then they are exact', () => {
  const turn = findRotation(ORIGIN, Z_AXIS, Math.PI / 2)
  assert.deepEqual(turn?.matrix, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
})

test('given an axis without length or an endless angle, when a rotation is created, then it is undefined', () => {
  assert.equal(findRotation(ORIGIN, ORIGIN, 1), undefined)
  assert.equal(findRotation(ORIGIN, X_AXIS, Infinity), undefined)
})

test('given any rotation, when it is done and undone, then all is as before, and lengths never changed', () => {
  fc.assert(
    fc.property(anyPlane, anyPoint, anyPoint, anyAngle, (plane, a, b, angle) => {
      const there = findRotation(plane.origin, plane.zAxis, angle) ?? assert.fail()
      const back = findRotation(plane.origin, plane.zAxis, -angle) ?? assert.fail()
      const [movedA, movedB] = [transformPoint(there, a), transformPoint(there, b)]
      assert.ok(areNear(transformPoint(back, movedA), a))
      assert.ok(Math.abs(distance(movedA, movedB) - distance(a, b)) < 1e-9)
    }),
  )
})

test('given any plane, when a point is mirrored in it, then the plane is half way, and twice is not at all', () => {
  fc.assert(
    fc.property(anyPlane, anyPoint, (plane, point) => {
      const mirrored = transformPoint(createMirroring(plane), point)
      const [before, after] = [toLocal(plane, point), toLocal(plane, mirrored)]
      assert.ok(areNear(after, { ...before, z: -before.z }))
      assert.ok(areNear(transformPoint(createMirroring(plane), mirrored), point))
    }),
  )
})

test('given any plane, when a point is projected on it, then only its height is lost', () => {
  fc.assert(
    fc.property(anyPlane, anyPoint, (plane, point) => {
      const projected = toLocal(plane, transformPoint(createProjection(plane), point))
      assert.ok(areNear(projected, { ...toLocal(plane, point), z: 0 }))
    }),
  )
})

test('given any plane and a direction, when a point is projected along it, then it is in the plane, moved that way', () => {
  fc.assert(
    fc.property(anyPlane, anyPoint, anyPoint, (plane, point, direction) => {
      const projection = findProjectionAlong(plane, direction)
      if (!projection) return assert.ok(Math.abs(dot(direction, plane.zAxis)) < 1e-9)
      fc.pre(Math.abs(dot(direction, plane.zAxis)) > 0.01 * length(direction))
      const projected = transformPoint(projection, point)
      assert.ok(Math.abs(toLocal(plane, projected).z) < 1e-9)
      assert.ok(length(cross(subtract(projected, point), direction)) < 1e-6)
    }),
  )
})

test('given any plane and factors, when space is scaled, then coordinates in the plane and volumes are', () => {
  fc.assert(
    fc.property(anyPlane, anyPoint, anyFactor, anyFactor, anyFactor, (plane, point, x, y, z) => {
      const scaling = createScaling(plane, x, y, z)
      const before = toLocal(plane, point)
      const after = toLocal(plane, transformPoint(scaling, point))
      assert.ok(areNear(after, { x: before.x * x, y: before.y * y, z: before.z * z }))
      assert.ok(Math.abs(getDeterminant(scaling) / (x * y * z) - 1) < 1e-9)
    }),
  )
})

test('given two planes, when space is brought from one into the other, then coordinates stay', () => {
  fc.assert(
    fc.property(anyPlane, anyPlane, anyPoint, (source, target, point) => {
      const moved = transformPoint(createReorientation(source, target), point)
      assert.ok(areNear(toLocal(target, moved), toLocal(source, point)))
    }),
  )
})

test('given any transform that flattens nothing, when it is undone, then all is as before', () => {
  fc.assert(
    fc.property(anyPlane, anyPlane, anyFactor, anyPoint, (plane, other, factor, point) => {
      const there = compose(createScaling(plane, factor, 1, -2), createReorientation(plane, other))
      const back = findInverse(there) ?? assert.fail()
      assert.ok(areNear(transformPoint(back, transformPoint(there, point)), point))
    }),
  )
})

test('given a projection, when it is to be undone, then that cannot be', () => {
  assert.equal(findInverse(createProjection(WORLD_XY)), undefined)
})

test('given transforms one after the other, when they are composed, then the first is done first', () => {
  const both = compose(createTranslation({ x: 1, y: 0, z: 0 }), createUniformScaling(ORIGIN, 3))
  assert.deepEqual(transformPoint(both, ORIGIN), { x: 3, y: 0, z: 0 })
  assert.deepEqual(compose(IDENTITY, both), both)
})

test('given a slope that is pressed flatter, when its normal is transformed, then it stays perpendicular to it', () => {
  const pressed = createScaling(xyPlane(ORIGIN), 1, 1, 0.5)
  const slope = findPlaneFromNormal(ORIGIN, { x: 1, y: 0, z: 1 }) ?? assert.fail()
  const normal = transformNormal(pressed, slope.zAxis)
  for (const point of [pointAt(slope, 1, 0), pointAt(slope, 0, 1)]) {
    const { x, y, z } = transformPoint(pressed, point)
    assert.ok(Math.abs(x * normal.x + y * normal.y + z * normal.z) < 1e-12)
  }
})
