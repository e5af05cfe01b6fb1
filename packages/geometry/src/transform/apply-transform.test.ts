import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toBrep } from '../breps/to-brep.ts'
import { getPoint } from '../curves/evaluate.ts'
import { findLooseBounds } from '../loose-bounds.ts'
import { findBounds } from '../values/bounding-box.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { arc, circle, line, polyline } from '../values/curves.ts'
import { triangle } from '../values/mesh.ts'
import { findPlaneFromAxes, toLocal, WORLD_XY, xyPlane } from '../values/planes.ts'
import { type Box, point } from '../values/points.ts'
import { type Curve, domain, type Geometry, type Transform } from '../values/value.ts'
import { ORIGIN, X_AXIS, Z_AXIS } from '../values/vector.ts'
import { applyTransform } from './apply-transform.ts'
import {
  createMirroring,
  createProjection,
  createReorientation,
  createScaling,
  createTranslation,
  createUniformScaling,
  findRotation,
} from './create.ts'
import { compose, findInverse, transformPoint } from './matrix.ts'
import { anyPlane, anyPoint, areNear } from './testing.ts'

const UPRIGHT = findPlaneFromAxes(ORIGIN, X_AXIS, Z_AXIS) ?? assert.fail()
const BOX: Box = { type: 'box', plane: WORLD_XY, x: domain(0, 1), y: domain(0, 2), z: domain(1, 3) }

const anyStraight: fc.Arbitrary<Curve> = fc.oneof(
  fc.tuple(anyPoint, anyPoint).map(([a, b]) => line(a, b)),
  fc.array(anyPoint, { minLength: 2, maxLength: 5 }).map(polyline),
  anyPlane.map((plane): Curve => ({ type: 'rectangle', plane, x: domain(-1, 4), y: domain(0, 2) })),
)
const anyArc = anyPlane.map((plane) => arc(plane, 2, -1, 4))
const anyCurve: fc.Arbitrary<Curve> = fc.oneof(
  anyStraight,
  anyArc,
  anyPlane.map((plane) => circle(plane, 3)),
  fc
    .tuple(anyArc, anyPoint)
    .map(([bend, location]): Curve => ({ type: 'polyCurve', segments: [bend, line(location, ORIGIN)] })),
)

const factor = fc.constantFrom(-2, -1, 0.5, 1, 3)
const anyTransform: fc.Arbitrary<Transform> = fc
  .tuple(anyPlane, factor, factor, factor, anyPoint)
  .map(([plane, x, y, z, move]) => compose(createScaling(plane, x, y, z), createTranslation(move)))
const anySimilarity: fc.Arbitrary<Transform> = fc
  .tuple(anyPlane, anyPlane, factor)
  .map(([mirror, target, size]) =>
    [
      createMirroring(mirror),
      createReorientation(WORLD_XY, target),
      createUniformScaling(ORIGIN, size),
    ].reduce(compose),
  )
const anyFraction = fc.double({ min: 0, max: 1, noNaN: true })

function at(curve: Curve, t: number) {
  const { start, end } = getCurveDomain(curve)
  return getPoint(curve, start + (end - start) * t)
}

test('given a straight curve and any transform, or any curve and a similarity, then its parameters stay', () => {
  const anyCase = fc.oneof(fc.tuple(anyStraight, anyTransform), fc.tuple(anyCurve, anySimilarity))
  fc.assert(
    fc.property(anyCase, anyFraction, ([curve, transform], t) => {
      const moved = applyTransform(curve, transform) as Curve
      assert.ok(areNear(at(moved, t), transformPoint(transform, at(curve, t))))
    }),
  )
})

test('given an arc and any transform, when it is applied and undone point by index, then all lie on the arc', () => {
  fc.assert(
    fc.property(anyArc, anyTransform, anyFraction, (bend, transform, t) => {
      const moved = applyTransform(bend, transform) as Curve
      const back = findInverse(transform) ?? assert.fail()
      const { x, y, z } = toLocal(bend.plane, transformPoint(back, at(moved, t)))
      assert.ok(Math.abs(Math.hypot(x, y) - bend.radius) < 1e-9 && Math.abs(z) < 1e-9)
      const angle = Math.atan2(y, x)
      assert.ok(angle > bend.startAngle - 1e-9 || angle + 2 * Math.PI < bend.endAngle + 1e-9)
      for (const end of [0, 1]) assert.ok(areNear(at(moved, end), transformPoint(transform, at(bend, end))))
    }),
  )
})

test('given a polycurve, when it is scaled, then its segments keep their parameters', () => {
  const curve: Curve = { type: 'polyCurve', segments: [line(ORIGIN, point(4, 0, 0)), arc(UPRIGHT, 2, 0, 2)] }
  const moved = applyTransform(curve, createUniformScaling(ORIGIN, 3)) as Curve
  assert.deepEqual(getCurveDomain(moved), domain(0, 8))
  assert.ok(areNear(getPoint(moved, 2), { x: 6, y: 0, z: 0 }))
  assert.ok(areNear(getPoint(moved, 4), { x: 6, y: 0, z: 0 }))
})

