import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { getPoint } from '@meadow/geometry/curves/evaluate'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { type Plane, point, vector } from '@meadow/geometry/values/points'
import { type Curve, domain, integer, type Value } from '@meadow/geometry/values/value'
import { type InputData, run } from '../../testing/run.ts'
import { show } from './testing.ts'

const O = point(0, 0, 0)
const SQUARE = polyline([O, point(4, 0, 0), point(4, 4, 0), point(0, 4, 0), O])
const BENT = polyline([O, point(3, 0, 0), point(3, 4, 0)])
const LINE = line(O, point(10, 0, 0))
const UNIT = circle(WORLD_XY, 1)
const HALF = arc(WORLD_XY, 2, 0, Math.PI)
const sent = (guid: string, inputs: readonly InputData[]) => {
  const { outputs, messages } = run(guid, inputs)
  return { outputs: outputs.map(show), messages }
}

// Expected values are worked out by hand unless noted otherwise.
for (const [name, guid, inputs, expected] of [
  ['Line', '4c4e56eb-2f04-43f9-95a3-cc46a14f495a', [O, point(1, 2, 3)], [['line']]],
  ['Line SDL', '4c619bc9-39fd-4717-82a6-1e07ea237bbe', [O, vector(0, 3, 4), -5], [['line']]],
  [
    'PolyLine',
    '71b5b089-500a-4ea6-81c5-2f960441a0e8',
    [[O, point(1, 0, 0), null, point(1, 1, 0)], true],
    [['polyline']],
  ],
  ['Circle', '807b86e3-be8d-4970-92b5-f8cdcb45b06b', [WORLD_XY, 2], [['circle']]],
  ['Circle CNR', 'd114323a-e6ee-4164-946b-e4ca0ce15efa', [O, vector(0, 0, 2), 2], [['circle']]],
  [
    'Ellipse',
    '46b5564d-d3eb-4bf1-ae16-15ed132cfd88',
    [WORLD_XY, 5, 3],
    [['nurbsCurve'], [[4, 0, 0]], [[-4, 0, 0]]],
  ],
  ['Arc', 'bb59bffc-f54c-4682-9778-f6c3fe74fce3', [WORLD_XY, 2, domain(1, -1)], [['arc'], [4]]],
  [
    'Rectangle',
    'd93100b6-d50b-40b2-831a-814659dc38e3',
    [WORLD_XY, domain(0, 3), domain(1, 5), 0],
    [['rectangle'], [14]],
  ],
  [
    'Rectangle with a radius larger than fits',
    'd93100b6-d50b-40b2-831a-814659dc38e3',
    [WORLD_XY, domain(0, 2), domain(0, 6), 99],
    [['polyCurve'], [Number((8 + 2 * Math.PI).toFixed(6))]],
  ],
  [
    'Rectangle 2Pt',
    '575660b1-8c79-4b8d-9222-7ab4a6ddb359',
    [WORLD_XY, point(5, 1, 9), point(1, 2, 0), 0],
    [['rectangle'], [10]],
  ],
  [
    'Rectangle 3Pt',
    '9bc98a1d-2ecc-407e-948a-09a09ed3e69d',
    [O, point(4, 0, 0), point(9, -2, 0)],
    [['rectangle'], [12]],
  ],
  ['Polygon', '845527a6-5cea-4ae9-a667-96ae1667a4e8', [WORLD_XY, 2, integer(6), 0], [['polyline'], [12]]],
  [
    'Polygon Center',
    '59e94548-cefd-4774-b3de-48142fc783fb',
    [SQUARE],
    [[[2, 2, 0]], [[2, 2, 0]], [[2, 2, 0]]],
  ],
  // Vertices (0,0), (3,0), (3,4); edges of 3 and 4 around (1.5,0) and (3,2): (4.5+12)/7, 8/7.
  [
    'Polygon Center of an open polyline',
    '59e94548-cefd-4774-b3de-48142fc783fb',
    [BENT],
    [[[2, 1.333333, 0]], [[2.357143, 1.142857, 0]], [null]],
  ],
  ['End Points', '11bbd48b-bb0a-4f1b-8167-fa297590390d', [HALF], [[[2, 0, 0]], [[-2, 0, 0]]]],
  [
    'Length',
    'c75b62fa-0a33-4da7-a5bd-03fd0068fd93',
    [[LINE, BENT, HALF]],
    [[10, 7, Number((2 * Math.PI).toFixed(6))]],
  ],
  ['Curve Middle', 'ccc7b468-e743-4049-891f-299432545898', [BENT], [[[3, 0.5, 0]]]],
  [
    'Evaluate Curve',
    'fc6979e4-7e91-4508-8e05-37c680779751',
    [BENT, 1],
    [[[3, 0, 0]], [[0, 1, 0]], [1.570796]],
  ],
  [
    'Evaluate Length',
    '6b021f56-b194-4210-b9a1-6cef3b7d0848',
    [BENT, 5, false],
    [[[3, 2, 0]], [[0, 1, 0]], [1.5]],
  ],
  [
    'Evaluate Length, normalised',
    '6b021f56-b194-4210-b9a1-6cef3b7d0848',
    [LINE, 0.25, true],
    [[[2.5, 0, 0]], [[1, 0, 0]], [2.5]],
  ],
  [
    'Curve Closest Point',
    '2dc44b22-b1dd-460a-a704-6462d6e91096',
    [point(4, 3, 0), LINE],
    [[[4, 0, 0]], [4], [3]],
  ],
  [
    'Control Points',
    '424eb433-2b3a-4859-beaf-804d8af0afd7',
    [LINE],
    [
      [
        [0, 0, 0],
        [10, 0, 0],
      ],
      [1, 1],
      [0, 10],
    ],
  ],
  [
    'Discontinuity',
    '269eaa85-9997-4d77-a9ba-4c58cb45c9d3',
    [SQUARE, integer(1)],
    [
      [
        [0, 0, 0],
        [4, 0, 0],
        [4, 4, 0],
        [0, 4, 0],
      ],
      [0, 1, 2, 3],
    ],
  ],
  ['Discontinuity of a circle', '269eaa85-9997-4d77-a9ba-4c58cb45c9d3', [UNIT, integer(2)], [[], []]],
  [
    'Point In Curve',
    'a72b0bd3-c7a7-458e-875d-09ae1624638c',
    [[point(1, 1, 7), point(4, 2, 0), point(9, 9, 0)], SQUARE],
    [
      [2, 1, 0],
      [
        [1, 1, 0],
        [4, 2, 0],
        [9, 9, 0],
      ],
    ],
  ],
  [
    'Divide Curve',
    '2162e72e-72fc-4bf8-9459-d4d82fa8aa14',
    [LINE, integer(2), false],
    [
      [
        [0, 0, 0],
        [5, 0, 0],
        [10, 0, 0],
      ],
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      [0, 5, 10],
    ],
  ],
  [
    'Divide Curve at kinks',
    '2162e72e-72fc-4bf8-9459-d4d82fa8aa14',
    [BENT, integer(1), true],
    [
      [
        [0, 0, 0],
        [3, 0, 0],
        [3, 4, 0],
      ],
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 1, 0],
      ],
      [0, 1, 2],
    ],
  ],
  [
    'Divide Curve of a closed one',
    '2162e72e-72fc-4bf8-9459-d4d82fa8aa14',
    [SQUARE, integer(4), false],
    [
      [
        [0, 0, 0],
        [4, 0, 0],
        [4, 4, 0],
        [0, 4, 0],
      ],
      [
        [1, 0, 0],
        [0, 1, 0],
        [-1, 0, 0],
        [0, -1, 0],
      ],
      [0, 1, 2, 3],
    ],
  ],
  [
    'Divide Length',
    'fdc466a9-d3b8-4056-852a-09dba0f74aca',
    [LINE, 4],
    [
      [
        [0, 0, 0],
        [4, 0, 0],
        [8, 0, 0],
      ],
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      [0, 4, 8],
    ],
  ],
  [
    'Divide Length that comes out even',
    'fdc466a9-d3b8-4056-852a-09dba0f74aca',
    [LINE, 5],
    [
      [
        [0, 0, 0],
        [5, 0, 0],
        [10, 0, 0],
      ],
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      [0, 5, 10],
    ],
  ],
  // The chord of 5 from (0,0) reaches the bent line at (3,4).
  [
    'Divide Distance',
    '1e531c08-9c80-46d6-8850-1b50d1dae69f',
    [BENT, 5],
    [
      [
        [0, 0, 0],
        [3, 4, 0],
      ],
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      [0, 2],
    ],
  ],
  ['Shatter', '2ad2a4d4-3de1-42f6-a4b8-f71835f35710', [LINE, [7, 2, 7, 99]], [['line', 'line', 'line']]],
  [
    'Perp Frames',
    '983c7600-980c-44da-bc53-c804067f667f',
    [LINE, integer(2), true],
    [
      ['plane', 'plane', 'plane'],
      [0, 5, 10],
    ],
  ],
  [
    'Explode',
    'afb96615-c59a-45c9-9cac-e27acb1c7ca0',
    [SQUARE, true],
    [
      ['line', 'line', 'line', 'line'],
      [
        [0, 0, 0],
        [4, 0, 0],
        [4, 4, 0],
        [0, 4, 0],
        [0, 0, 0],
      ],
    ],
  ],
  ['Flip Curve', '22990b1f-9be6-477c-ad89-f775cd347105', [LINE, undefined], [['line'], [true]]],
  [
    'Flip Curve by a guide along it',
    '22990b1f-9be6-477c-ad89-f775cd347105',
    [LINE, line(O, point(1, 5, 0))],
    [['line'], [false]],
  ],
  [
    'Join Curves',
    '8073a420-6bec-49e3-9b18-367f6fd76ac3',
    [[LINE, null, line(point(10, 0, 0), point(10, 5, 0))], false],
    [['polyline']],
  ],
  ['Fillet', '2f407944-81c3-4062-a485-276454ec4b8c', [SQUARE, 1], [['polyCurve']]],
  ['Sub Curve', '429cbba9-55ee-4e84-98ea-876c44db879a', [LINE, domain(8, 2)], [['line']]],
  [
    'Curve To Polyline',
    '2956d989-3599-476f-bc92-1d847aff98b6',
    [BENT, 0, 0, undefined, undefined],
    [['polyline'], [2]],
  ],
  [
    'Curve | Plane',
    'b7c12ed1-b09a-4e15-996f-3fa9f3f16b1c',
    [line(point(1, 2, -1), point(1, 2, 1)), WORLD_XY],
    [[[1, 2, 0]], [1], [[1, 2, 0]]],
  ],
  [
    'Curve | Line',
    '0e3173b6-91c6-4845-a748-e45d4fdbc262',
    [UNIT, line(point(5, 0, 0), point(6, 0, 0))],
    [
      [
        [1, 0, 0],
        [-1, 0, 0],
      ],
      [0, Number(Math.PI.toFixed(6))],
      [2],
    ],
  ],
  [
    'Curve | Curve',
    '84627490-0fb2-4498-8138-ad134ee4cb36',
    [LINE, line(point(2, -1, 0), point(2, 1, 0))],
    [[[2, 0, 0]], [2], [1]],
  ],
  ['Curve Frame', '6b2a5853-07aa-4329-ba84-0a5d46b51dbd', [UNIT, 0], [['plane']]],
  [
    'Horizontal Frames',
    '8d058945-ce47-4e7c-82af-3269295d7890',
    [LINE, integer(1)],
    [
      ['plane', 'plane'],
      [0, 10],
    ],
  ],
  [
    'Closed',
    '323f3245-af49-4489-8677-7a2c73664077',
    [[SQUARE, UNIT, LINE]],
    [
      [true, true, false],
      [false, true, false],
    ],
  ],
  ['Length Domain', '188edd02-14a9-4828-a521-34995b0d1e4a', [BENT, domain(1.5, 0.5)], [[-3.5]]],
  ['Length Parameter', 'a1c16251-74f0-400f-9e7c-5e379d739963', [BENT, 1], [[3], [4]]],
  [
    'Deconstruct Arc',
    '23862862-049a-40be-b558-2418aacbd916',
    [arc(WORLD_XY, 2, 0, 1)],
    [['plane'], [2], [[0, 1]]],
  ],
] as const satisfies readonly (readonly [string, string, readonly InputData[], unknown[][]])[]) {
  test(`${name}: given what it needs, when it runs, then the output of Grasshopper is the result`, () => {
    assert.deepEqual(sent(guid, inputs), { outputs: expected, messages: [] })
  })
}

