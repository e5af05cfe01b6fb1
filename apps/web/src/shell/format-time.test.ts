import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSince } from './format-time.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const CASES: [seconds: number, count: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [7 * DAY, 7, 'day'],
  [7 * DAY - 1, 7, 'day'],
  [7 * DAY - 11 * HOUR, 7, 'day'],
  [7 * DAY - 13 * HOUR, 6, 'day'],
  [90 * DAY - 1, 3, 'month'],
  [30 * DAY - 1, 30, 'day'],
  [DAY - 1, 24, 'hour'],
  [HOUR - 1, 60, 'minute'],
  [30, 0, 'second'],
  [0, 0, 'second'],
  [-30, 0, 'second'],
  [-HOUR + 1, -59, 'minute'],
  [-7 * DAY + 1, -6, 'day'],
  [-7 * DAY, -7, 'day'],
  [-7 * DAY - 23 * HOUR, -7, 'day'],
]

test('[WEB-240] given times, when they are told from now, then ends are rounded and ages are whole', () => {
  for (const [seconds, count, unit] of CASES)
    assert.equal(
      formatSince(new Date(NOW + seconds * 1000).toISOString(), NOW),
      relative.format(count, unit),
      `${seconds} s`,
    )
})
