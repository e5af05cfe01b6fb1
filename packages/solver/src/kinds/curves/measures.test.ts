import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPoint } from '@meadow/geometry/curves/evaluate'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { arc, circle, line, type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import { plane, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Point, point, type Xyz } from '@meadow/geometry/values/points'
import { type Curve, domain, integer } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'

/*
 * Values marked "recorded" are results of Grasshopper 8 in github.com/ezzahiranass/pyhopper, tests/golden/components
 * (Curve Domain, Control Polygon, Curve Proximity, Line | Plane, Line | Line). The others are worked out by hand.
 */

const DOMAIN = 'ccfd6ba8-ecb1-44df-a47e-08126a653c51'
const POLYGON = '66d2a68e-2f1d-43d2-a53b-c6a4d17e627b'
const PROXIMITY = '6b7ba278-5c9d-42f1-a61d-6209cbd44907'
const LINE_PLANE = '75d0442c-1aa3-47cf-bd94-457b42c16e9f'
const LINE_LINE = '6d4b82a7-8c1d-4bec-af7b-ca321ba4beb1'

const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const CUBIC: NurbsCurve = {
  type: 'nurbsCurve',
  degree: 3,
  points: [at(0, 0), at(1, 2), at(3, 2, 1), at(4, 0)],
  knots: [0, 0, 0, 1, 1, 1],
}

function first(guid: string, inputs: readonly InputData[]): unknown[] {
  return run(guid, inputs).outputs.map((output) => round(Object.values(output)[0]?.[0] ?? null))
}

function round(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e9) / 1e9 + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(round)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, round(member)]))
}

test('Curve Domain: given no domain, then the curve and its own domain; with one, the curve runs through it (recorded)', () => {
  const own = line(at(0, 0), at(4, 0))
  assert.deepEqual(first(DOMAIN, [own, undefined]), [own, domain(0, 4)])
  const [longer, before] = first(DOMAIN, [own, domain(0, 10)]) as [Curve, unknown]
  assert.deepEqual(getCurveDomain(longer), domain(0, 10))
  assert.deepEqual(getPoint(longer, 2.5), at(1, 0))
  assert.deepEqual(before, domain(0, 4))
  const wave: NurbsCurve = {
    type: 'nurbsCurve',
    degree: 3,
    points: [at(0, 0), at(2, 0, 1), at(2, 2, 2), at(0, 2, 3), at(0, 0, 4), at(2, 0, 5)],
    knots: [0, 0, 0, 1, 2, 3, 3, 3],
  }
  const [moved] = first(DOMAIN, [wave, domain(-1, 1)]) as [NurbsCurve]
  assert.deepEqual(moved.knots, round([-1, -1, -1, -1 / 3, 1 / 3, 1, 1, 1]))
  assert.deepEqual(run(DOMAIN, [own, domain(3, 3)]).codes, ['limit'])
})

test('Control Polygon: given an arc and a polyline (recorded), then the polyline through their control points', () => {
  const [polygon, corner] = first(POLYGON, [arc(WORLD_XY, 2, 0, Math.PI / 2)])
  assert.deepEqual(polygon, polyline([at(2, 0), at(2, 2), at(0, 2)]))
  assert.deepEqual(corner, point(2, 0, 0))
  const steps = polyline([at(0, 0), at(3, 0), at(3, 1), at(3, 1, 4)])
  const { outputs } = run(POLYGON, [steps])
  assert.deepEqual(outputs[0], { '{0}': [steps] })
  assert.deepEqual(outputs[1], { '{0;0}': steps.vertices.map(({ x, y, z }) => point(x, y, z)) })
})

for (const [name, a, b, points, gap] of [
  ['two lines', line(at(0, 0), at(4, 0)), line(at(4, 2), at(6, 2)), [point(4, 0, 0), point(4, 2, 0)], 2],
  [
    'skew lines',
    line(at(0, 0), at(4, 0)),
    line(at(1, -1, 1), at(1, 1, 1)),
    [point(1, 0, 0), point(1, 0, 1)],
    1,
  ],
  [
    'a cubic and a circle',
    CUBIC,
    circle(xyPlane(at(2, 5)), 1),
    [
      point(1.971202086786894, 1.4997542666673807, 0.37013961340154977),
      point(1.9917728808803878, 4.00003384331719, 0),
    ],
    2.5276124015344665,
  ],
  [
    'crossing lines',
    line(at(0, 0), at(4, 0)),
    line(at(2, -1), at(2, 1)),
    [point(2, 0, 0), point(2, 0, 0)],
    0,
  ],
  [
    'an arc and a line',
    arc(WORLD_XY, 2, 0, Math.PI / 2),
    line(at(3, 3), at(5, 1)),
    [point(Math.SQRT2, Math.SQRT2, 0), point(3, 3, 0)],
    2.242640687119285,
  ],
  [
    'a line and a circle',
    line(at(0, 0), at(4, 0)),
    circle(xyPlane(at(2, 5)), 1),
    [point(2, 0, 0), point(2, 4, 0)],
    4,
  ],
] as const) {
  test(`Curve Proximity: given ${name} (recorded), then the closest points`, () => {
    const { outputs, codes } = run(PROXIMITY, [a, b])
    const values = outputs.map((output) => Object.values(output)[0]?.[0])
    // Rhino finds the points to about 8 digits, the distance to 16.
    assert.ok(distance(values[0] as Point, points[0]) < 1e-6)
    assert.ok(distance(values[1] as Point, points[1]) < 1e-6)
    assert.ok(Math.abs((values[2] as number) - gap) < 1e-12)
    assert.deepEqual(codes, [])
  })
}

