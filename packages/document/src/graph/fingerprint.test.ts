import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import fc from 'fast-check'
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

test('[DOC-20] given any values, when the members of their objects are in another order, then the fingerprint is the same, and with another value beside them it is not', () => {
  const node = (state: unknown) =>
    ({
      ...{ templateId: 't', instanceId: 'n', status: { isEnabled: true } },
      ...{ inputs: {}, outputs: {}, sources: {}, values: {}, ports: {}, state },
    }) as unknown as GraphContent['nodes'][string]
  const fingerprint = (value: unknown) => fingerprintOf({ nodes: { n: node({ value }) } } as never)
  const turned = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(turned)
    const members = Object.entries(value).map(([name, member]) => [name, turned(member)])
    return Object.fromEntries(members.reverse())
  }
  const names = fc.string({ unit: 'grapheme', maxLength: 4 })
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(names, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(names, tie('any'), { maxKeys: 30 }),
    ),
  })).any
  fc.assert(
    fc.property(values, (value) => {
      assert.equal(fingerprint(turned(value)), fingerprint(value))
      assert.notEqual(fingerprint([value, 1]), fingerprint([value, 2]))
    }),
    { numRuns: 300 },
  )
})
