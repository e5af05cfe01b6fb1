import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDifference, readMeadowFacts, searchFacts } from './facts.ts'

const document = (id: string, updatedAt = '2026-01-02T03:04:05.060Z') =>
  ({
    id,
    name: 'A',
    visibility: 'private',
    createdAt: updatedAt,
    updatedAt,
    folder: { id: 'f', name: 'F' },
  }) as never

test('given the same documents in another order and with times as PostgreSQL writes them, when their facts are compared, then they are equal', () => {
  const own = searchFacts([document('b'), document('a', '2026-01-02T04:04:05.06+01:00')])
  const body = JSON.stringify({ documents: [document('a'), document('b')], truncated: false })
  assert.equal(describeDifference(own, readMeadowFacts({ kind: 'search', q: '' }, body)), undefined)
})

test('given different facts, when they are compared, then the first difference is described with its place', () => {
  const facts = (...ids: string[]) => searchFacts(ids.map((id) => document(id)))
  assert.equal(
    describeDifference(facts('a'), facts('a', 'b')),
    'the response.found has 1 entries instead of 2',
  )
  assert.equal(describeDifference(facts('a'), facts('b')), 'the response.found.0.id is "a" instead of "b"')
  assert.equal(describeDifference({}, { a: 1 }), 'the response.a is missing instead of 1')
})
