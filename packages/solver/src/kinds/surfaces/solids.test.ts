import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBrepArea, getBrepVolume } from '@meadow/geometry/breps/brep-mass'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import type { Brep } from '@meadow/geometry/values/brep'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Box, point, type Xyz } from '@meadow/geometry/values/points'
import { domain, integer } from '@meadow/geometry/values/value'
import { type RunSettings, run } from '../../testing/run.ts'

const DIFFERENCE = 'fab11c30-2d9c-4d15-ab3c-2289f1ae5c21'
const UNION = '10434a15-da85-4281-bb64-a2b3a995b9c6'
const INTERSECTION = '5723c845-cafc-442d-a667-8c76532845e6'
const TRIM = 'f0b70e8e-7337-4ce4-a7bb-317fc971f918'
const SWEEP = 'bb6666e7-d0f4-41ec-a257-df2371619f13'

const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const box = (at: Xyz, x: number, y: number, z: number): Box => ({
  type: 'box',
  plane: xyPlane(at),
  x: domain(0, x),
  y: domain(0, y),
  z: domain(0, z),
})

function get(guid: string, inputs: Parameters<typeof run>[1], settings?: RunSettings) {
  const { outputs, messages } = run(guid, inputs, settings)
  return { breps: Object.values(outputs[0] ?? {}).flat() as Brep[], messages }
}

const near = (actual: number | undefined, expected: number) =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-7, `${actual} is not ${expected}`)
const ORDER = 'remark: Results and their faces can be in another order than in Rhino'

test('Solid Difference, Union and Intersection: given boxes, then their volumes, and a remark on the form', () => {
  const [one, other] = [box(p(0, 0), 4, 4, 4), box(p(2, 2, 2), 4, 4, 4)]
  for (const [guid, inputs, volume] of [
    [DIFFERENCE, [[one], [other]], 56],
    [UNION, [[one, null, other]], 120],
    [INTERSECTION, [[one], [other]], 8],
  ] as const) {
    const { breps, messages } = get(guid, inputs)
    assert.equal(breps.length, 1)
    near(breps[0] && getBrepVolume(breps[0]).size, volume)
    assert.deepEqual(messages, [ORDER])
  }
})

test('Solid Difference: given solids that do not meet, then the same solids, and nothing to remark', () => {
  const { breps, messages } = get(DIFFERENCE, [[box(p(0, 0), 1, 1, 1)], [box(p(5, 0), 1, 1, 1)]])
  assert.deepEqual([breps.length, messages], [1, []])
})

test('Trim Solid: given a wall and a window, then the wall with an opening', () => {
  const { breps, messages } = get(TRIM, [
    {
      type: 'nurbsSurface',
      degreeU: 1,
      degreeV: 1,
      points: [
        [p(0, 0), p(0, 0, 3)],
        [p(5, 0), p(5, 0, 3)],
      ],
      knotsU: [0, 5],
      knotsV: [0, 3],
    },
    [box(p(1, -1, 1), 2, 2, 1)],
  ])
  assert.deepEqual([breps[0]?.faces[0]?.loops.length, messages], [2, [ORDER]])
  near(breps[0] && getBrepArea(breps[0]).size, 13)
})

test('Solid Difference: given a sphere, then a limit that says why', () => {
  const { breps, messages } = get(DIFFERENCE, [[box(p(0, 0), 1, 1, 1)], [createSphere(WORLD_XY, 1)]])
  assert.deepEqual(breps, [])
  assert.deepEqual(messages, [
    'error: Only closed solids with flat faces and straight edges are combined: a brep has curved faces or edges',
  ])
})

test('Sweep1: given one section at an end of a line or an arc, then the surface that it passes over', () => {
  const section = line(p(2, 0, 0), p(3, 0, 0))
  const quarter = arc(WORLD_XY, 2, 0, Math.PI / 2)
  const atEnd = arc(WORLD_XY, 2, -Math.PI / 2, 0)
  const ring = (5 * Math.PI) / 4
  for (const [rail, area] of [
    [quarter, ring],
    [atEnd, ring],
    [circle(WORLD_XY, 2), 4 * ring],
    [line(p(2, 0, 0), p(2, 7, 0)), 7],
    [polyline([p(2, -4, 0), p(2, 0, 0)]), 4],
  ] as const) {
    const { breps, messages } = get(SWEEP, [rail, [section], integer(1)])
    assert.equal(messages.length, 1)
    near(breps[0] && getBrepArea(breps[0]).size, area)
  }
  const [swept] = get(SWEEP, [atEnd, [section], integer(1)]).breps
  assert.ok(swept?.vertices.every(({ x, y }) => x >= -1e-9 && y <= 1e-9))
})

test('Sweep1: given several sections, another rail or a section elsewhere, then a limit', () => {
  const section = line(p(2, 0, 0), p(3, 0, 0))
  for (const [rail, sections] of [
    [arc(WORLD_XY, 2, 0, 1), [section, section]],
    [polyline([p(2, 0), p(2, 1), p(5, 5)]), [section]],
    [line(p(2, -1), p(2, 1)), [section]],
    [line(p(0, 0), p(1, 1)), [line(p(0, 0), point(1, 0, 0))]],
  ] as const) {
    assert.match(
      get(SWEEP, [rail, sections, integer(1)]).messages[0] ?? '',
      /^error: Sweeps are solved for one/,
    )
  }
})
