import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultLife, endOf, listLives, rangeOfDates } from './token-lives.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const DAY_MS = 86_400_000

test('[WEB-106] given a policy, then the choices are within it, and without one a token may have no end', () => {
  const valuesOf = (longest: number | null) => listLives(longest).map(({ value }) => value)
  assert.deepEqual(valuesOf(null), ['7', '30', '90', '365', 'date', 'never'])
  assert.deepEqual(valuesOf(90), ['7', '30', '90', 'date'])
  assert.deepEqual(valuesOf(45), ['7', '30', '45', 'date'])
  assert.deepEqual(valuesOf(1), ['1', 'date'])
  for (const longest of [null, 1, 45, 90, 400]) assert.ok(valuesOf(longest).includes(defaultLife(longest)))
})

test('[WEB-106] given a choice, then its end is that many days away, or the end of the day, and never beyond the policy', () => {
  assert.equal(endOf('30', '', 90, NOW), new Date(NOW + 30 * DAY_MS).toISOString())
  assert.equal(endOf('never', '', null, NOW), null)
  assert.equal(endOf('date', '', null, NOW), undefined)
  assert.equal(endOf('date', '2026-03-20', 90, NOW), new Date('2026-03-20T23:59:59').toISOString())
  const { min, max } = rangeOfDates(5, NOW)
  assert.equal(endOf('date', max, 5, NOW), new Date(NOW + 5 * DAY_MS).toISOString())
  assert.ok(Date.parse(endOf('date', min, 5, NOW)!) > NOW)
})