const first = (guid: string, inputs: readonly InputData[]): Value | null | undefined =>
  Object.values(run(guid, inputs).outputs[0] ?? {})[0]?.[0]

// Recorded of Grasshopper 8 by pyhopper: circle_four_unaligned.
test('Perp Frames: given a circle and no alignment, then the x axes are those that openNURBS chooses for each tangent', () => {
  const inputs = [circle(WORLD_XY, 2), integer(4), false]
  const { outputs } = run('983c7600-980c-44da-bc53-c804067f667f', inputs)
  const axes = (outputs[0]?.['{0;0}'] ?? []).map((frame) => {
    const { xAxis } = frame as Plane
    return [xAxis.x + 0, xAxis.y + 0, xAxis.z + 0]
  })
  assert.deepEqual(axes, [
    [0, 0, 1],
    [0, -1, 0],
    [0, 0, -1],
    [0, 1, 0],
  ])
})

test('Offset Curve: given curves against the clock, when the distance is above zero, then they grow', () => {
  const OFFSET = '1a38d325-98de-455c-93f1-bca431bc1243'
  assert.deepEqual(first(OFFSET, [UNIT, 0.5, WORLD_XY, integer(1)]), circle(WORLD_XY, 1.5))
  const grown = first(OFFSET, [SQUARE, 1, WORLD_XY, integer(1)])
  assert.deepEqual(
    show({
      '{0}':
        grown && typeof grown === 'object' && grown.type === 'polyline'
          ? grown.vertices.map(({ x, y, z }) => point(x, y, z))
          : [],
    }),
    [
      [-1, -1, 0],
      [5, -1, 0],
      [5, 5, 0],
      [-1, 5, 0],
      [-1, -1, 0],
    ],
  )
  assert.match(run(OFFSET, [SQUARE, -2, WORLD_XY, integer(1)]).messages[0] ?? '', /^error: /)
})