test('Curve Proximity: given parallel lines (recorded), concentric circles or several crossings, then one pair and a remark', () => {
  const lines = run(PROXIMITY, [line(at(0, 0), at(4, 0)), line(at(0, 1), at(4, 1))])
  assert.deepEqual(
    lines.outputs.map((output) => Object.values(output)[0]?.[0]),
    [point(0, 0, 0), point(0, 1, 0), 1],
  )
  assert.deepEqual(lines.codes, ['approximate'])
  const circles = run(PROXIMITY, [circle(WORLD_XY, 1), circle(WORLD_XY, 3)])
  assert.deepEqual(circles.codes, ['approximate'])
  assert.equal(round(Object.values(circles.outputs[2] ?? {})[0]?.[0]), 2)
  const crossings = run(PROXIMITY, [circle(WORLD_XY, 1), line(at(-2, 0), at(2, 0))])
  assert.deepEqual(crossings.codes, ['approximate'])
  assert.equal(round(Object.values(crossings.outputs[2] ?? {})[0]?.[0]), 0)
})

const anyNumber = fc.integer({ min: -30, max: 30 }).map((value) => value / 3)
const anyLocation: fc.Arbitrary<Xyz> = fc.record({ x: anyNumber, y: anyNumber, z: anyNumber })
const anyCurve: fc.Arbitrary<Curve> = fc.oneof(
  fc.array(anyLocation, { minLength: 2, maxLength: 5 }).map(polyline),
  fc
    .tuple(anyLocation, fc.integer({ min: 1, max: 9 }))
    .map(([centre, radius]) => circle(xyPlane(centre), radius)),
  fc
    .array(anyLocation, { minLength: 4, maxLength: 4 })
    .map((points): NurbsCurve => ({ type: 'nurbsCurve', degree: 3, points, knots: [0, 0, 0, 1, 1, 1] })),
)

test('Curve Proximity: given any two curves, then no sampled points are closer, and both orders agree', () => {
  fc.assert(
    fc.property(anyCurve, anyCurve, (a, b) => {
      const gap = first(PROXIMITY, [a, b])[2] as number
      assert.ok(Math.abs(gap - (first(PROXIMITY, [b, a])[2] as number)) < 1e-6)
      const [pointsA, pointsB] = [sample(a), sample(b)]
      for (const one of pointsA) for (const other of pointsB) assert.ok(distance(one, other) >= gap - 1e-8)
    }),
    { numRuns: 60 },
  )
})

function sample(curve: Curve): Xyz[] {
  const { start, end } = getCurveDomain(curve)
  return Array.from({ length: 60 }, (_, i) => getPoint(curve, start + ((end - start) * i) / 59))
}

test('Line | Plane: given lines through, before and along a plane (recorded), then where they meet', () => {
  const raised = line(at(0, 0, -1), at(0, 0, 3))
  assert.deepEqual(first(LINE_PLANE, [raised, xyPlane(at(1, 2))]), [point(0, 0, 0), 0.25, point(-1, -2, 0)])
  assert.deepEqual(first(LINE_PLANE, [line(at(0, 0, 1), at(0, 0, 2)), WORLD_XY]), [
    point(0, 0, 0),
    -1,
    point(0, 0, 0),
  ])
  assert.deepEqual(first(LINE_PLANE, [line(at(0, 0, 1), at(4, 0, 1)), WORLD_XY]), [null, null, null])
})

test('Line | Plane: given a tilted plane, then the point lies on both', () => {
  const tilted = plane(at(1, 2, 3), at(0, 1), at(0, 0, 1), at(1, 0))
  assert.deepEqual(first(LINE_PLANE, [line(at(0, 0), at(2, 4, 6)), tilted]), [
    point(1, 2, 3),
    0.5,
    point(0, 0, 0),
  ])
})

