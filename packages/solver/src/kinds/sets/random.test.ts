import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domain, integer } from '@meadow/geometry/values/value'
import { type InputData, listOnly, run } from '../../testing/run.ts'
import { createRandom } from './random.ts'

const RANDOM = '2ab17f9a-d852-4405-80e1-938c5e57e78d'

const draw = (inputs: readonly InputData[], state?: Record<string, unknown>) => {
  const { outputs, messages } = run(RANDOM, inputs, state ? { state } : {})
  return { numbers: listOnly(outputs)[0] as readonly number[] | undefined, messages }
}
const drawMany = (seed: number, count: number) => {
  const next = createRandom(seed)
  return Array.from({ length: count }, next)
}

// Recorded for `Random.NextBytes` of .NET, the lowest byte of each number: stackoverflow.com/questions/13364401. The
// difference of the seeds 0 and 2147483647 there is in the third and the sixth byte.
test('[I-11] given a seed, when numbers are drawn, then they are those of System.Random', () => {
  for (const [seed, bytes] of [
    [0, [26, 12, 70, 111, 93, 117, 228, 216]],
    [1, [70, 208, 134, 130, 64, 151, 228, 163]],
    [2147483647, [26, 12, 76, 111, 93, 115, 228, 216]],
  ] as const) {
    assert.deepEqual(
      drawMany(seed, 8).map((number) => number % 256),
      bytes,
    )
  }
  assert.deepEqual(drawMany(-5, 100), drawMany(5, 100))
  assert.deepEqual(drawMany(-2147483648, 100), drawMany(2147483647, 100))
})

/**
 * The outline of a surface that Grasshopper lofted through ten circles around a line, in a picture of the tutorial 2.5.1
 * of *Essential Algorithms and Data Structures for Grasshopper* (McNeel): the share of the line and the radius, measured
 * to 0.05. Its definition draws ten places from 0 to 1, which it sorts, and ten radii from 1 to 3, all with the seed 2.
 */
const OUTLINE: readonly (readonly [place: number, radius: number])[] = [
  [0.01, 2.55],
  [0.11, 1.8],
  [0.165, 1.33],
  [0.225, 2.92],
  [0.307, 1.22],
  [0.404, 1.6],
  [0.447, 2.61],
  [0.77, 1.89],
  [0.802, 1.47],
  [0.985, 1],
]

test('[I-11] given the seed of a recorded picture, when places and radii are drawn, then the picture shows them', () => {
  const places = draw([domain(0, 1), integer(10), integer(2)]).numbers?.toSorted((a, b) => a - b)
  const { numbers: radii } = draw([domain(1, 3), integer(10), integer(2)])
  for (const [i, [place, radius]] of OUTLINE.entries()) {
    assert.ok(Math.abs((places?.[i] ?? Infinity) - place) < 0.005, `place ${i}: ${places?.[i]}`)
    assert.ok(Math.abs((radii?.[i] ?? Infinity) - radius) < 0.06, `radius ${i}: ${radii?.[i]}`)
  }
})

test('[I-11] given a count, when more numbers are drawn, then the first ones stay, and all are in the domain', () => {
  const { numbers: few } = draw([domain(-1, 5), integer(3), integer(7)])
  const { numbers: many } = draw([domain(-1, 5), integer(1000), integer(7)])
  assert.deepEqual(many?.slice(0, 3), few)
  assert.ok(many?.every((number) => number >= -1 && number < 5))
  const { numbers: backwards } = draw([domain(5, -1), integer(1000), integer(7)])
  assert.ok(backwards?.every((number, i) => Math.abs(number + (many?.[i] ?? 0) - 4) < 1e-12))
})

test('[I-11] given no numbers to draw, or whole ones, when it runs, then the list is empty, an error or a limit', () => {
  assert.deepEqual(draw([domain(0, 1), integer(0), integer(2)]), { numbers: [], messages: [] })
  assert.deepEqual(draw([domain(0, 1), integer(-1), integer(2)]).messages, [
    'error: The number must be 0 or more',
  ])
  const whole = { kind: 'options', options: { integers: true } }
  assert.deepEqual(draw([domain(0, 9), integer(3), integer(2)], whole), {
    numbers: undefined,
    messages: ['error: The menu option integers true is not supported'],
  })
  assert.ok(draw([domain(0, Infinity), integer(2), integer(2)]).numbers?.length === 2)
  assert.deepEqual(draw([null, integer(2), integer(2)]).numbers, [])
})