test('Offset Curve: given a free curve, then it is offset within the tolerance; given one that bends too much, then a limit', () => {
  const at = (x: number, y: number) => ({ x, y, z: 0 })
  const OFFSET = '1a38d325-98de-455c-93f1-bca431bc1243'
  // The parabola y = x² / 8, whose radius of curvature is 4 at its vertex.
  const parabola: Curve = {
    type: 'nurbsCurve',
    degree: 2,
    points: [at(-4, 2), at(0, -2), at(4, 2)],
    knots: [0, 0, 1, 1],
  }
  const offset = (by: number) => run(OFFSET, [parabola, by, WORLD_XY, integer(1)])
  const { outputs, codes } = offset(1)
  assert.deepEqual(codes, ['approximate'])
  const [curve] = Object.values(outputs[0] ?? {})[0] as [Curve]
  for (let i = 0; i <= 40; i++) {
    const gap = findClosestPoint(parabola, getPoint(curve, i / 40))?.distance ?? 0
    assert.ok(Math.abs(gap - 1) < 1e-3, `${gap} at ${i / 40}`)
  }
  assert.deepEqual(offset(-3.9).codes, ['approximate'])
  const outwards = run(OFFSET, [parabola, 5, undefined, integer(1)])
  assert.deepEqual(outwards.codes, ['approximate'], 'its other side cannot be offset that far')
  for (const by of [-4.1, -40]) assert.deepEqual(offset(by).codes, ['limit'])
  const corner = { ...parabola, points: [...parabola.points, at(4, 4), at(6, 6)], knots: [0, 0, 1, 1, 2, 2] }
  assert.deepEqual(run(OFFSET, [corner, 1, WORLD_XY, integer(1)]).codes, ['limit'])
})

