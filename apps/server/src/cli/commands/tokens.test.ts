import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExpiry } from './tokens.ts'

const NOW = Date.UTC(2026, 10, 20)
const expiryOf = (text: string) => new Date(readExpiry(text, NOW)).toISOString()

test('given a date or a moment in the future, when it is read, then it is UTC unless it says otherwise', () => {
  assert.equal(expiryOf('2030-01-31'), '2030-01-31T00:00:00.000Z')
  assert.equal(expiryOf('2028-02-29'), '2028-02-29T00:00:00.000Z')
  assert.equal(expiryOf('2030-01-31T18:00'), '2030-01-31T18:00:00.000Z')
  assert.equal(expiryOf('2030-01-31T18:00:05.5Z'), '2030-01-31T18:00:05.500Z')
  assert.equal(expiryOf('2030-01-31T18:00:00+02:00'), '2030-01-31T16:00:00.000Z')
  assert.equal(expiryOf('30d'), '2026-12-20T00:00:00.000Z')
  assert.equal(readExpiry('never', NOW), 'never')
})

test('given a day that no calendar has, or no date at all, when it is read, then it is rejected', () => {
  const wrong = [
    '2027-02-29',
    '2030-13-01',
    '2030-00-10',
    '2030-01-00',
    '2030-04-31',
    '2030-01-31T24:00',
    '0d',
    '30 d',
    '9999d',
    '',
    '1e20',
  ]
  for (const text of wrong) assert.throws(() => expiryOf(text), /It must be a date such as/, text)
})

test('given a moment that has passed, when it is read, then it is rejected', () => {
  for (const text of ['2026-11-20', '2026-11-19', '2026-11-20T01:00+01:00']) {
    assert.throws(() => expiryOf(text), /It must be in the future/, text)
  }
})
