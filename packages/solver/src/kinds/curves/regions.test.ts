import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrateRegion } from '@meadow/geometry/breps/region'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { getWindingNumber } from '@meadow/geometry/curves/point-in-curve'
import { reverseCurve } from '@meadow/geometry/curves/split'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { arc, circle, line, type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import { plane, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { point, type Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'

/* Expected areas and lengths are from plane geometry; properties compare areas and points with inclusion–exclusion. */

const UNION = '1222394f-0d33-4f31-9101-7281bde89fe5'
const DIFFERENCE = 'f72c480b-7ee6-42ef-9821-c371e9203b44'
const INTERSECTION = '477c2e7b-c5e5-421e-b8b2-ba60cdf5398b'

const TRIM = '3092caf0-7cf9-4885-bcc0-e635d878832a'
const TRIM_ALL = '26949c81-9b50-43b7-ac49-3203deb6eec7'

const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const disc = (x: number, y: number, radius: number) => circle(xyPlane(at(x, y)), radius)
const box = (x: number, y: number, width: number, height: number) =>
  polyline([at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height), at(x, y)])

function combine(guid: string, ...inputs: InputData[]): { curves: Curve[]; codes: string[] } {
  const { outputs, codes } = run(guid, [...inputs, undefined])
  return { curves: (Object.values(outputs[0] ?? {})[0] ?? []) as Curve[], codes }
}

/** The sum of areas: those of holes are negative where curves were cut. */
function getArea(curves: readonly Curve[], by = WORLD_XY): number {
  return curves.reduce((sum, curve) => sum + integrateRegion([curve], by).area, 0)
}

function assertClosed(curves: readonly Curve[]): void {
  for (const curve of curves) {
    assert.ok(distance(getStart(curve), getEnd(curve)) < 1e-6)
    if (curve.type !== 'polyCurve') continue
    for (const [i, segment] of curve.segments.slice(1).entries()) {
      assert.ok(distance(getEnd(curve.segments[i] as Curve), getStart(segment)) < 1e-6)
    }
  }
}

// Two unit circles whose centres are 1 apart: the lens has the area 2π/3 − √3/2.
const LENS = (2 * Math.PI) / 3 - Math.sqrt(3) / 2

for (const [name, guid, inputs, count, area, type] of [
  ['the union of two squares that overlap', UNION, [[box(0, 0, 2, 2), box(1, 1, 2, 2)]], 1, 7, 'polyline'],
  [
    'the union of squares that have a side in common',
    UNION,
    [[box(0, 0, 2, 2), box(2, 0, 2, 2)]],
    1,
    8,
    'polyline',
  ],
  [
    'the union of squares that touch at a corner',
    UNION,
    [[box(0, 0, 2, 2), box(2, 2, 2, 2)]],
    2,
    8,
    'polyline',
  ],
  ['the union of squares apart', UNION, [[box(0, 0, 2, 2), box(5, 5, 1, 1)]], 2, 5, 'polyline'],
  ['the union of equal squares', UNION, [[box(0, 0, 2, 2), box(0, 0, 2, 2)]], 1, 4, 'polyline'],
  ['the union of a square and one inside', UNION, [[box(0, 0, 9, 9), box(5, 5, 1, 1)]], 1, 81, 'polyline'],
  [
    'the union of four bars around a hole',
    UNION,
    [[box(0, 0, 6, 1), box(0, 5, 6, 1), box(0, 0, 1, 6), box(5, 0, 1, 6)]],
    2,
    36 - 16,
    'polyline',
  ],
  ['the union of two circles', UNION, [[disc(0, 0, 1), disc(1, 0, 1)]], 1, 2 * Math.PI - LENS, 'polyCurve'],
  ['the union of circles that touch', UNION, [[disc(0, 0, 1), disc(3, 0, 2)]], 2, 5 * Math.PI, 'circle'],
  ['the union of a circle and one inside', UNION, [[disc(0, 0, 3), disc(1, 0, 1)]], 1, 9 * Math.PI, 'circle'],
  [
    'the union of a circle and one that touches it inside',
    UNION,
    [[disc(0, 0, 3), disc(2, 0, 1)]],
    1,
    9 * Math.PI,
    'circle',
  ],
  ['the intersection of two circles', INTERSECTION, [[disc(0, 0, 1)], [disc(1, 0, 1)]], 1, LENS, 'polyCurve'],
  ['the intersection of squares apart', INTERSECTION, [[box(0, 0, 1, 1)], [box(5, 5, 1, 1)]], 0, 0, ''],
  [
    'the intersection of squares side by side',
    INTERSECTION,
    [[box(0, 0, 1, 1)], [box(1, 0, 1, 1)]],
    0,
    0,
    '',
  ],
  [
    'the intersection of a circle and a half plane as a box',
    INTERSECTION,
    [[disc(0, 0, 2)], [box(0, -5, 9, 10)]],
    1,
    2 * Math.PI,
    'polyCurve',
  ],
  [
    'the difference of two circles',
    DIFFERENCE,
    [[disc(0, 0, 1)], [disc(1, 0, 1)]],
    1,
    Math.PI - LENS,
    'polyCurve',
  ],
  ['the difference of a square and itself', DIFFERENCE, [[box(0, 0, 2, 2)], [box(0, 0, 2, 2)]], 0, 0, ''],
  ['a square without its left half', DIFFERENCE, [[box(0, 0, 2, 2)], [box(-1, 0, 2, 2)]], 1, 2, 'polyline'],
  [
    'a square without a strip through its middle',
    DIFFERENCE,
    [[box(0, 0, 3, 3)], [box(-1, 1, 9, 1)]],
    2,
    6,
    'polyline',
  ],
  [
    'the difference of a circle and circles that bite into it',
    DIFFERENCE,
    [[disc(0, 0, 1)], [disc(1, 0, 1), disc(5, 5, 1)]],
    1,
    Math.PI - LENS,
    'polyCurve',
  ],
] as const) {
  test(`Region: given ${name}, then closed curves of that area`, () => {
    const { curves, codes } = combine(guid, ...(inputs as unknown as InputData[]))
    assert.equal(curves.length, count, JSON.stringify(codes))
    assert.ok(Math.abs(getArea(curves) - area) < 1e-6, String(getArea(curves)))
    assert.ok(codes.every((code) => code === 'approximate'))
    assertClosed(curves)
    for (const curve of curves) assert.equal(curve.type, type)
  })
}

test('Region Difference: given a hole inside, then the outline and the hole as they were', () => {
  const [outline, hole] = [box(0, 0, 9, 9), disc(4, 4, 2)]
  const { curves, codes } = combine(DIFFERENCE, [outline], [hole])
  assert.deepEqual(curves, [outline, hole])
  assert.deepEqual(codes, ['approximate'])
})

test('Region Union: given one curve, then that curve, without a remark', () => {
  const only = disc(0, 0, 2)
  assert.deepEqual(combine(UNION, [only]), { curves: [only], codes: [] })
  assert.deepEqual(combine(UNION, [null]), { curves: [], codes: [] })
})

test('Region Union: given circles that are cut, then exact arcs of them', () => {
  const { curves } = combine(UNION, [disc(0, 0, 1), disc(1, 0, 1)])
  const segments = curves[0]?.type === 'polyCurve' ? curves[0].segments : []
  assert.deepEqual(
    segments.map(
      (segment) => segment.type === 'arc' && [segment.radius, round(segment.endAngle - segment.startAngle)],
    ),
    [
      [1, round((4 * Math.PI) / 3)],
      [1, round((4 * Math.PI) / 3)],
    ],
  )
})

test('Region Union: given NURBS regions with an edge in common, then their outline', () => {
  const wave: NurbsCurve = {
    type: 'nurbsCurve',
    degree: 3,
    points: [at(0, 0), at(1, 2), at(3, -2), at(4, 0)],
    knots: [0, 0, 0, 1, 1, 1],
  }
  const below: Curve = {
    type: 'polyCurve',
    segments: [polyline([at(0, 0), at(0, -5), at(4, -5), at(4, 0)]), reverseCurve(wave)],
  }
  const above: Curve = {
    type: 'polyCurve',
    segments: [wave, polyline([at(4, 0), at(4, 5), at(0, 5), at(0, 0)])],
  }
  const { curves } = combine(UNION, [below, above])
  assert.equal(curves.length, 1)
  assert.ok(Math.abs(getArea(curves) - 40) < 1e-9)
})

test('Region Difference: given curves in another plane, then a result in that plane', () => {
  const raised = plane(at(1, 2, 3), at(0, 1), at(0, 0, 1), at(1, 0))
  const [a, b] = [
    circle(raised, 2),
    { type: 'rectangle', plane: raised, x: dom(0, 9), y: dom(-9, 9) } as const,
  ]
  const { curves } = combine(DIFFERENCE, [a], [b])
  assert.equal(curves.length, 1)
  assert.ok(Math.abs(getArea(curves, raised) - 2 * Math.PI) < 1e-9)
})

function dom(start: number, end: number) {
  return { type: 'domain', start, end } as const
}

function round(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

test('Region: given open curves, then an error; what is unclear, a limit', () => {
  const bowtie = polyline([at(0, 0), at(2, 2), at(2, 0), at(0, 2), at(0, 0)])
  const flat = polyline([at(0, 0), at(2, 0), at(1, 0), at(0, 0)])
  assert.deepEqual(combine(UNION, [line(at(0, 0), at(1, 0)), disc(0, 0, 1)]).codes, ['limit'])
  assert.deepEqual(combine(UNION, [disc(0, 0, 1), line(at(0, 0), at(1, 0))]).codes, ['failed'])
  assert.deepEqual(combine(UNION, [bowtie, disc(9, 0, 1)]).codes, ['limit'])
  assert.deepEqual(combine(UNION, [disc(9, 0, 1), flat]).codes, ['limit'])
  assert.deepEqual(combine(UNION, [disc(0, 0, 1), circle(xyPlane(at(0, 0, 1)), 1)]).codes, ['limit'])
  assert.deepEqual(combine(DIFFERENCE, [disc(0, 0, 3), disc(0, 0, 1)], [box(0, 0, 9, 9)]).codes, ['limit'])
})

const anyWhole = fc.integer({ min: -6, max: 6 })
const anySize = fc.integer({ min: 1, max: 6 })
const anyRegion: fc.Arbitrary<Curve> = fc.oneof(
  fc.tuple(anyWhole, anyWhole, anySize, anySize).map(([x, y, width, height]) => box(x, y, width, height)),
  fc.tuple(anyWhole, anyWhole, anySize).map(([x, y, radius]) => disc(x, y, radius)),
  fc
    .tuple(anyWhole, anyWhole, anySize)
    .map(([x, y, size]) => polyline([at(x, y), at(x + size, y), at(x, y + size), at(x, y)])),
  fc.tuple(anyWhole, anyWhole, anySize).map(([x, y, radius]) => reverseCurve(disc(x, y, radius))),
)

test('Region: given any two regions, then areas add up, and points are where they belong', () => {
  fc.assert(
    fc.property(anyRegion, anyRegion, (a, b) => {
      const [union, both, onlyA, onlyB] = [
        combine(UNION, [a, b]),
        combine(INTERSECTION, [a], [b]),
        combine(DIFFERENCE, [a], [b]),
        combine(DIFFERENCE, [b], [a]),
      ]
      for (const { curves, codes } of [union, both, onlyA, onlyB]) {
        assert.deepEqual(
          codes.filter((code) => code !== 'approximate'),
          [],
        )
        assertClosed(curves)
      }
      for (let i = 0; i < 40; i++) {
        // Off the whole coordinates, where boundaries are.
        const place = point(-7.03 + ((i * 7.31) % 14), -7.07 + ((i * 3.77) % 14), 0)
        const [inA, inB] = [isIn([a], place), isIn([b], place)]
        assert.equal(isIn(union.curves, place), inA || inB)
        assert.equal(isIn(both.curves, place), inA && inB)
        assert.equal(isIn(onlyA.curves, place), inA && !inB)
        assert.equal(isIn(onlyB.curves, place), inB && !inA)
      }
    }),
    { numRuns: 300 },
  )
})

test('Region Union: given any set of regions, then a point is inside if it is inside one of them', () => {
  fc.assert(
    fc.property(fc.array(anyRegion, { minLength: 1, maxLength: 7 }), (regions) => {
      const { curves, codes } = combine(UNION, regions)
      assert.deepEqual(
        codes.filter((code) => code !== 'approximate'),
        [],
      )
      for (let i = 0; i < 40; i++) {
        const place = point(-7.03 + ((i * 7.31) % 14), -7.07 + ((i * 3.77) % 14), 0)
        assert.equal(
          isIn(curves, place),
          regions.some((region) => isIn([region], place)),
        )
      }
    }),
    { numRuns: 100 },
  )
})

/** Inside an odd number of curves: holes cancel outlines. */
function isIn(curves: readonly Curve[], place: Xyz): boolean {
  return curves.filter((curve) => getWindingNumber(curve, WORLD_XY, place) !== 0).length % 2 === 1
}

/** Start and end of each curve, to six digits. */
function endsOf(curves: readonly Curve[]): number[][] {
  return curves.map((curve) => [getStart(curve), getEnd(curve)].flatMap(({ x, y }) => [x, y].map(shorten)))
}

function shorten(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}

function trim(guid: string, curve: Curve, region: InputData, by?: InputData) {
  const { outputs, codes } = run(guid, [curve, region, by])
  const [inside, outside] = outputs.map((output) => (Object.values(output)[0] ?? []) as Curve[])
  return { inside: inside ?? [], outside: outside ?? [], codes }
}

// The first six are recorded results of Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/
// Intersect/TrimWithRegion.json.
const WAVE: NurbsCurve = {
  type: 'nurbsCurve',
  degree: 3,
  points: [at(0, 0), at(1, 3), at(2, -3), at(3, 3), at(4, 0)],
  knots: [0, 0, 0, 0.5, 1, 1, 1],
}
for (const [name, curve, region, inside, outside] of [
  [
    'a line through a circle',
    line(at(-1, 1), at(5, 1)),
    disc(0, 0, 2),
    [[-1, 1, 1.732051, 1]],
    [[1.732051, 1, 5, 1]],
  ],
  ['a wave in a circle', WAVE, disc(0, 0, 2), [[0, 0, 2, 0]], [[2, 0, 4, 0]]],
  [
    'a polyline',
    polyline([at(0, 0), at(2, 0), at(2, 2), at(4, 2)]),
    disc(2, 1, 1.5),
    [[0.881966, 0, 3.118034, 2]],
    [
      [0, 0, 0.881966, 0],
      [3.118034, 2, 4, 2],
    ],
  ],
  [
    'a line above the plane',
    line(at(-1, 1, 1), at(5, 1, 1)),
    disc(0, 0, 2),
    [[-1, 1, 1.732051, 1]],
    [[1.732051, 1, 5, 1]],
  ],
  [
    'a line that touches',
    line(at(-1, 2), at(5, 2)),
    disc(0, 0, 2),
    [],
    [
      [-1, 2, 0, 2],
      [0, 2, 5, 2],
    ],
  ],
  [
    'a closed curve',
    disc(2, 0, 2),
    disc(0, 0, 2),
    [[1, 1.732051, 1, -1.732051]],
    [[1, -1.732051, 1, 1.732051]],
  ],
  ['a line inside', line(at(-0.5, 0), at(0.5, 0)), disc(0, 0, 2), [[-0.5, 0, 0.5, 0]], []],
  ['a line outside', line(at(-5, 3), at(5, 3)), disc(0, 0, 2), [], [[-5, 3, 5, 3]]],
  ['a line along a side', line(at(-1, 0), at(1, 0)), box(0, 0, 2, 2), [[0, 0, 1, 0]], [[-1, 0, 0, 0]]],
] as const) {
  test(`Trim with Region: given ${name}, then the parts inside and outside`, () => {
    const trimmed = trim(TRIM, curve, region)
    assert.deepEqual(trimmed.codes, [])
    assert.deepEqual(endsOf(trimmed.inside), inside)
    assert.deepEqual(endsOf(trimmed.outside), outside)
    const all = trim(TRIM_ALL, curve, [region, disc(90, 0, 1)])
    assert.deepEqual([all.inside, all.outside], [trimmed.inside, trimmed.outside])
  })
}

test('Trim with Region: given an open region, an error; an arc across the plane, a limit', () => {
  assert.deepEqual(trim(TRIM, line(at(0, 0), at(1, 0)), line(at(0, 0), at(1, 0))).codes, ['failed'])
  const upright = arc(plane(at(0, 0), at(1, 0), at(0, 0, 1), at(0, -1)), 5, 0, 3)
  assert.deepEqual(trim(TRIM, upright, disc(0, 0, 2)).codes, ['limit'])
  assert.deepEqual(trim(TRIM, upright, disc(0, 0, 2), WORLD_XY).codes, ['limit'])
})

test('Trim with Regions: given any polyline and regions, then the parts add up, each on its side', () => {
  const corners = fc.array(fc.tuple(anyWhole, anyWhole), { minLength: 2, maxLength: 5 })
  const isLong = (points: readonly (readonly number[])[]) =>
    points.every(([x, y], i) => i === 0 || x !== points[i - 1]?.[0] || y !== points[i - 1]?.[1])
  fc.assert(
    fc.property(
      corners.filter(isLong),
      fc.array(anyRegion, { minLength: 1, maxLength: 3 }),
      (points, regions) => {
        const curve = polyline(points.map(([x, y]) => at(x, y)))
        const { inside, outside, codes } = trim(TRIM_ALL, curve, regions)
        assert.deepEqual(codes, [])
        const sizes = [...inside, ...outside].map((part) => getLength(part))
        assert.ok(Math.abs(sizes.reduce((sum, size) => sum + size, 0) - getLength(curve)) < 1e-6)
        for (const [parts, expected] of [
          [inside, true],
          [outside, false],
        ] as const) {
          for (const part of parts) {
            const { start, end } = getCurveDomain(part)
            for (const share of [0.3, 0.6]) {
              const place = getPoint(part, start + (end - start) * share)
              const gap = Math.min(
                ...regions.map((region) => findClosestPoint(region, place)?.distance ?? Infinity),
              )
              if (gap > 0.01)
                assert.equal(
                  regions.some((region) => isIn([region], place)),
                  expected,
                )
            }
          }
        }
      },
    ),
    { numRuns: 200 },
  )
})