test('Offset Curve: given no plane, then to the side where it is longer, or shorter for a distance below zero', () => {
  const OFFSET = '1a38d325-98de-455c-93f1-bca431bc1243'
  const lengthOf = (curve: Value, by: number) => {
    const offset = first(OFFSET, [curve, by, undefined, integer(1)])
    return first('c75b62fa-0a33-4da7-a5bd-03fd0068fd93', [offset])
  }
  const turned = polyline([O, point(0, 4, 0), point(4, 4, 0), point(4, 0, 0), O])
  for (const square of [SQUARE, turned]) {
    assert.deepEqual([lengthOf(square, 1), lengthOf(square, -1)], [24, 8])
  }
  for (const bend of [
    polyline([O, point(4, 0, 0), point(4, 4, 0)]),
    polyline([O, point(0, 0, 4), point(4, 0, 4)]),
  ]) {
    assert.deepEqual([lengthOf(bend, 1), lengthOf(bend, -1)], [10, 6])
  }
  assert.match(run(OFFSET, [line(O, point(1, 0, 0)), 1, undefined, integer(1)]).messages[0] ?? '', /^error: /)
  // Both ends of these point the same way, so that their offsets to both sides have the same length.
  for (const [x, y] of [
    [13, 9],
    [28, 4],
    [34, 29],
  ] as const) {
    const points = [O, point(x, 0, 0), point(30, y, 0), point(100, y, 0)]
    const wave: Value = { type: 'nurbsCurve', degree: 3, points, knots: [0, 0, 0, 1, 1, 1] }
    assert.deepEqual(run(OFFSET, [wave, 2, undefined, integer(1)]).codes, ['limit'])
  }
})

