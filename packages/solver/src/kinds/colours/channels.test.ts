import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../testing/run.ts'
import { colour, integer } from '../../values/value.ts'

const RGB = '49d2e200-b34e-4e1c-82a3-07feb4cb9378'

test('Split ARGB: given a colour, when it runs, then its channels are the result as integers', () => {
  const { outputs } = run('350f7d03-a48f-4121-bcee-328cfe1ed9ef', [colour(1, 2, 3, 128)])
  assert.deepEqual(
    outputs.map((tree) => tree['{0}']?.[0]),
    [integer(128), integer(1), integer(2), integer(3)],
  )
})

test('Colour RGB: given channels, when it runs, then their colour is the result; beyond their range it is an error', () => {
  const { outputs } = run(RGB, [128, 1, 2, 3].map(integer))
  assert.deepEqual(outputs, [{ '{0}': [colour(1, 2, 3, 128)] }])
  assert.equal(run(RGB, [128, 1, 2, 256].map(integer)).messages.length, 1)
})
