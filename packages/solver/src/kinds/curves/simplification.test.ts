import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { arc, circle, line, type NurbsCurve, type PolyCurve, polyline } from '@meadow/geometry/values/curves'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import { type Curve, integer } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'

/*
 * Values marked "recorded" are results of Grasshopper 8 in github.com/ezzahiranass/pyhopper, tests/golden/components/
 * Curve (Simplify Curve, Reduce, Polyline Collapse, Fit Curve, Fillet). The others are worked out by hand.
 */

const SIMPLIFY = '922dc7e5-0f0e-4c21-ae4b-f6a8654e63f6'
const REDUCE = '884646c3-0e70-4ad1-90c5-42601ee26450'
const COLLAPSE = 'be298882-28c9-45b1-980d-7192a531c9a9'
const SMOOTH = '5c5fbc42-3e1d-4081-9cf1-148d0b1d9610'
const FIT = 'a3f9f19e-3e6c-4ac7-97c3-946de32c3e8e'
const FILLET = 'c92cdfc8-3df8-4c4e-abc1-ede092a0aa8a'

type Pair = readonly [number, number]
const at = ([x, y]: Pair): Xyz => ({ x, y, z: 0 })
const through = (...points: Pair[]) => polyline(points.map(at))
const cubic = (...points: Pair[]): NurbsCurve => ({
  type: 'nurbsCurve',
  degree: points.length - 1,
  points: points.map(at),
  knots: [...points.slice(1).map(() => 0), ...points.slice(1).map(() => 1)],
})

function first(guid: string, inputs: readonly InputData[]): { values: unknown[]; messages: string[] } {
  const { outputs, messages } = run(guid, inputs)
  return { values: outputs.map((output) => Object.values(output)[0]?.[0] ?? null), messages }
}

function cornersOf(curve: unknown): Pair[] {
  return (findVertices(curve as Curve) ?? []).map(({ x, y }) => [round(x), round(y)] as const)
}

function round(value: number): number {
  return Math.round(value * 1e9) / 1e9 + 0
}

for (const [name, curve, tolerances, type, corners, isSimplified] of [
  [
    'collinear vertices (recorded)',
    through([0, 0], [1, 0], [2, 0], [2, 2], [2, 4]),
    [],
    'polyline',
    [
      [0, 0],
      [2, 0],
      [2, 4],
    ],
    true,
  ],
  [
    'a vertex that turns by more than the angle tolerance (recorded)',
    through([0, 0], [1, 0.05], [2, 0], [2, 2]),
    [0.1, 0.08726646259971647],
    'polyline',
    [
      [0, 0],
      [1, 0.05],
      [2, 0],
      [2, 2],
    ],
    false,
  ],
  [
    'a vertex within both tolerances',
    through([0, 0], [1, 0.05], [2, 0], [2, 2]),
    [0.1, 0.2],
    'polyline',
    [
      [0, 0],
      [2, 0],
      [2, 2],
    ],
    true,
  ],
  [
    'a vertex within the angle tolerance, but not the other',
    through([0, 0], [1, 0.05], [2, 0], [2, 2]),
    [0.01, 0.2],
    'polyline',
    [
      [0, 0],
      [1, 0.05],
      [2, 0],
      [2, 2],
    ],
    false,
  ],
  [
    'a closed polyline (recorded)',
    through([0, 0], [2, 0], [4, 0], [4, 4], [0, 4], [0, 0]),
    [],
    'polyline',
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
    ],
    true,
  ],
  [
    'one segment (recorded)',
    through([0, 0], [3, 0]),
    [],
    'line',
    [
      [0, 0],
      [3, 0],
    ],
    true,
  ],
  [
    'a straight NURBS curve (recorded)',
    cubic([0, 0], [1, 0], [3, 0]),
    [],
    'line',
    [
      [0, 0],
      [3, 0],
    ],
    true,
  ],
  [
    'a line (recorded)',
    line(at([0, 0]), at([3, 0])),
    [],
    'line',
    [
      [0, 0],
      [3, 0],
    ],
    false,
  ],
  ['a circle (recorded)', circle(WORLD_XY, 2), [], 'circle', [], false],
  ['a bent NURBS curve (recorded)', cubic([0, 0], [1, 2], [3, 2], [4, 0]), [], 'nurbsCurve', [], true],
] as const) {
  test(`Simplify Curve: given ${name}, then the segments that Grasshopper leaves`, () => {
    const { values, messages } = first(SIMPLIFY, [
      curve,
      tolerances[0] ?? undefined,
      tolerances[1] ?? undefined,
    ])
    assert.deepEqual(messages, [])
    assert.equal((values[0] as Curve).type, type)
    assert.deepEqual(cornersOf(values[0]), corners)
    assert.equal(values[1], isSimplified)
  })
}

