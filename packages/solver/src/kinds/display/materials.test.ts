import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colour, integer } from '@meadow/geometry/values/value'
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
