import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../testing/run.ts'

test('Context Bake, Context Print: given data or none, then they have no outputs, and warn about missing data', () => {
  for (const guid of ['ae2531b4-bab2-4bb1-b5bf-f2143d10c132', '73215ec5-0eb5-4f85-9e07-b09c4590ce2b']) {
    assert.deepEqual(run(guid, [{ '{0;1}': [1, 'a', null] }]), { outputs: [], messages: [], codes: [] })
    assert.deepEqual(run(guid, [undefined], { inputNames: ['x'] }).messages, [
      'warning: Input parameter x failed to collect data',
    ])
  }
})
