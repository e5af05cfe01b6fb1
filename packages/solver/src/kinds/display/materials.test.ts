import assert from 'node:assert/strict'
import { test } from 'node:test'
import { point } from '@meadow/geometry/values/points'
import { colour, integer, type Value } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

const [RED, WHITE, BLACK] = [colour(255, 0, 0), colour(255, 255, 255), colour(0, 0, 0)]

test('Create Material: given colours and numbers beyond their range, when it runs, then these end at it', () => {
  const { outputs } = run('76975309-75a6-446a-afed-f8653720a9f2', [RED, WHITE, BLACK, 1.5, integer(-3)])
  assert.deepEqual(outputs, [
    {
      '{0}': [{ type: 'shader', diffuse: RED, specular: WHITE, emission: BLACK, transparency: 1, shine: 0 }],
    },
  ])
})

test('Symbol Display: given a symbol of either component, when it runs, then it has no outputs and nothing to say', () => {
  for (const [guid, inputs] of [
    ['79747717-1874-4c34-b790-faef53b50569', [integer(1), 2, 0, RED]],
    ['e5c82975-8011-412c-b56d-bb7fc9e7f28d', [integer(1), 2, 1, 0, RED, BLACK, 1, true]],
  ] as const) {
    const [symbol = null] = run(guid, inputs).outputs[0]?.['{0}'] ?? []
    const { outputs, messages } = run('62d5ead4-53c4-4d0b-b5ce-6bd6e0850ab8', [
      point(1, 2, 3),
      symbol as Value,
    ])
    assert.deepEqual([outputs, messages], [[], []])
  }
})
