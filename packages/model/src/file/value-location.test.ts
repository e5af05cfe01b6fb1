import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlatformId, createUuidV5 } from './value-location.ts'

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
const LOCATION = { nodeInstanceId: 'n', portInstanceId: 'p', path: '{0}', index: 0 }

test('[MOD-12] given the example of RFC 9562, when its UUID is made, then the one printed there', () => {
  assert.equal(createUuidV5(DNS, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('[MOD-12] given a point, when its id is made, then the one it always had, and another for any other point', () => {
  assert.equal(createPlatformId('d', LOCATION), '53e12b5d-54b9-5b58-9b94-5d9425be3118')
  const others = [
    createPlatformId('e', LOCATION),
    createPlatformId('d', { ...LOCATION, index: 1 }),
    createPlatformId('d', { ...LOCATION, path: '{1}' }),
    createPlatformId('d', { ...LOCATION, nodeInstanceId: 'np', portInstanceId: '' }),
  ]
  assert.equal(new Set([...others, createPlatformId('d', LOCATION)]).size, 5)
})