test('Simplify Curve: given two arcs of one circle and two lines in a row, then one of each', () => {
  const curve: PolyCurve = {
    type: 'polyCurve',
    segments: [
      arc(WORLD_XY, 2, 0, 1),
      arc(WORLD_XY, 2, 1, Math.PI),
      line(at([-2, 0]), at([-5, 0])),
      line(at([-5, 0]), at([-9, 0])),
    ],
  }
  const { values, messages } = first(SIMPLIFY, [curve, undefined, undefined])
  assert.deepEqual(messages, [])
  assert.deepEqual((values[0] as PolyCurve).segments, [
    arc(WORLD_XY, 2, 0, Math.PI),
    line(at([-2, 0]), at([-9, 0])),
  ])
  assert.equal(values[1], true)
})

test('Simplify Curve: given what Rhino could simplify in several ways, then a limit and no value', () => {
  const nearlyStraight = through([0, 0], [1, 0.001], [2, 0.0015], [3, 0])
  const turnsBack = cubic([0, 0], [5, 0], [-2, 0], [3, 0])
  const half: NurbsCurve = { ...cubic([1, 0], [1, 1], [0, 1]), weights: [1, Math.SQRT1_2, 1] }
  for (const curve of [nearlyStraight, turnsBack, half]) {
    const { values, messages } = first(SIMPLIFY, [curve, 0.1, 0.1])
    assert.deepEqual(values, [null, null])
    assert.equal(messages.length, 1)
  }
})

test('Simplify Curve: given any polyline, then the result stays within the tolerance of each vertex, and a second time nothing changes', () => {
  const coordinate = fc.integer({ min: -4, max: 4 })
  const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(points, (corners) => {
      const curve = through(...corners)
      const { values } = first(SIMPLIFY, [curve, 0.001, 0.01])
      const simple = values[0] as Curve
      const left = findVertices(simple) ?? []
      const gaps = corners.map((corner) => getGap(at(corner), left))
      assert.ok(Math.max(...gaps) <= 1e-9)
      const again = first(SIMPLIFY, [simple, 0.001, 0.01]).values
      assert.deepEqual(cornersOf(again[0]), cornersOf(simple))
    }),
  )
})

function getGap(point: Xyz, vertices: readonly Xyz[]): number {
  let gap = Infinity
  for (let i = 0; i + 1 < vertices.length; i++) {
    const side = line(vertices[i] as Xyz, vertices[i + 1] as Xyz)
    const [a, b] = [side.from, side.to]
    const size = distance(a, b)
    const t = size === 0 ? 0 : ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / size ** 2
    const s = Math.min(1, Math.max(0, t))
    gap = Math.min(gap, Math.hypot(a.x + s * (b.x - a.x) - point.x, a.y + s * (b.y - a.y) - point.y))
  }
  return gap
}

const ZIGZAG = through([0, 0], [1, 0.1], [2, -0.1], [3, 0], [3, 3], [3.05, 6])