for (const [name, a, b, expected] of [
  [
    'skew lines',
    line(at(0, 0), at(4, 0)),
    line(at(1, -1, 1), at(1, 3, 1)),
    [0.25, 0.25, point(1, 0, 0), point(1, 0, 1)],
  ],
  [
    'lines that meet beyond their ends',
    line(at(0, 0), at(1, 0)),
    line(at(3, 5), at(3, 6)),
    [3, -5, point(3, 0, 0), point(3, 0, 0)],
  ],
  ['parallel lines', line(at(0, 0), at(4, 0)), line(at(0, 1), at(4, 1)), [null, null, null, null]],
] as const) {
  test(`Line | Line: given ${name} (recorded), then the closest points of the infinite lines`, () => {
    assert.deepEqual(first(LINE_LINE, [a, b]), expected)
  })
}

const LOOSE = '80e55fc2-933b-4bfb-a353-12358786dba8'
const ARCH: NurbsCurve = { ...CUBIC, points: [at(0, 0), at(1, 2), at(3, 2), at(4, 0)] }

for (const [name, curve, by, across, expected] of [
  [
    'a cubic',
    ARCH,
    0.5,
    undefined,
    [at(0.447213595499958, -0.223606797749979), at(1.3090169943749475, 1.5), at(2.6909830056250525, 1.5)],
  ],
  [
    'a cubic and another plane',
    ARCH,
    0.5,
    plane(at(0, 0), at(1, 0), at(0, 0, 1), at(0, -1)),
    [at(0, 0, -0.5), at(1, 2, -0.5877852522924731), at(3, 2, -0.5877852522924731), at(4, 0, -0.5)],
  ],
  [
    'a cubic that is not planar',
    { ...CUBIC, points: [at(0, 0), at(1, 2, 1), at(3, 2, 2), at(4, 0, 3)] },
    0.5,
    undefined,
    [at(0.4472135954999579, -0.22360679774997896), at(1.3018582588457814, 1.5184017154989735, 1)],
  ],
  ['a line', line(at(0, 0), at(4, 0)), 1, undefined, [at(0, -1), at(4, -1)]],
  [
    'a closed polyline',
    polyline([at(0, 0), at(4, 0), at(4, 4), at(0, 4), at(0, 0)]),
    0.5,
    undefined,
    [at(-0.5, -0.5), at(4.5, -0.5), at(4.5, 4.5), at(-0.5, 4.5), at(-0.5, -0.5)],
  ],
  ['a circle', circle(WORLD_XY, 2), 0.5, undefined, [at(2.5, 0), at(2.5, 2.5), at(0, 2.5), at(-2.5, 2.5)]],
] as const) {
  test(`Offset Curve Loose: given ${name} (recorded), then its control points are where they were recorded`, () => {
    const [offset] = first(LOOSE, [curve, by, across]) as [NurbsCurve]
    assert.deepEqual(offset.points.slice(0, expected.length), round(expected))
  })
}

test('Offset Curve Loose: given a periodic curve, then a limit', () => {
  const loop: NurbsCurve = {
    type: 'nurbsCurve',
    degree: 2,
    points: [at(0, 0), at(2, 0), at(1, 2), at(0, 0), at(2, 0)],
    knots: [-1, 0, 1, 2, 3, 4],
  }
  assert.deepEqual(run(LOOSE, [loop, 1, undefined]).codes, ['limit'])
})

test('given what Meadow lacks and Grasshopper has, then a limit, not an error', () => {
  const bent = circle(WORLD_XY, 1)
  const bowl = { ...CUBIC }
  const cornered: NurbsCurve = {
    type: 'nurbsCurve',
    degree: 2,
    points: [at(0, 0), at(1, 0), at(2, 0), at(2, 1), at(2, 2, 1)],
    knots: [0, 0, 1, 1, 2, 2],
  }
  for (const [guid, inputs] of [
    ['84627490-0fb2-4498-8138-ad134ee4cb36', [CUBIC, CUBIC]],
    ['1a38d325-98de-455c-93f1-bca431bc1243', [bowl, 1, WORLD_XY, integer(1)]],
    ['2f407944-81c3-4062-a485-276454ec4b8c', [cornered, 1]],
    ['2956d989-3599-476f-bc92-1d847aff98b6', [bent, 0.1, 0.1, undefined, undefined]],
    [
      '2b2a4145-3dff-41d4-a8de-1ea9d29eef33',
      [[point(0, 0, 0), point(1, 0, 0), point(2, 1, 0)], integer(5), false, integer(0)],
    ],
    ['6f0993e8-5f2f-4fc0-bd73-b84bc240e78e', [[point(0, 0, 0), point(1, 0, 0)], integer(5), 0.1]],
  ] as const) {
    assert.deepEqual(run(guid, inputs).codes, ['limit'], guid)
  }
})
