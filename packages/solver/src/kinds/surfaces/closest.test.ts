import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circle, line } from '@meadow/geometry/values/curves'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { type Plane, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import { type InputData, run } from '../../testing/run.ts'

/*
 * Values for the dome: recorded results of Grasshopper 8 (github.com/ezzahiranass/pyhopper,
 * tests/golden/components, Brep Closest Point, Pull Point, Flip Surface, Plane Fit); for the others worked out by hand.
 */

const BREP_CLOSEST = '4beead95-8aa2-4613-8bb9-24758a0f5c4c'
const PULL = '902289da-28dc-454b-98d4-b8f8aa234516'
const FLIP = 'c3d1f2b8-8596-4e8d-8861-c28ba8ffb4f4'
const PLANE_FIT = '33bfc73c-19b2-480b-81e6-f3523a012ea6'

const xyz = (x: number, y: number, z: number): Xyz => ({ x, y, z })
const heights = [
  [0, 1, 0],
  [1, 3, 1],
  [0, 1, 0],
]
const DOME: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 2,
  degreeV: 2,
  points: heights.map((row, i) => row.map((z, j) => xyz(2 * j, 2 * i, z))),
  knotsU: [0, 0, 1, 1],
  knotsV: [0, 0, 1, 1],
}
const sheet = (z: number, isTurned = false): NurbsSurface => ({
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: [
    [xyz(0, 0, z), xyz(4, 0, z)],
    [xyz(0, 2, z), xyz(4, 2, z)],
  ][isTurned ? 'toReversed' : 'slice'](),
  knotsU: [0, 1],
  knotsV: [0, 1],
})
const XY: Plane = {
  type: 'plane',
  origin: xyz(0, 0, 0),
  xAxis: xyz(1, 0, 0),
  yAxis: xyz(0, 1, 0),
  zAxis: xyz(0, 0, 1),
}

/** The first value of each output, numbers to nine points. */
function firstOf(guid: string, ...inputs: InputData[]): unknown[] {
  const round = (value: unknown): unknown => {
    if (typeof value === 'number') return Math.round(value * 1e9) / 1e9 + 0
    if (typeof value !== 'object' || value === null || 'points' in value) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, round(member)]))
  }
  return run(guid, inputs).outputs.map((output) => round(Object.values(output)[0]?.[0] ?? null))
}

const near = (...numbers: number[]) =>
  numbers.map((number) => Math.round(number * 1e9) / 1e9) as [number, number, number]

test('Brep Closest Point: given a dome, then the point, the normal and the distance that were recorded', () => {
  const [location, , distance] = firstOf(BREP_CLOSEST, point(1, 3, 2), DOME)
  assert.deepEqual(location, point(...near(1.2543210852069535, 2.7456789147930465, 1.0463170021727661)))
  assert.equal(distance, near(1.0192495715507683)[0])
  assert.deepEqual(firstOf(BREP_CLOSEST, point(2, 2, -1), DOME)[0], point(2, 2, 1.25))
  assert.equal(firstOf(BREP_CLOSEST, point(2, 2, -1), DOME)[2], 2.25)
})

test('Brep Closest Point: given a point nearest to an edge or inside of a face, then the direction of the edge, or the outer normal', () => {
  const box: Value = { type: 'box', plane: XY, x: range(4), y: range(4), z: range(2) }
  assert.deepEqual(firstOf(BREP_CLOSEST, point(1, 1, 5), box), [point(1, 1, 2), vector(0, 0, 1), 3])
  assert.deepEqual(firstOf(BREP_CLOSEST, point(1, 1, 0.5), box), [point(1, 1, 0), vector(0, 0, -1), 0.5])
  const [location, direction, distance] = firstOf(BREP_CLOSEST, point(7, 2, 6), box) as [Xyz, Xyz, number]
  assert.deepEqual([location, Math.abs(direction.y), distance], [point(4, 2, 2), 1, 5])
})

