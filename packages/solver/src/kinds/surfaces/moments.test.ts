import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { createBallMesh, createBoxMesh } from '@meadow/geometry/testing/meshes'
import { circle, polyline } from '@meadow/geometry/values/curves'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import { domain, type Value } from '@meadow/geometry/values/value'
import { listOnly, run } from '../../testing/run.ts'

const AREA_MOMENTS = '1eb7b856-ec7d-40b6-a76c-f216a11df37c'
const VOLUME_MOMENTS = '2e685fd9-7b8f-461b-b330-44857b099937'
const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const closed = (...points: Xyz[]) => polyline([...points, points[0]!])
const boxAt = (x: number): Value => ({
  type: 'box',
  plane: WORLD_XY,
  x: domain(x, x + 2),
  y: domain(0, 3),
  z: domain(0, 4),
})

type Expected = readonly [size: number, ...vectors: (readonly [number, number, number])[]]

/** Size, centroid, inertia, secondary and gyration. */
function check(guid: string, geometry: Value, expected: Expected, slack = 1e-9): void {
  const { outputs, messages } = run(guid, [geometry])
  assert.deepEqual(messages, [])
  const actual = listOnly(outputs).map((values) => {
    const [value] = values!
    return typeof value === 'number'
      ? [value]
      : (['x', 'y', 'z'] as const).map((axis) => (value as unknown as Xyz)[axis])
  })
  for (const [i, part] of [[expected[0]], ...expected.slice(1)].entries()) {
    for (const [k, number] of (part as number[]).entries()) {
      const given = actual[i]![k]!
      assert.ok(
        Math.abs(given - number) <= slack * (1 + Math.abs(number)),
        `${i}: ${actual[i]} is not ${part}`,
      )
    }
  }
}

// Recorded from Grasshopper 8 by the public repository ezzahiranass/pyhopper.
test('Area Moments: given curves, a surface and a box, then what Grasshopper gives', () => {
  const rectangle: readonly (readonly [number, number, number])[] = [
    [8 / 3, 32 / 3, 40 / 3],
    [32 / 3, 8 / 3, 0],
    [0.5773502691896257, 1.1547005383792515, 1.2909944487358056],
  ]
  check(AREA_MOMENTS, closed(at(1, 1), at(5, 1), at(5, 3), at(1, 3)), [8, [3, 2, 0], ...rectangle])
  check(AREA_MOMENTS, circle(xyPlane(at(2, 1)), 1.5), [
    7.0685834705770345,
    [2, 1, 0],
    [3.9760782021995817, 3.9760782021995844, 7.952156404399166],
    [3.9760782021995844, 3.9760782021995817, 0],
    [0.75, 0.75, 1.0606601717798214],
  ])
  check(AREA_MOMENTS, closed(at(0, 0), at(4, 0), at(1, 3)), [
    6,
    [5 / 3, 1, 0],
    [3, 13 / 3, 22 / 3],
    [13 / 3, 3, 0],
    [Math.SQRT1_2, 0.8498365855987974, 1.1055415967851332],
  ])
  const curved: Value = {
    type: 'nurbsSurface',
    degreeU: 1,
    degreeV: 2,
    points: [
      [at(0, 0, 0), at(2, 0, 1), at(4, 0, 0)],
      [at(0, 2, 0), at(2, 2, 2), at(4, 2, 0)],
    ],
    knotsU: [0, 1],
    knotsV: [0, 0, 1, 1],
  }
  check(
    AREA_MOMENTS,
    curved,
    [
      8.84227377575586,
      [2, 1.0161795679036045, 0.48815361993456574],
      [3.5006863608082965, 12.977957872541454, 15.377272970186517],
      [12.427272240959837, 2.95000072922668, 0.5506856315816164],
      [0.6292085603010067, 1.211493815035783, 1.318735456716082],
    ],
    1e-8,
  )
  const shell: Expected = [
    52,
    [101, 1.5, 2],
    [164.33333333333337, 134.6666666666667, 96.33333333333334],
    [33.33333333333334, 63, 101.33333333333337],
    [1.7777110030194478, 1.6092680291808419, 1.3610893073432406],
  ]
  check(AREA_MOMENTS, boxAt(100), shell)
  check(AREA_MOMENTS, createBoxMesh(at(100, 0), at(2, 3, 4)), shell)
})

// A solid box has V (b² + c²) / 12, a ball 2/5 V r².
test('Volume Moments: given a box and a ball, as breps and as meshes, then the values of the textbook', () => {
  const box: Expected = [
    24,
    [101, 1.5, 2],
    [50, 40, 26],
    [8, 18, 32],
    [Math.sqrt(50 / 24), Math.sqrt(40 / 24), Math.sqrt(26 / 24)],
  ]
  check(VOLUME_MOMENTS, boxAt(100), box)
  check(VOLUME_MOMENTS, createBoxMesh(at(100, 0), at(2, 3, 4)), box)
  const volume = (4 / 3) * Math.PI * 8
  const ball = (r: number): Expected => [
    volume,
    [5, 0, 1],
    [0.4 * volume * r, 0.4 * volume * r, 0.4 * volume * r],
    [0.2 * volume * r, 0.2 * volume * r, 0.2 * volume * r],
    [Math.sqrt(0.4 * r), Math.sqrt(0.4 * r), Math.sqrt(0.4 * r)],
  ]
  check(VOLUME_MOMENTS, toBrep(createSphere(xyPlane(at(5, 0, 1)), 2))!, ball(4), 1e-7)
  check(VOLUME_MOMENTS, createBallMesh(at(5, 0, 1), 2, 64), ball(4), 0.005)
})

test('Moments: given open, empty or other geometry, then an error, or nothing', () => {
  for (const [guid, geometry, expected] of [
    [
      AREA_MOMENTS,
      polyline([at(0, 0), at(1, 0), at(1, 1)]),
      'error: Area moments need a closed planar curve',
    ],
    [
      AREA_MOMENTS,
      { type: 'point', ...at(0, 0) },
      'error: Area moments need a surface, brep, mesh or closed planar curve',
    ],
    [VOLUME_MOMENTS, circle(WORLD_XY, 1), 'error: Volume moments need a closed brep or mesh'],
    [VOLUME_MOMENTS, { ...createBoxMesh(at(0, 0), at(1, 1, 1)), faces: [] }, undefined],
  ] as const) {
    const { outputs, messages } = run(guid, [geometry as Value])
    assert.deepEqual(messages[0], expected)
    assert.deepEqual(listOnly(outputs)[0], [null])
  }
})
