import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DatedVersion, selectVersionsToKeep } from './select-versions-to-keep.ts'

const DAY_MS = 24 * 3600 * 1000
const NOW = Date.UTC(2026, 10, 28, 9)
const DEFAULT = { allDays: 1, dailyDays: 30, weeklyDays: null }

const seqs = (versions: Iterable<DatedVersion>) => [...versions].map(({ seq }) => seq).sort((a, b) => a - b)
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Monday, written out with the calendar. */
function weekOf(at: number): string {
  const day = new Date(at)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return dayOf(day.getTime())
}

test('[HIST-7] given a version every hour of a year, when the default policy selects, then all of a day, the last of each day of a month and the last of each week are kept', () => {
  const versions = Array.from({ length: 365 * 24 }, (_, hour) => ({
    seq: hour + 1,
    at: NOW - 365 * DAY_MS + (hour + 1) * 3_600_000,
    isKept: false,
  }))
  const kept = [...selectVersionsToKeep(versions, DEFAULT, NOW)]
  const within = (from: number, to: number) =>
    kept.filter(({ at }) => NOW - at >= from * DAY_MS && NOW - at < to * DAY_MS)
  assert.equal(within(0, 1).length, 24)
  assert.equal(within(1, 30).length, 29)
  assert.ok(within(30, 366).length >= 48 && within(30, 366).length <= 49)
  assert.ok(within(30, 366).every(({ at }) => new Date(at).getUTCDay() === 0))
})

const policies = fc
  .array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 3, maxLength: 3 })
  .map((days) => days.sort((a, b) => (a ?? Infinity) - (b ?? Infinity)))
  .map(([allDays = null, dailyDays = null, weeklyDays = null]) => ({ allDays, dailyDays, weeklyDays }))

const histories = fc
  .array(fc.record({ ageMs: fc.integer({ min: 0, max: 200 * DAY_MS }), isKept: fc.boolean() }), {
    maxLength: 60,
  })
  .map((drawn) =>
    drawn
      .sort((a, b) => b.ageMs - a.ageMs)
      .map(({ ageMs, isKept }, position) => ({
        seq: position + 1,
        at: NOW - ageMs,
        isKept: isKept && ageMs % 3 === 0,
      })),
  )

test('[HIST-7] given any versions and any policy, then a version is kept exactly if it is the newest, named, or the policy says so, and selecting later from what was kept is the same as selecting later from all', () => {
  fc.assert(
    fc.property(
      histories,
      policies,
      fc.integer({ min: 0, max: 100 * DAY_MS }),
      (versions, policy, laterMs) => {
        const kept = selectVersionsToKeep(versions, policy, NOW)
        for (const version of versions) {
          const age = (NOW - version.at) / DAY_MS
          const isLast = (periodOf: (at: number) => string) =>
            !versions.some(({ seq, at }) => seq > version.seq && periodOf(at) === periodOf(version.at))
          const isExpected =
            version.isKept ||
            version.seq === versions.length ||
            age < (policy.allDays ?? Infinity) ||
            (age < (policy.dailyDays ?? Infinity) && isLast(dayOf)) ||
            (age < (policy.weeklyDays ?? Infinity) && isLast(weekOf))
          assert.equal(kept.has(version), isExpected, JSON.stringify({ version, policy }))
        }
        const later = NOW + laterMs
        const twice = selectVersionsToKeep([...kept], policy, later)
        assert.deepEqual(seqs(twice), seqs(selectVersionsToKeep(versions, policy, later)))
      },
    ),
    { numRuns: 500 },
  )
})