test('Brep Closest Point: given a plate with a hole, then a point in the hole is not on it', () => {
  const outlines = [
    { type: 'rectangle', plane: XY, x: range(10), y: range(10) } as const,
    circle({ ...XY, origin: xyz(5, 5, 0) }, 2),
  ]
  const [plate] = Object.values(
    run('d51e9b65-aa4e-4fd6-976c-cef35d421d05', [outlines]).outputs[0] ?? {},
  ).flat()
  assert.deepEqual(firstOf(BREP_CLOSEST, point(6, 5, 0), plate ?? null)[0], point(7, 5, 0))
  assert.deepEqual(firstOf(BREP_CLOSEST, point(8, 5, 3), plate ?? null)[0], point(8, 5, 0))
})

test('Pull Point: given geometry of several sorts, then the nearest point of all, and on which it is', () => {
  const target = point(2, 3, 0)
  const floor = line(xyz(0, 0, 0), xyz(4, 0, 0))
  const circleCurve = circle(XY, 2)
  assert.deepEqual(firstOf(PULL, target, [floor, null, point(2, 2.5, 0), DOME]), [
    point(2, 2.5, 0),
    0.5,
    integer(2),
  ])
  assert.deepEqual(firstOf(PULL, point(3, 1, 0), circleCurve), [
    point(...near(1.8973665961010275, 0.6324555320336759, 0)),
    near(1.1622776601683793)[0],
    integer(0),
  ])
  assert.deepEqual(firstOf(PULL, point(2, 1, 0), [floor, line(xyz(0, 2, 0), xyz(4, 2, 0))])[2], integer(0))
  const mesh: Value = {
    type: 'mesh',
    vertices: [xyz(0, 0, 1), xyz(9, 0, 1), xyz(0, 9, 1)],
    faces: [{ type: 'meshFace', a: 0, b: 1, c: 2, d: 2 }],
  }
  assert.deepEqual(firstOf(PULL, target, mesh)[0], point(2, 3, 1))
  assert.match(run(PULL, [target, [null]]).messages.join(), /^error: /)
})

test('Flip: given no guide, then always; with one only where the surface looks against it', () => {
  const [flipped, isFlipped] = firstOf(FLIP, sheet(0), undefined) as [NurbsSurface, boolean]
  assert.equal(isFlipped, true)
  assert.deepEqual(flipped.points, [
    [xyz(0, 0, 0), xyz(0, 2, 0)],
    [xyz(4, 0, 0), xyz(4, 2, 0)],
  ])
  assert.deepEqual(firstOf(FLIP, sheet(0), sheet(5)), [sheet(0), false])
  assert.equal(firstOf(FLIP, sheet(0), sheet(5, true))[1], true)
})

test('Plane Fit: given points, then the plane that was recorded; on one line or too few, an error', () => {
  const fit = (...points: Xyz[]) =>
    firstOf(
      PLANE_FIT,
      points.map(({ x, y, z }) => point(x, y, z)),
    ) as [Plane, number]
  const [plane, deviation] = fit(xyz(0, 0, 0), xyz(5, 0, 0), xyz(0, 3, 0), xyz(5, 3, 0.2))
  assert.deepEqual(
    Object.values(plane.origin),
    near(0.0010003958800408473, 0.0016685116453876152, -0.04999981630081466),
  )
  assert.deepEqual(
    Object.values(plane.zAxis),
    near(-0.019992863232036404, -0.0333451244580621, 0.9992439082099333),
  )
  assert.deepEqual(Object.values(plane.xAxis), near(0, 0.9994436742786375, 0.033351790722793574))
  assert.equal(deviation, near(0.05003764935668749)[0])
  const [steep] = fit(xyz(0, 0, 0), xyz(0, 5, 0), xyz(0, 0, 3), xyz(0.1, 5, 3))
  assert.deepEqual(
    Object.values(steep.zAxis),
    near(-0.9998110775009579, 0.009999110308351817, 0.0166681462501052),
  )
  for (const locations of [
    [xyz(0, 0, 0), xyz(1, 0, 0), xyz(2, 0, 0)],
    [xyz(0, 0, 0), xyz(1, 0, 0)],
  ]) {
    assert.match(run(PLANE_FIT, [locations.map(({ x, y, z }) => point(x, y, z))]).messages.join(), /^error: /)
  }
})

function range(end: number) {
  return { type: 'domain', start: 0, end } as const
}