test('Reduce: given recorded polylines, then the vertices that Grasshopper keeps, and how many it removes', () => {
  const closed = through([0, 0], [2, 0.1], [4, 0], [4, 4], [0, 4], [0, 0])
  for (const [curve, tolerance, corners, removed] of [
    [
      ZIGZAG,
      0.5,
      [
        [0, 0],
        [3, 0],
        [3.05, 6],
      ],
      3,
    ],
    [ZIGZAG, 0.01, cornersOf(ZIGZAG), 0],
    [
      closed,
      0.5,
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
        [0, 0],
      ],
      1,
    ],
  ] as const) {
    const { values } = first(REDUCE, [curve, tolerance])
    assert.deepEqual(cornersOf(values[0]), corners)
    assert.deepEqual(values[1], integer(removed))
  }
})

test('Reduce: given a closed triangle and any tolerance, then it stays; given a circle, an error', () => {
  const triangle = through([0, 0], [1, 0], [0, 1], [0, 0])
  assert.deepEqual(first(REDUCE, [triangle, 99]).values, [triangle, integer(0)])
  assert.match(first(REDUCE, [circle(WORLD_XY, 1), 1]).messages.join(), /^error: /)
})

test('Reduce: given any polyline, then each removed vertex is within the tolerance of the result', () => {
  const coordinate = fc.integer({ min: -100, max: 100 }).map((value) => value / 10)
  const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 30 })
  fc.assert(
    fc.property(points, fc.double({ min: 0, max: 5, noNaN: true }), (corners, tolerance) => {
      const left = findVertices(first(REDUCE, [through(...corners), tolerance]).values[0] as Curve) ?? []
      assert.ok(corners.every((corner) => getGap(at(corner), left) <= tolerance + 1e-9))
    }),
  )
})

for (const [name, curve, tolerance, corners, count] of [
  [
    'short segments',
    through([0, 0], [0.2, 0], [3, 0], [3.1, 0.1], [3, 3], [0, 3]),
    0.5,
    [
      [0, 0],
      [3.05, 0.05],
      [3, 3],
      [0, 3],
    ],
    2,
  ],
  [
    'a chain of short segments',
    through([0, 0], [1, 0], [1.1, 0], [1.2, 0], [3, 0]),
    0.5,
    [
      [0, 0],
      [1.075, 0],
      [3, 0],
    ],
    2,
  ],
  [
    'short segments only',
    through([0, 0], [0.1, 0], [0.2, 0]),
    0.5,
    [
      [0, 0],
      [0.2, 0],
    ],
    1,
  ],
] as const) {
  test(`Polyline Collapse: given ${name} (recorded), then the result is as recorded`, () => {
    const { values } = first(COLLAPSE, [curve, tolerance])
    assert.deepEqual(cornersOf(values[0]), corners)
    assert.deepEqual(values[1], integer(count))
  })
}

// The middle vertex moves by half of the strength towards (1, 0): from (1, 2) to (1, 1) and then to (1, 0.5).
test('Smooth Polyline: given an open and a closed polyline, then inner vertices move towards their neighbours', () => {
  const open = first(SMOOTH, [through([0, 0], [1, 2], [2, 0]), 1, integer(2)]).values[0]
  assert.deepEqual(cornersOf(open), [
    [0, 0],
    [1, 0.5],
    [2, 0],
  ])
  const square = through([0, 0], [4, 0], [4, 4], [0, 4], [0, 0])
  assert.deepEqual(cornersOf(first(SMOOTH, [square, 1, integer(1)]).values[0]), [
    [1, 1],
    [3, 1],
    [3, 3],
    [1, 3],
    [1, 1],
  ])
  assert.match(first(SMOOTH, [square, 1, integer(-1)]).messages.join(), /^error: /)
})

test('Fit Curve: given a line and a polyline, then Bézier spans as recorded; given a bent curve, a limit', () => {
  const { values } = first(FIT, [line(at([0, 0]), at([3, 1])), undefined, undefined])
  const size = Math.sqrt(10)
  assert.deepEqual(values[0], {
    type: 'nurbsCurve',
    degree: 2,
    points: [at([0, 0]), at([1.5, 0.5]), at([3, 1])],
    knots: [0, 0, size, size],
  })
  const fitted = first(FIT, [through([0, 0], [1, 1], [2, 0]), integer(3), 0.5]).values[0] as NurbsCurve
  assert.equal(fitted.points.length, 7)
  assert.deepEqual(
    fitted.knots.map(round),
    [0, 0, 0, 1, 1, 1, 2, 2, 2].map((k) => round(k * Math.SQRT2)),
  )
  const bent = first(FIT, [cubic([0, 0], [1, 2], [3, 2], [4, 0]), undefined, undefined])
  assert.deepEqual([bent.values[0], bent.messages.length], [null, 1])
})

