import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecastCredits } from './forecast.ts'

const repeat = (days: readonly number[], times: number) => Array.from({ length: times }, () => days).flat()

test('[WEB-232] given too little, when a forecast is made, then it says what is missing and no date', () => {
  assert.deepEqual(forecastCredits(0, repeat([5], 30)), { kind: 'none' })
  assert.deepEqual(forecastCredits(-3, []), { kind: 'none' })
  assert.deepEqual(forecastCredits(10, [1, 2, 3]), { kind: 'unknown', daysNeeded: 4 })
  assert.deepEqual(forecastCredits(10, [0, 0, 0, 0, 0, 0, 9, 0, 4]), { kind: 'unknown', daysNeeded: 0 })
  assert.deepEqual(forecastCredits(10, repeat([0], 20)), { kind: 'idle', days: 20 })
})

test('[WEB-232] given the same every day, when a forecast is made, then it is one day; given days that differ, a range around it', () => {
  const even = forecastCredits(100, repeat([10], 10))
  assert.ok(even.kind === 'days')
  assert.deepEqual([even.early, even.middle, even.late, even.perDay], [9, 9, 9, 10])
  const uneven = forecastCredits(100, [0, 0, 50, 0, 3, 0, 17, 0, 10, 20])
  assert.ok(uneven.kind === 'days' && uneven.byWeekday === false && uneven.perDay === 10)
  assert.ok(uneven.early! < uneven.middle! && uneven.middle! < uneven.late!)
  assert.ok(uneven.middle! >= 6 && uneven.middle! <= 14, String(uneven.middle))
  assert.deepEqual(forecastCredits(100, [0, 0, 50, 0, 3, 0, 17, 0, 10, 20]), uneven, 'the same again')
  const seldom = forecastCredits(1_000_000, repeat([1], 20))
  assert.ok(seldom.kind === 'days' && seldom.middle === undefined)
})

test('[WEB-232] given four weeks that spend on one day of the week, when a forecast is made, then the credits end on such a day', () => {
  // The last of the days is yesterday: what is spent in position 0 is spent again today.
  const weeks = repeat([10, 0, 0, 0, 0, 0, 0], 4)
  const forecast = forecastCredits(30, weeks)
  assert.ok(forecast.kind === 'days' && forecast.byWeekday)
  assert.deepEqual([forecast.early, forecast.middle, forecast.late], [14, 14, 14])
})