test('given a circle, when it is scaled along one of its axes, then every point lies on the ellipse', () => {
  const ellipse = applyTransform(circle(WORLD_XY, 2), createScaling(WORLD_XY, 1, 3, 1)) as Curve
  assert.equal(ellipse.type, 'nurbsCurve')
  const { start, end } = getCurveDomain(ellipse)
  for (let i = 0; i <= 20; i++) {
    const { x, y } = getPoint(ellipse, start + ((end - start) * i) / 20)
    assert.ok(Math.abs((x / 2) ** 2 + (y / 6) ** 2 - 1) < 1e-12)
  }
})

/** Cases in which a circle stays a circle, worked out by hand. */
for (const [name, transform, radius] of [
  ['turned', findRotation(ORIGIN, X_AXIS, 1) ?? assert.fail(), 2],
  ['mirrored', createMirroring(UPRIGHT), 2],
  ['scaled', createUniformScaling(ORIGIN, -3), 6],
  ['scaled along its normal', createScaling(WORLD_XY, 1, 1, 7), 2],
  ['scaled in its plane', createScaling(WORLD_XY, 4, 4, 1), 8],
] as const) {
  test(`given a circle, when it is ${name}, then it is a circle still`, () => {
    const moved = applyTransform(circle(WORLD_XY, 2), transform)
    assert.ok(moved?.type === 'circle')
    assert.ok(Math.abs(moved.radius - radius) < 1e-12)
  })
}

test('given what would shrink to nothing, when it is scaled by zero, then it has no form', () => {
  const shapes: Geometry[] = [circle(WORLD_XY, 2), arc(WORLD_XY, 2, 0, 1), WORLD_XY]
  const nothing = createUniformScaling(ORIGIN, 0)
  for (const shape of [...shapes, { type: 'group', members: shapes } as const]) {
    assert.equal(applyTransform(shape, nothing), undefined)
  }
  assert.equal(applyTransform(xyPlane(ORIGIN), createProjection(UPRIGHT)), undefined)
})

test('given a box, when it is mirrored, then it is a box whose sides run upwards', () => {
  const mirrored = applyTransform(BOX, createMirroring(UPRIGHT)) as Box
  assert.equal(mirrored.type, 'box')
  for (const { start, end } of [mirrored.x, mirrored.y, mirrored.z]) assert.ok(start < end)
  assert.deepEqual(findBounds(mirrored), { min: { x: 0, y: -2, z: 1 }, max: { x: 1, y: 0, z: 3 } })
})

test('given a box and a rectangle, when they are scaled along a slope, then a brep and a polyline are the result', () => {
  const slope = findPlaneFromAxes(ORIGIN, { x: 1, y: 1, z: 1 }, Z_AXIS) ?? assert.fail()
  const scaling = createScaling(slope, 2, 1, 1)
  assert.equal(applyTransform(BOX, scaling)?.type, 'brep')
  const rectangle: Curve = { type: 'rectangle', plane: WORLD_XY, x: domain(0, 1), y: domain(0, 1) }
  assert.equal(applyTransform(rectangle, scaling)?.type, 'polyline')
})

test('given a solid, when it is mirrored, then its faces still look outwards; an open one keeps its sides', () => {
  const solid = toBrep(BOX) ?? assert.fail()
  const open = { ...solid, faces: solid.faces.slice(1) }
  const mirroring = createMirroring(UPRIGHT)
  for (const [brep, expected] of [
    [solid, true],
    [open, false],
  ] as const) {
    const mirrored = applyTransform(brep, mirroring)
    assert.ok(mirrored?.type === 'brep')
    for (const { isReversed } of mirrored.faces) assert.equal(isReversed, expected)
  }
})

test('given a mesh, when it is mirrored, then its normals stay where its faces run counter-clockwise', () => {
  // ON_Mesh::Transform: normals go with the transposed inverse and are turned over where it mirrors.
  const vertices = [ORIGIN, { x: 1, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }]
  const mesh: Geometry = {
    type: 'mesh',
    vertices,
    faces: [triangle(0, 1, 2)],
    normals: [Z_AXIS, Z_AXIS, Z_AXIS],
  }
  const mirrored = applyTransform(mesh, createMirroring(UPRIGHT))
  assert.ok(mirrored?.type === 'mesh' && mirrored.normals?.[0])
  assert.ok(areNear(mirrored.normals[0], { x: 0, y: 0, z: -1 }))
  const flat = applyTransform(mesh, createProjection(UPRIGHT))
  assert.ok(flat?.type === 'mesh' && flat.normals === undefined)
})

test('given any geometry, when it is moved, then its box is', () => {
  const move = createTranslation({ x: 1, y: 2, z: 3 })
  const shapes: Geometry[] = [BOX, toBrep(BOX) ?? assert.fail(), point(1, 1, 1), circle(UPRIGHT, 2), WORLD_XY]
  for (const shape of [...shapes, { type: 'group', members: shapes } as const]) {
    const [before, moved] = [findLooseBounds(shape), applyTransform(shape, move)]
    const after = moved && findLooseBounds(moved)
    assert.ok(before && after)
    assert.ok(areNear(after.min, transformPoint(move, before.min)))
    assert.ok(areNear(after.max, transformPoint(move, before.max)))
  }
})