test('Nurbs Curve: given four points, when the degree is 3, then it is one span over 0 to 1; periodic ones are closed', () => {
  const NURBS = 'dde71aef-d6ed-40a6-af98-6b0673983c82'
  const points = [O, point(1, 0, 0), point(1, 1, 0), point(0, 1, 0)]
  const open = first(NURBS, [points, integer(3), false])
  assert.ok(open && typeof open === 'object' && open.type === 'nurbsCurve')
  assert.deepEqual(open.knots, [0, 0, 0, 1, 1, 1])
  const closed = first(NURBS, [points, integer(3), true])
  assert.ok(closed && typeof closed === 'object' && closed.type === 'nurbsCurve')
  assert.deepEqual(closed.knots, [-0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5])
  assert.equal(closed.points.length, 7)
})

test('Arc 3Pt and Arc SED: given a half circle, then both find it; points in a row give a line of endless radius', () => {
  const [A3, SED] = ['9fa1b081-b1c7-4a12-a163-0aa8da9ff6c4', '9d2583dd-6cf5-497c-8c40-c9a290598396']
  assert.deepEqual(sent(A3, [point(2, 0, 0), point(0, 2, 0), point(-2, 0, 0)]).outputs[2], [2])
  assert.deepEqual(sent(SED, [point(2, 0, 0), point(-2, 0, 0), vector(0, 9, 0)]).outputs[2], [2])
  assert.deepEqual(
    show(
      run('c75b62fa-0a33-4da7-a5bd-03fd0068fd93', [
        first(SED, [point(2, 0, 0), point(-2, 0, 0), vector(0, 9, 0)]),
      ]).outputs[0],
    ),
    [6.283185],
  )
  assert.deepEqual(sent(A3, [O, point(1, 0, 0), point(2, 0, 0)]).outputs, [['line'], ['plane'], [Infinity]])
})

