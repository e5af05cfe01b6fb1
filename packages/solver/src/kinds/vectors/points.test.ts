import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { integer } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

const CONSTRUCT = '3581f42a-9592-4549-bd6b-1c0fc39d067b'
const DECONSTRUCT = '9abae6b7-fa1d-448c-9209-4a8155345841'
const DISTANCE = '93b8e93d-f932-402c-b435-84be04d87666'
const ORIENTED = 'aa333235-5922-424c-9002-1e0b866a854b'
const CLOSEST = '571ca323-6e55-425a-bf9e-ee103c7ba4b9'

// Expected values worked out by hand.
test('Construct Point: given lists of coordinates, when it runs, then the shortest gives its last one again', () => {
  assert.deepEqual(run(CONSTRUCT, [[1, 2], 5, 0]).outputs, [{ '{0}': [point(1, 5, 0), point(2, 5, 0)] }])
})

test('Deconstruct: given a point and a vector, when it runs, then their coordinates are the result', () => {
  assert.deepEqual(run(DECONSTRUCT, [[point(1, 2, 3), vector(4, 5, 6), null]]).outputs, [
    { '{0}': [1, 4, null] },
    { '{0}': [2, 5, null] },
    { '{0}': [3, 6, null] },
  ])
})

test('Distance: given the ends of a box diagonal of 2, 3 and 6, when it runs, then it is 7', () => {
  assert.deepEqual(run(DISTANCE, [point(1, 1, 1), point(3, 4, 7)]).outputs, [{ '{0}': [7] }])
})

test('Point Oriented: given a plane looking along x, when it runs, then coordinates go along its axes', () => {
  const yz = run('fad344bc-09b1-4855-a2e6-437ef5715fe3', [point(1, 0, 0)]).outputs[0]?.['{0}'] ?? []
  assert.deepEqual(run(ORIENTED, [yz, 2, 3, 4]).outputs, [{ '{0}': [point(5, 2, 3)] }])
})

test('Closest Point: given two points as near and a null, when it runs, then the first of them is the result', () => {
  const cloud = [null, point(0, 0, 5), point(3, 0, 0), point(-3, 0, 0)]
  assert.deepEqual(run(CLOSEST, [point(0, 0, 0), cloud]).outputs, [
    { '{0}': [point(3, 0, 0)] },
    { '{0}': [integer(2)] },
    { '{0}': [3] },
  ])
})

test('Closest Point: given a cloud of nulls, when it runs, then it is null with an error', () => {
  const { outputs, messages } = run(CLOSEST, [point(0, 0, 0), [null]])
  assert.deepEqual(outputs[0], { '{0}': [null] })
  assert.deepEqual(messages, ['error: The cloud has no points'])
})

const BARYCENTRIC = '9adffd61-f5d1-4e9e-9572-e8d9145730dc'
const CYLINDRICAL = '23603075-be64-4d86-9294-c3c125a12104'
const COORDINATES = '5f127fa4-ca61-418e-bb2d-e3739d900f1f'
const CLOSEST_POINTS = '446014c4-c11c-45a7-8839-c45dc60950d6'
const SORT = '4e86ba36-05e2-4cc0-a0f5-3ad57c91f04e'

test('Point Cylindrical: given no angle, when it runs, then the radius goes along x and the height along z', () => {
  const base = xyPlane(point(1, 1, 1))
  assert.deepEqual(run(CYLINDRICAL, [base, 0, 2, 5]).outputs, [{ '{0}': [point(3, 1, 6)] }])
})

test('Plane Coordinates: given a point and a moved plane, when it runs, then the offset is the result', () => {
  const { outputs } = run(COORDINATES, [point(4, 6, 8), xyPlane(point(1, 1, 1))])
  assert.deepEqual(outputs, [{ '{0}': [3] }, { '{0}': [5] }, { '{0}': [7] }])
})

test('Closest Points: given a count of two, when it runs, then the nearest come first', () => {
  const cloud = [point(9, 0, 0), null, point(2, 0, 0), point(-1, 0, 0)]
  const { outputs } = run(CLOSEST_POINTS, [point(0, 0, 0), cloud, integer(2)])
  assert.deepEqual(
    outputs.map((tree) => Object.values(tree).flat()),
    [
      [point(-1, 0, 0), point(2, 0, 0)],
      [integer(3), integer(2)],
      [1, 2],
    ],
  )
})

test('Barycentric: given weights, when it runs, then they need not add up to one, but not to zero', () => {
  const corners = [point(0, 0, 0), point(4, 0, 0), point(0, 8, 0)]
  const { outputs, messages } = run(BARYCENTRIC, [...corners, [1, 1], [1, -1], [2, 0]])
  assert.deepEqual(outputs, [{ '{0}': [point(1, 4, 0), null] }])
  assert.deepEqual(messages, ['error: Weights must not add up to zero'])
})

test('Sort Points: given points, when it runs, then x decides, then y, then z', () => {
  const points = [point(1, 0, 0), point(0, 1, 1), null, point(0, 1, 0), point(0, 0, 9)]
  assert.deepEqual(run(SORT, [points]).outputs, [
    { '{0}': [point(0, 0, 9), point(0, 1, 0), point(0, 1, 1), point(1, 0, 0)] },
    { '{0}': [integer(4), integer(3), integer(1), integer(0)] },
  ])
})
