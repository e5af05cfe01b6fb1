import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Line } from '@meadow/geometry/values/curves'
import { findPlaneFromNormal } from '@meadow/geometry/values/planes'
import { type Plane, point, vector } from '@meadow/geometry/values/points'
import { distance } from '@meadow/geometry/values/vector'
import { run } from '../../testing/run.ts'

/*
 * Recorded results of Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/Intersect. That
 * parallel planes give null is the rule of all kinds (M-11).
 */

type Numbers = readonly [number, number, number]

const TWO_PLANES = '290cf9c4-0711-4704-851e-4c99e3343ac5'
const THREE_PLANES = 'f1ea5a4b-1a4f-4cf4-ad94-1ecfb9302b6e'
const HALF = Math.SQRT1_2

const through = (origin: Numbers, normal: Numbers): Plane =>
  findPlaneFromNormal(point(...origin), vector(...normal))!

/** Of each output its one point, or the ends of its one line, or null, as they were recorded. */
function assertGives(guid: string, planes: Plane[], expected: (readonly Numbers[] | null)[]): void {
  const { outputs, messages } = run(guid, planes)
  assert.deepEqual(messages, [])
  assert.equal(outputs.length, expected.length)
  for (const [i, output] of outputs.entries()) {
    const [value] = output['{0}']!
    const points = expected[i]
    if (!points) {
      assert.equal(value, null)
      continue
    }
    const found = points.length === 1 ? [value as never] : [(value as Line).from, (value as Line).to]
    for (const [j, location] of points.entries()) {
      const gap = distance(found[j]!, point(...location))
      assert.ok(gap < 1e-9, `output ${i}: ${JSON.stringify(found[j])}, not ${location}`)
    }
  }
}

test('Plane | Plane: given planes, then a line from the middle of their origins, as long as the sine of their angle', () => {
  const ground = through([0, 0, 1], [0, 0, 1])
  assertGives(
    TWO_PLANES,
    [ground, through([2, 5, 0], [1, 0, 0])],
    [
      [
        [2, 2.5, 1],
        [2, 1.5, 1],
      ],
    ],
  )
  assertGives(
    TWO_PLANES,
    [through([1, 1, 1], [1, 1, 0]), through([-2, 0, 3], [0, 0, 1])],
    [
      [
        [0.5, 1.5, 3],
        [0.5 - HALF, 1.5 + HALF, 3],
      ],
    ],
  )
  assertGives(TWO_PLANES, [ground, through([0, 0, 9], [0, 0, 1])], [null])
})

test('Plane | Plane | Plane: given planes, then where they meet, all three and two at a time', () => {
  assertGives(
    THREE_PLANES,
    [through([1, 2, 3], [0, 0, 1]), through([1, 0, 0], [1, 1, 0]), through([0, 2, 0], [0, 1, 1])],
    [
      [[2, -1, 3]],
      [
        [0.5, 0.5, 3],
        [0.5 + HALF, 0.5 - HALF, 3],
      ],
      [
        [0.5, -1, 3],
        [0.5 + HALF, -1, 3],
      ],
      [
        [-1 / 6, 7 / 6, 5 / 6],
        [-2 / 3, 5 / 3, 1 / 3],
      ],
    ],
  )
  assertGives(
    THREE_PLANES,
    [through([0, 0, 0], [0, 0, 1]), through([0, 0, 3], [0, 0, 1]), through([0, 2, 0], [0, 1, 0])],
    [
      null,
      null,
      [
        [0, 2, 0],
        [1, 2, 0],
      ],
      [
        [0, 2, 3],
        [1, 2, 3],
      ],
    ],
  )
})
