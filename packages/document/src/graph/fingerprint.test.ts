import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { fingerprintOf } from './fingerprint.ts'

test('[DOC-20] given a content whose fingerprint earlier versions stored with its solution, then it is still the same', () => {
  const port = { name: 'Number', nickName: 'Größe', typeName: 'Number', access: 'item', flags: [] }
  const values = [
    { type: 'number', value: -0 },
    { type: 'number', value: 1e21 },
    null,
    { value: 'a "塔" \n\ud800', type: 'string' },
  ]
  const node = {
    templateId: 't',
    instanceId: 'n',
    name: 'N',
    nickName: 'N',
    position: { x: 1, y: 2 },
    status: { isPreviewed: true, isEnabled: true },
    inputs: { z: 0, 10: 1, 9: 2 },
    outputs: {},
    sources: { z: [{ portInstanceId: 'p', nodeInstanceId: 'm' }] },
    values: { z: { branches: [{ path: '{0}', values }] } },
    ports: { z: { ...port, options: ['hidden', 'optional'] }, 9: port, 10: port },
    state: { width: 3, minimum: 0, decimals: undefined, maximum: true },
  }
  assert.equal(fingerprintOf({ nodes: { n: node } } as unknown as GraphContent), 'aba0da51fd3567ef')
})
