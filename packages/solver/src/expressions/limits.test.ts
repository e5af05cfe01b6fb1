import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point } from '@meadow/geometry/values/points'
import { colour, domain } from '@meadow/geometry/values/value'
import { type InputData, run } from '../testing/run.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const EVALUATE = 'cc2b626f-6eff-4d08-9829-2877560693f4'
const FORMAT = '758d91a0-4aec-47f8-9671-16739a8a2c5d'
const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'

/** What one output shows, and the messages. An unknown output has no branches. */
const solve = (guid: string, inputs: readonly InputData[], names?: readonly string[]) => {
  const { outputs, messages } = run(guid, inputs, names ? { inputNames: names } : {})
  return [outputs[0]?.['{0}']?.[0], messages.join()] as const
}

test('[I-6] given operands that no page describes, when an operator meets them, then its output is unknown', () => {
  for (const other of [domain(0, 1), colour(1, 2, 3), xyPlane(point(0, 0, 0))]) {
    const [value, messages] = solve(ADDITION, [other, 1])
    assert.equal(value, undefined)
    assert.match(messages, /^error: /)
  }
})

test('[I-6] given operands that Grasshopper does not add either, when an operator meets them, then its output is null', () => {
  const [value, messages] = solve(ADDITION, [point(1, 2, 3), 1])
  assert.equal(value, null)
  assert.match(messages, /^error: A point \+ A number has no meaning/)
})

test('[I-6, X-5] given an unknown function, another number of operands, or too long a text, when evaluated, then the output is unknown', () => {
  const deep = `${'('.repeat(300)}x${')'.repeat(300)}`
  for (const expression of ['frobnicate(x)', 'sin(x, x)', 'x.colour', deep, `x${'+x'.repeat(6000)}`]) {
    const [value, messages] = solve(EVALUATE, [expression, 1], ['F', 'x'])
    assert.equal(value, undefined, expression.slice(0, 20))
    assert.match(messages, /^error: /)
  }
  assert.equal(solve(FORMAT, [`{0:${'0'.repeat(1001)}}`, undefined, 1])[0], undefined)
})

test('[I-6] given a mistake that Grasshopper reports too, when evaluated, then the output is null', () => {
  for (const expression of ['x +', '1 / 0', 'y', '(x']) {
    const [value, messages] = solve(EVALUATE, [expression, 1], ['F', 'x'])
    assert.equal(value, null, expression)
    assert.match(messages, /^error: /)
  }
})

test('[I-6] given an unknown function in the expression of a port, when data passes it, then the data is unknown', () => {
  const { outputs, messages } = run(RELAY, [1], {
    outputPorts: {},
    ports: { 0: { expression: 'frobnicate(x)' } },
  })
  assert.deepEqual(outputs, [{}])
  assert.deepEqual(messages, ['error: Expression: frobnicate is not a known function'])
})
