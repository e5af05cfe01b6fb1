import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line } from '@meadow/geometry/values/curves'
import { type Point, point } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import { type InputData, listOnly, run } from '../../testing/run.ts'

/*
 * Recorded results of Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/Vector.
 */

const of = (guid: string, ...inputs: InputData[]) => run(guid, inputs).outputs
const whole = (...numbers: number[]): Value[] => numbers.map(integer)

test('Numbers to Points, Points to Numbers: given a mask, then its coordinates in its order', () => {
  const [TO_POINTS, TO_NUMBERS] = [
    '0ae07da9-951b-4b9b-98ca-d312c252374d',
    'd24169cc-9922-4923-92bc-b9222efc413f',
  ]
  assert.deepEqual(of(TO_POINTS, [1, 2, 3, 4], 'xz'), [{ '{0;0}': [point(1, 0, 2), point(3, 0, 4)] }])
  assert.deepEqual(of(TO_POINTS, [1, 2, 3], ['ZYX', 'Z']), [
    { '{0;0}': [point(3, 2, 1)], '{0;1}': [point(0, 0, 1), point(0, 0, 2), point(0, 0, 3)] },
  ])
  assert.deepEqual(of(TO_NUMBERS, [point(1, 2, 3), point(4, 5, 6)], 'YZ'), [{ '{0;0}': [2, 3, 5, 6] }])
  for (const [guid, values, mask] of [
    [TO_POINTS, [1, 2, 3, 4], 'XYZ'],
    [TO_POINTS, [1, 2], 'QQ'],
    [TO_NUMBERS, [point(1, 2, 3)], 'W'],
  ] as const) {
    assert.match(run(guid, [values, mask]).messages.join(), /^error: /)
  }
})

test('Cull Duplicates: given near points, then the middle of each first one and those near to it', () => {
  const CULL = '6eaffbb2-3392-441a-8556-2dc126aa8910'
  const near = [point(0, 0, 0), point(0, 0, 0.0005), point(1, 0, 0), point(0, 0, 0), point(1, 0.0004, 0)]
  assert.deepEqual(of(CULL, near, 0.001), [
    { '{0;0}': [point(0, 0, 0.0005 / 3), point(1, 0.0002, 0)] },
    { '{0;0}': whole(-1, -1) },
    { '{0;0}': whole(3, 2) },
  ])
  const row = [0, 0.0008, 0.0016].map((x) => point(x, 0, 0))
  assert.deepEqual(of(CULL, row, 0.001), [
    { '{0;0}': [point(0.0004, 0, 0), point(0.0016, 0, 0)] },
    { '{0;0}': whole(-1, 2) },
    { '{0;0}': whole(2, 1) },
  ])
  assert.deepEqual(of(CULL, [point(0, 0, 0), point(5, 0, 0)], 0.001)[1], { '{0;0}': whole(0, 1) })
})

test('[O-6] given near points, when Cull Duplicates leaves one or culls all, then the first of them, or none', () => {
  const near = [point(0, 0, 0), point(0, 0, 0.0005), point(1, 0, 0)]
  const cull = (cullMode: number) => {
    const state = { kind: 'options', options: { cullMode } }
    return run('6eaffbb2-3392-441a-8556-2dc126aa8910', [near, 0.001], { state }).outputs
  }
  assert.deepEqual(cull(1), [
    { '{0;0}': [point(0, 0, 0), point(1, 0, 0)] },
    { '{0;0}': whole(0, 2) },
    { '{0;0}': whole(2, 1) },
  ])
  assert.deepEqual(cull(2), [{ '{0;0}': [point(1, 0, 0)] }, { '{0;0}': whole(2) }, { '{0;0}': whole(1) }])
  assert.deepEqual(cull(3), of('6eaffbb2-3392-441a-8556-2dc126aa8910', near, 0.001))
})

test('Point Polar: given two angles and a distance, then the point in the axes of the plane', () => {
  const POLAR = 'a435f5c8-28a2-43e8-a52a-0b6e73c2e300'
  const tilted: Value = {
    type: 'plane',
    origin: { x: 1, y: 1, z: 1 },
    xAxis: { x: 1, y: 0, z: 0 },
    yAxis: { x: 0, y: 0, z: -1 },
    zAxis: { x: 0, y: 1, z: 0 },
  }
  const at = (angle: number, rise: number, offset: number) => {
    const found = of(POLAR, tilted, angle, rise, offset)[0]?.['{0}']?.[0] as Point
    return [found.x, found.y, found.z].map((coordinate) => Math.round(coordinate * 1e6) / 1e6)
  }
  assert.deepEqual(at(Math.PI / 2, 0, 3), [1, 1, -2])
  assert.deepEqual(at(0, Math.PI / 4, 2), [2.414214, 2.414214, 1])
})

test('Sort Along Curve: given points beside a line, when sorted, then they are in the order of their feet on it', () => {
  const [a, b, c] = [point(9, 5, 0), point(-3, 0, 1), point(4, -2, 0)]
  const along = line({ x: 0, y: 0, z: 0 }, { x: 10, y: 0, z: 0 })
  const { outputs } = run('59aaebf8-6654-46b7-8386-89223c773978', [[a, null, b, c], along])
  assert.deepEqual(listOnly(outputs), [[b, c, a], [2, 3, 0].map(integer)])
})
