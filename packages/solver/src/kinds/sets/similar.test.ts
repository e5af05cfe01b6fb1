import assert from 'node:assert/strict'
import { test } from 'node:test'
import { point, vector } from '@meadow/geometry/values/points'
import { colour, integer, type Value } from '@meadow/geometry/values/value'
import { ORIGIN } from '@meadow/geometry/values/vector'
import { type InputData, run } from '../../testing/run.ts'

const find = (data: InputData, set: InputData) => {
  const { outputs, messages } = run('b4d4235f-14ff-4d4e-a29a-b358dcd2baf4', [data, set])
  return { hit: outputs[0]?.['{0;0}'] ?? outputs[0]?.['{0}'], index: outputs[1]?.['{0}'], messages }
}

test('[I-7] given a set with an equal member, when a value is sought, then the first equal one is the hit', () => {
  const cases: [Value, (Value | null)[], number][] = [
    ['IPE100', ['HEA100', 'IPE100', 'IPE100'], 1],
    ['', ['a', ''], 1],
    [true, [null, true], 1],
    [colour(1, 2, 3), [colour(1, 2, 4), colour(1, 2, 3)], 1],
    [Number.NaN, [1, Number.NaN], 1],
  ]
  for (const [data, set, index] of cases) {
    assert.deepEqual(find(data, set), { hit: [set[index]], index: [integer(index)], messages: [] })
  }
})

test('[I-7] given numbers or points, then the first of the closest is the hit', () => {
  const cases: [Value, (Value | null)[], number][] = [
    [2.4, [integer(1), null, integer(2), 9], 2],
    [integer(7), [7.5, 6.9], 1],
    [1e308, [-1e308, 9e307], 1],
    [point(0, 0, 0), [point(3, 4, 0), point(0, 0, 4.9)], 1],
    [1e308, [-1e308, -1.1e308], 0],
    [2, [1, 3], 0],
    [2, [integer(2), 2], 0],
  ]
  for (const [data, set, index] of cases) assert.deepEqual(find(data, set).index, [integer(index)])
})

test('[I-7] given other values, then the first with the most similar text is the hit', () => {
  const cases: [Value, (Value | null)[], number][] = [
    ['IPE10', ['HEA100', null, 'IPE220', 'IPE100'], 3],
    ['IPE10', ['IPE100', 'IPE120'], 0],
    [vector(1, 0, 0), [vector(0, 1, 0), vector(0.9, 0.1, 0)], 0],
    [point(0, 0, 0), [vector(1, 2, 3), vector(0, 0, 0)], 1],
    [colour(1, 2, 3), [colour(9, 8, 7), colour(1, 2, 4)], 1],
    [2, ['a', 3, point(0, 0, 0)], 0],
  ]
  for (const [data, set, index] of cases) assert.deepEqual(find(data, set).index, [integer(index)])
})

test('[I-7] given likeness that is not known, when a value is sought, then that is a limit', () => {
  const line: Value = { type: 'line', from: ORIGIN, to: { x: 1, y: 0, z: 0 } }
  const cases: [Value, (Value | null)[]][] = [
    [2, ['2.5', 7]],
    [Number.NaN, [1, 2]],
    ['a', [line]],
    [line, ['a', 'b']],
  ]
  for (const [data, set] of cases) assert.match(find(data, set).messages.join(), /^error: How alike/)
  assert.deepEqual(find(line, ['a', line]).index, [integer(1)])
})

test('[I-7] given no members, when a value is sought, then that is an error; null is null', () => {
  assert.deepEqual(find(1, [null, null]).messages, ['error: The set has no members'])
  assert.deepEqual(find(null, [1]).hit, [null])
})