test('Extend Curve: given an arc, when it goes on straight, bent or as it is, then it is longer by that', () => {
  const [EXTEND, LENGTH] = ['62cc9684-6a39-422e-aefa-ed44643557b9', 'c75b62fa-0a33-4da7-a5bd-03fd0068fd93']
  for (const how of [0, 1, 2]) {
    const longer = first(EXTEND, [HALF, integer(how), 1, 2])
    assert.deepEqual(show(run(LENGTH, [longer]).outputs[0]), [Number((2 * Math.PI + 3).toFixed(6))])
  }
  assert.deepEqual(show(run(LENGTH, [first(EXTEND, [LINE, integer(0), -1, -2])]).outputs[0]), [7])
})

test('Kinky Curve: given a corner sharper than the angle, then the curve breaks there', () => {
  const curve = first('6f0993e8-5f2f-4fc0-bd73-b84bc240e78e', [
    [O, point(1, 0.1, 0), point(2, 0, 0), point(2, 5, 0)],
    integer(3),
    1,
  ])
  assert.ok(curve && typeof curve === 'object' && curve.type === 'polyCurve')
  assert.deepEqual(
    curve.segments.map(({ type }) => type),
    ['nurbsCurve', 'line'],
  )
})

for (const [name, guid, inputs] of [
  ['Line between equal points', '4c4e56eb-2f04-43f9-95a3-cc46a14f495a', [O, O]],
  ['Line SDL without direction', '4c619bc9-39fd-4717-82a6-1e07ea237bbe', [O, vector(0, 0, 0), 1]],
  ['PolyLine of one point', '71b5b089-500a-4ea6-81c5-2f960441a0e8', [[O], false]],
  ['Circle without radius', '807b86e3-be8d-4970-92b5-f8cdcb45b06b', [WORLD_XY, 0]],
  ['Circle CNR without normal', 'd114323a-e6ee-4164-946b-e4ca0ce15efa', [O, vector(0, 0, 0), 1]],
  [
    'Rectangle without size',
    'd93100b6-d50b-40b2-831a-814659dc38e3',
    [WORLD_XY, domain(0, 0), domain(0, 1), 0],
  ],
  [
    'Interpolate through one point twice',
    '2b2a4145-3dff-41d4-a8de-1ea9d29eef33',
    [[O, O, point(1, 0, 0)], integer(3), false, integer(1)],
  ],
  [
    'Interpolate with degree 5',
    '2b2a4145-3dff-41d4-a8de-1ea9d29eef33',
    [[O, point(1, 0, 0)], integer(5), false, integer(1)],
  ],
  ['Divide Curve into none', '2162e72e-72fc-4bf8-9459-d4d82fa8aa14', [LINE, integer(0), false]],
  ['Divide Length by nothing', 'fdc466a9-d3b8-4056-852a-09dba0f74aca', [LINE, 0]],
  ['Evaluate Length past the end', '6b021f56-b194-4210-b9a1-6cef3b7d0848', [LINE, 11, false]],
  ['Point In Curve of an open one', 'a72b0bd3-c7a7-458e-875d-09ae1624638c', [O, LINE]],
  ['Extend Curve to less than nothing', '62cc9684-6a39-422e-aefa-ed44643557b9', [LINE, integer(0), -6, -6]],
] as const satisfies readonly (readonly [string, string, readonly InputData[]])[]) {
  test(`${name}: given what it cannot use, when it runs, then there is a message and no value`, () => {
    const { outputs, messages } = sent(guid, inputs)
    assert.equal(messages.length, 1)
    assert.ok(outputs.flat().every((value) => value === null))
  })
}

test('Interpolate, Kinky Curve: given two points in a row at the same place, when they run, then that is a limit', () => {
  const [a, b] = [point(0, 0, 0), point(1, 0, 0)]
  for (const { outputs, codes } of [
    run('2b2a4145-3dff-41d4-a8de-1ea9d29eef33', [[a, b, b], integer(3), false, integer(0)]),
    run('6f0993e8-5f2f-4fc0-bd73-b84bc240e78e', [[a, b, b], integer(3), 1]),
  ]) {
    assert.deepEqual([outputs, codes], [[{}, {}, {}], ['limit']])
  }
})
