import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circle, line, polyline } from '@meadow/geometry/values/curves'
import { flipPlane, plane, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import { X_AXIS, Y_AXIS, Z_AXIS } from '@meadow/geometry/values/vector'
import { type InputData, run, type Shown } from '../../testing/run.ts'

const MOVE = 'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b'
const ROTATE = 'b7798b74-037e-4f0c-8ac7-dc1043d093e0'
const ROTATE_3D = '3dfb9a77-6e05-4016-9f20-94f78607d672'
const ROTATE_AXIS = '3ac8e589-37f5-477d-aa61-6699702c5728'
const MIRROR = 'f12daa2f-4fd5-48c1-8ac3-5dea476912ca'
const ORIENT = '378d0690-9da0-4dd1-ab16-1d15246e7c22'
const SCALE = '4d2a06bd-4b0f-4c65-9ee0-4220e4c01703'
const SCALE_NU = '290f418a-65ee-406a-a9d0-35699815b512'
const PROJECT = '23285717-156c-468f-a691-b242488c06a6'
const PROJECT_ALONG = '06d7bc4a-ba3e-4445-8ab5-079613b52f28'
const POLAR = 'fca5ad7e-ecac-401d-a357-edda0a251cbc'
const COMPOUND = 'ca80054a-cde0-4f69-a132-10502b24866d'
const INVERSE = '51f61166-7202-45aa-9126-3d83055b269e'
const MERGE = '15204c6d-bba8-403d-9e8f-6660ab8e0df5'
const ARRAY = 'e87db220-a0a0-4d67-a405-f97fd14b2d7a'
const TRANSFORM = '610e689b-5adc-47b3-af8f-e3a32b7ea341'
const GROUP = '874eebe7-835b-4f4f-9811-97e031c41597'
const UNGROUP = 'a45f59c8-11c1-4ea7-9e10-847061b80d75'

const P = point(3, 4, 5)
const YZ = plane(point(1, 0, 0), Y_AXIS, Z_AXIS, X_AXIS)

/** Name, class, inputs, and the transformed point (3, 4, 5), worked out by hand. */
const CASES: readonly [name: string, guid: string, inputs: InputData[], expected: Value][] = [
  ['Move', MOVE, [P, vector(1, -1, 10)], point(4, 3, 15)],
  ['Rotate', ROTATE, [P, Math.PI / 2, xyPlane(point(3, 3, 0))], point(2, 3, 5)],
  ['Rotate, seen from below', ROTATE, [P, Math.PI / 2, flipPlane(xyPlane(point(3, 3, 0)))], point(4, 3, 5)],
  ['Rotate 3D', ROTATE_3D, [P, Math.PI, point(0, 0, 0), vector(2, 0, 0)], point(3, -4, -5)],
  ['Rotate Axis', ROTATE_AXIS, [P, Math.PI, line(point(1, 0, 0), point(1, 0, 9))], point(-1, -4, 5)],
  ['Mirror', MIRROR, [P, YZ], point(-1, 4, 5)],
  ['Orient', ORIENT, [P, WORLD_XY, YZ], point(6, 3, 4)],
  ['Scale', SCALE, [P, point(1, 2, 3), 2], point(5, 6, 7)],
  ['Scale NU', SCALE_NU, [P, xyPlane(point(1, 2, 3)), 2, 0, -1], point(5, 2, 1)],
  ['Project', PROJECT, [P, YZ], point(1, 4, 5)],
  ['Project Along', PROJECT_ALONG, [P, YZ, vector(-2, 1, 0)], point(1, 5, 5)],
]

for (const [name, guid, inputs, expected] of CASES) {
  test(`${name}: given a point, when it runs, then the result agrees with manual calculation, and its transform moves other geometry alike`, () => {
    const { outputs, messages } = run(guid, inputs)
    assert.deepEqual(messages, [])
    assert.deepEqual(outputs[0], { '{0}': [expected] })
    const transform = outputs[1]?.['{0}'] ?? []
    assert.deepEqual(run(TRANSFORM, [P, transform]).outputs, [{ '{0}': [expected] }])
  })

  test(`${name}: given no geometry, when it runs, then the transform alone is the result`, () => {
    const { outputs } = run(guid, [undefined, ...inputs.slice(1)])
    assert.deepEqual(outputs[0], { '{0}': [null] })
    assert.deepEqual(outputs[1], run(guid, inputs).outputs[1])
  })
}

for (const [name, guid, inputs, message] of [
  ['no axis', ROTATE_3D, [P, 1, P, vector(0, 0, 0)], 'error: The axis of rotation has no length'],
  ['an axis without length', ROTATE_AXIS, [P, 1, line(P, P)], 'error: The axis of rotation has no length'],
  [
    'a direction in the plane',
    PROJECT_ALONG,
    [P, YZ, vector(0, 1, 1)],
    'error: The direction lies in the plane',
  ],
  ['an endless motion', MOVE, [P, vector(0, 0, Infinity)], 'error: The transformation has no finite size'],
  [
    'a circle and factor zero',
    SCALE,
    [circle(WORLD_XY, 1), P, 0],
    'warning: Geometry that is scaled to nothing has no form',
  ],
] as const) {
  test(`given ${name}, when a transform runs, then the geometry is null, with a message`, () => {
    const { outputs, messages } = run(guid, inputs)
    assert.deepEqual(outputs[0], { '{0}': [null] })
    assert.deepEqual(messages, [message])
  })
}

test('Move: given a polyline and several vectors, when it runs, then it is copied along each', () => {
  const path = polyline([point(0, 0, 0), point(1, 0, 0)])
  const moved = run(MOVE, [path, [vector(0, 0, 1), vector(0, 0, 2)]]).outputs[0]?.['{0}']
  assert.deepEqual(
    moved?.map((value) => (value as typeof path).vertices.map(({ z }) => z)),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('Linear Array: given a count of three, when it runs, then the first copy stays and the others follow', () => {
  const { outputs } = run(ARRAY, [P, vector(2, 0, 0), integer(3)])
  assert.deepEqual(outputs.map(listAll)[0], [P, point(5, 4, 5), point(7, 4, 5)])
  assert.equal(outputs.map(listAll)[1]?.length, 3)
})

test('Linear Array: given a count of zero, when it runs, then there is no result but an error', () => {
  const { outputs, messages } = run(ARRAY, [P, vector(2, 0, 0), integer(0)])
  assert.deepEqual(outputs.map(listAll), [[], []])
  assert.deepEqual(messages, ['error: Count must be 1 or more'])
})

test('Group and Ungroup: given objects and a null, when they are grouped and moved, then they come apart again', () => {
  const group = run(GROUP, [[P, null, line(P, P)]]).outputs[0]?.['{0}'] ?? []
  const moved = run(MOVE, [group, vector(1, 0, 0)]).outputs[0]?.['{0}'] ?? []
  const [first, second, ...rest] = run(UNGROUP, [moved]).outputs.flatMap(listAll)
  assert.deepEqual(first, point(4, 4, 5))
  assert.ok(typeof second === 'object' && second?.type === 'line')
  assert.deepEqual(rest, [])
})

test('Polar Array: given a full and a half turn, when it runs, then the last copy is one step short', () => {
  const { outputs } = run(POLAR, [point(2, 0, 0), WORLD_XY, integer(4), [2 * Math.PI, Math.PI * 2]])
  const turn = [point(2, 0, 0), point(0, 2, 0), point(-2, 0, 0), point(0, -2, 0)]
  assert.deepEqual(listAll(outputs[0]), [...turn, ...turn])
  const half = run(POLAR, [point(2, 0, 0), WORLD_XY, integer(2), Math.PI])
  assert.deepEqual(listAll(half.outputs[0]), [point(2, 0, 0), point(0, 2, 0)])
})

test('Compound and Inverse Transform: given two transforms, when they are joined, then the first comes first', () => {
  const move = run(MOVE, [undefined, vector(1, 0, 0)]).outputs[1]?.['{0}'] ?? []
  const scale = run(SCALE, [undefined, point(0, 0, 0), 2]).outputs[1]?.['{0}'] ?? []
  const both = run(COMPOUND, [[...move, ...scale]]).outputs[0]?.['{0}'] ?? []
  assert.deepEqual(run(TRANSFORM, [P, both]).outputs, [{ '{0}': [point(8, 8, 10)] }])
  const back = run(INVERSE, [both]).outputs[0]?.['{0}'] ?? []
  assert.deepEqual(run(TRANSFORM, [point(8, 8, 10), back]).outputs, [{ '{0}': [P] }])
})

test('Inverse Transform: given a projection, when it runs, then it is null with an error', () => {
  const projection = run(PROJECT, [undefined, YZ]).outputs[1]?.['{0}'] ?? []
  const { outputs, messages } = run(INVERSE, [projection])
  assert.deepEqual(outputs, [{ '{0}': [null] }])
  assert.equal(messages.length, 1)
})

test('Merge Group: given a group and an object, when it runs, then one group of both is the result', () => {
  const group = run(GROUP, [[P, WORLD_XY]]).outputs[0]?.['{0}'] ?? []
  const merged = run(MERGE, [group, line(P, P)]).outputs[0]?.['{0}'] ?? []
  assert.equal(run(UNGROUP, [merged]).outputs.flatMap(listAll).length, 3)
})

/** All values, in any branch. */
function listAll(shown: Shown = {}): readonly (Value | null)[] {
  return Object.values(shown).flat()
}