const STEP = {
  ...through([0, 0], [2, 0], [2, 2], [4, 2]),
  domain: { type: 'domain', start: 0, end: 1 } as const,
}
const SQUARE = {
  ...through([0, 0], [2, 0], [2, 2], [0, 2], [0, 0]),
  domain: { type: 'domain', start: 0, end: 1 } as const,
}

for (const [name, curve, parameter, segments, sizes, start, corner] of [
  [
    'a vertex',
    STEP,
    1 / 3,
    [
      [
        [0, 0],
        [1.5, 0],
      ],
      'arc',
      [
        [2, 0.5],
        [2, 2],
        [4, 2],
      ],
    ],
    [0.25, Math.PI / 4, 7 / 12],
    0,
    1 / 3,
  ],
  [
    'a parameter near a vertex',
    STEP,
    0.5666666666666667,
    [
      [
        [0, 0],
        [2, 0],
        [2, 1.5],
      ],
      'arc',
      [
        [2.5, 2],
        [4, 2],
      ],
    ],
    [7 / 12, Math.PI / 4, 0.25],
    0,
    2 / 3,
  ],
  [
    'the seam of a closed polyline',
    SQUARE,
    0,
    [
      [
        [0.5, 0],
        [2, 0],
        [2, 2],
        [0, 2],
        [0, 0.5],
      ],
      'arc',
    ],
    [0.875, Math.PI / 4],
    0.0625,
    0,
  ],
  [
    'another corner of a closed polyline',
    SQUARE,
    1 / 3,
    [
      'arc',
      [
        [2, 0.5],
        [2, 2],
        [0, 2],
        [0, 0],
        [1.5, 0],
      ],
    ],
    [Math.PI / 4, 0.875],
    1.1875,
    0.25,
  ],
] as const) {
  test(`Fillet (older): given ${name} (recorded), then the corner is an arc, and the rest keeps its parameters`, () => {
    const { values } = first(FILLET, [curve, parameter, 0.5])
    const rounded = values[0] as PolyCurve
    assert.deepEqual(
      rounded.segments.map((segment) => (segment.type === 'arc' ? 'arc' : cornersOf(segment))),
      segments,
    )
    const ranges = rounded.segments.map(getCurveDomain)
    assert.deepEqual(
      ranges.map((range) => round(range.end - range.start)),
      sizes.map(round),
    )
    assert.equal(round(getCurveDomain(rounded).start), round(start))
    assert.equal(round(values[1] as number), round(corner))
    for (const [i, segment] of rounded.segments.slice(1).entries()) {
      assert.ok(distance(getEnd(rounded.segments[i] as Curve), getStart(segment)) < 1e-9)
    }
    assert.ok(distance(getPoint(rounded, getCurveDomain(rounded).start), getStart(rounded)) < 1e-12)
  })
}

test('Fillet (older): given a radius that does not fit, a line or a smooth curve (recorded), then it stays, with a warning', () => {
  const smooth = cubic([0, 0], [1, 2], [3, 2], [4, 0])
  for (const [curve, radius] of [
    [STEP, 3],
    [line(at([0, 0]), at([4, 0])), 0.5],
    [smooth, 0.5],
  ] as const) {
    const { values, messages } = first(FILLET, [curve, 0.5, radius])
    assert.deepEqual(values, [curve, 0.5])
    assert.deepEqual(messages, ['warning: Fillet failed'])
  }
  assert.deepEqual(first(FILLET, [STEP, 0.5, 0]).values, [STEP, null])
  assert.match(first(FILLET, [STEP, 0.5, -1]).messages.join(), /^error: /)
})
