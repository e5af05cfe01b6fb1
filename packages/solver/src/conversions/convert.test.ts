import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { findPlaneFromAxes, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { type Curve, colour, domain, integer, pathValue, type Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { convert } from './convert.ts'
import type { PortType } from './port-types.ts'

const ORIGIN = { x: 0, y: 0, z: 0 }
const at = (x: number, y: number, z = 0) => ({ x, y, z })

/** A value, the type of the port, and the converted value. */
type Case = readonly [value: Value, type: PortType, expected: unknown]

function assertConverts(cases: readonly Case[]): void {
  for (const [value, type, expected] of cases) {
    assert.deepEqual(convert(value, type), expected, `${JSON.stringify(value)} to ${type}`)
  }
}

test('[C-1] given numbers and truth values, when ports take them, then a half goes to the even whole number', () => {
  assertConverts([
    [0.5, 'integer', 0],
    [1.5, 'integer', 2],
    [2.5, 'integer', 2],
    [-0.5, 'integer', 0],
    [-1.5, 'integer', -2],
    [2 ** 31, 'integer', undefined],
    [Number.NaN, 'integer', undefined],
    [true, 'number', 1],
    [false, 'integer', 0],
    [0.1, 'boolean', true],
    [integer(0), 'boolean', false],
    [Number.NaN, 'boolean', undefined],
  ])
})

test('[C-2] given texts, when ports for numbers and truth values take them, then words and sums are read', () => {
  assertConverts([
    ['TRUE', 'boolean', true],
    [' false ', 'boolean', false],
    ['0', 'boolean', false],
    ['maybe', 'boolean', undefined],
    [' 12.50 ', 'number', 12.5],
    ['1e3', 'number', 1000],
    ['2*pi', 'number', 2 * Math.PI],
    ['0,0,650', 'number', 650],
    ['1,000', 'number', undefined],
    ['1,2,3', 'number', undefined],
    ['', 'number', undefined],
    ['12', 'integer', 12],
  ])
})

test('[C-3] given numbers, when ports for text take them, then they are written as .NET writes them', () => {
  assertConverts([
    [1, 'text', '1'],
    [128, 'text', '128'],
    [-3, 'text', '-3'],
    [-0, 'text', '0'],
    [0.27, 'text', '0.27'],
    [integer(1), 'text', '1'],
    [1 / 3, 'text', '0.3333333333333333'],
    [0.1 + 0.2, 'text', '0.30000000000000004'],
    [0.0001, 'text', '0.0001'],
    [0.00001, 'text', '1E-05'],
    [-1e-7, 'text', '-1E-07'],
    [999_999.5, 'text', '999999.5'],
    [1_000_000, 'text', '1000000'],
    [999_999_999_999_999, 'text', '999999999999999'],
    [1e15, 'text', '1E+15'],
    [123_456_789_012_345_680, 'text', '1.2345678901234568E+17'],
    [1e100, 'text', '1E+100'],
    [Number.NaN, 'text', 'NaN'],
    [-Infinity, 'text', '-∞'],
  ])
})

test('[C-3] given values with numbers as parts, when ports for text take them, then these have six decimals at most', () => {
  assertConverts([
    [false, 'text', 'False'],
    [point(128, 108, 1), 'text', '{128, 108, 1}'],
    [point(1, 0.5, -0), 'text', '{1, 0.5, 0}'],
    [vector(1 / 3, -1e-9, 100), 'text', '{0.333333, -1e-09, 100}'],
    [point(1e6, 12_345_678.9, -999_999.75), 'text', '{1e+06, 1.234568e+07, -999999.75}'],
    [domain(0, 1), 'text', '0 To 1'],
    [{ type: 'domain2', u: domain(0, 5), v: domain(0, 0.25) }, 'text', 'u:{0 To 5} v:{0 To 0.25}'],
    [circle(WORLD_XY, 4), 'text', 'Circle(R:4)'],
    [pathValue([0, 1]), 'text', '{0;1}'],
    [colour(255, 0, 10), 'text', '255,0,10'],
    [xyPlane(at(-0.809017, 0.587785, -0.001)), 'text', 'O(-0.81,0.59,0.00) Z(0.00,0.00,1.00)'],
  ])
})

test('[C-3] given freeform curves, when ports for text take them, then straight and planar ones say so', () => {
  const freeform = (...points: [number, number, number][]): Value => ({
    type: 'nurbsCurve',
    degree: 3,
    points: points.map(([x, y, z]) => ({ x, y, z })),
    knots: [0, 0, 0, 1, 1, 1],
  })
  const flat = freeform([0, 0, 1], [1, 2, 1], [3, 1, 1], [4, 5, 1])
  const bent = freeform([0, 0, 0], [1, 2, 0], [3, 1, 0], [4, 5, 0.001])
  assertConverts([
    [flat, 'text', 'Planar Curve'],
    [freeform([0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]), 'text', 'Line-like Curve'],
    [bent, 'text', 'NURBS curve of degree 3 with 4 control points'],
    [freeform([1e6, 1e6, 1e6], [1e6, 3e6, 1e6], [2e6, 3e6, 2e6], [2e6, 1e6, 2e6]), 'text', 'Planar Curve'],
  ])
  const joined = (...segments: Curve[]): Value => ({ type: 'polyCurve', segments })
  const up = line(point(0, 0, 1), point(5, 0, 1))
  assertConverts([
    [joined(up, flat as Curve), 'text', 'Planar Curve'],
    [joined(up, circle(xyPlane(point(0, 0, 1)), 3)), 'text', 'Planar Curve'],
    [joined(up, circle(xyPlane(point(0, 0, 2)), 3)), 'text', 'Polycurve of 2 segments'],
    [joined(up, line(point(5, 0, 1), point(9, 0, 1))), 'text', 'Line-like Curve'],
  ])
})

test('[C-4] given texts, when ports for points, colours, domains and paths take them, then they are read', () => {
  assertConverts([
    ['{1, 2, 3}', 'point', point(1, 2, 3)],
    ['1,2', 'point', point(1, 2, 0)],
    ['(1,2)', 'point', point(1, 2, 0)],
    ['1', 'point', undefined],
    ['1,2,3', 'vector', vector(1, 2, 3)],
    ['255,128,0', 'colour', colour(255, 128, 0)],
    ['10,255,128,0', 'colour', colour(255, 128, 0, 10)],
    ['#ff8000', 'colour', colour(255, 128, 0)],
    ['256,0,0', 'colour', undefined],
    ['0 to 10', 'domain', domain(0, 10)],
    ['0 to', 'domain', undefined],
    ['{0;3}', 'path', [0, 3]],
    ['{a}', 'path', undefined],
  ])
})

test('[C-5] given a number, when ports for domains and paths take it, then it is where they end', () => {
  assertConverts([
    [integer(4), 'domain', domain(0, 4)],
    [-1.5, 'domain', domain(0, -1.5)],
    ['10', 'domain', domain(0, 10)],
    [2, 'path', [2]],
    [pathValue([1]), 'path', [1]],
  ])
})

test('[C-6] given what has an index, when ports for points, vectors and planes take it, then they have its index', () => {
  assertConverts([
    [point(1, 2, 3), 'vector', vector(1, 2, 3)],
    [vector(1, 2, 3), 'point', point(1, 2, 3)],
    [xyPlane(at(1, 2, 3)), 'point', point(1, 2, 3)],
    [WORLD_XY, 'vector', vector(0, 0, 1)],
    [line(at(1, 1), at(3, 4)), 'vector', vector(2, 3, 0)],
    [point(1, 2, 3), 'plane', xyPlane(point(1, 2, 3))],
    [circle(xyPlane(at(5, 0)), 2), 'point', point(5, 0, 0)],
    [circle(WORLD_XY, 2), 'plane', WORLD_XY],
    [true, 'point', undefined],
  ])
})

test('[C-6] given a vector, when it becomes a plane, then that is parallel to XY at its location', () => {
  assertConverts([
    [vector(0, 0, 12.5), 'plane', xyPlane(point(0, 0, 12.5))],
    [vector(3, -4, 0), 'plane', xyPlane(point(3, -4, 0))],
    [vector(0, 0, 0), 'plane', xyPlane(point(0, 0, 0))],
  ])
})

test('[C-7] given curves that are simpler than they look, when ports take them, then they are', () => {
  const corners = [at(0, 0), at(4, 0), at(4, 3), at(0, 3), at(0, 0)]
  const rectangle = convert(polyline(corners), 'rectangle')
  assert.deepEqual([rectangle?.x, rectangle?.y], [domain(0, 4), domain(0, 3)])
  assert.equal(convert(polyline([at(0, 0), at(4, 0), at(5, 3), at(0, 3), at(0, 0)]), 'rectangle'), undefined)
  assert.deepEqual(convert(polyline([at(0, 0), at(1, 0)]), 'line'), line(at(0, 0), at(1, 0)))
  assert.equal(convert(polyline(corners), 'line'), undefined)
  assert.deepEqual(convert(arc(WORLD_XY, 1, 0, 2 * Math.PI), 'circle'), circle(WORLD_XY, 1))
  assert.equal(convert(arc(WORLD_XY, 1, 0, 3), 'circle'), undefined)
  assert.deepEqual(convert(circle(WORLD_XY, 1), 'arc'), arc(WORLD_XY, 1, 0, 2 * Math.PI))
})

test('[C-8] given a box, when it becomes a brep, then it has 8 vertices, 12 edges, 6 faces, and is closed', () => {
  const plane = findPlaneFromAxes(ORIGIN, at(1, 1), at(-1, 1))
  assert.ok(plane)
  fc.assert(
    fc.property(fc.double({ min: -9, max: 9, noNaN: true }), (end) => {
      fc.pre(Math.abs(end) > 1e-3)
      const brep = convert(
        { type: 'box', plane, x: domain(0, end), y: domain(0, 2), z: domain(1, 3) },
        'brep',
      )
      assert.deepEqual([brep?.vertices.length, brep?.edges.length, brep?.faces.length], [8, 12, 6])
      assert.ok(brep && isClosedBrep(brep))
    }),
  )
})

test('[C-9] given geometry, when a box port takes it, then it is the box around it', () => {
  const box = convert(circle(xyPlane(at(1, 1, 5)), 2), 'box')
  const close = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-12)
  close(box?.x.start, -1)
  close(box?.x.end, 3)
  close(box?.z.start, 5)
  assert.equal(convert(3, 'box'), undefined)
})

test('[C-10] given a colour, when a shader port takes it, then it is its diffuse colour, and as transparent', () => {
  const shader = convert(colour(10, 20, 30, 51), 'shader')
  assert.deepEqual(shader?.diffuse, colour(10, 20, 30, 51))
  assert.equal(shader?.transparency, 0.8)
  assert.deepEqual(shader && convert(shader, 'colour'), colour(10, 20, 30, 51))
  assert.equal(convert(3, 'shader'), undefined)
})

test('[C-11] given geometry, when a group port takes it, then it is a group of it alone', () => {
  const member = circle(WORLD_XY, 1)
  const group = convert(member, 'group')
  assert.deepEqual(group, { type: 'group', members: [member] })
  assert.equal(group && convert(group, 'group'), group)
  assert.equal(convert(3, 'group'), undefined)
})

test('[C-3] given any number, when it is made text and a number again, then it is the same', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.equal(convert(convert(number, 'text') ?? '', 'number'), number + 0)
    }),
  )
})
