import type { Timestamp } from '@meadow/contract'

/**
 * The latest time that is stored, in milliseconds since 1970 (the year 2248): the limit of the search index.
 */
export const MAX_TIME = 2 ** 43 - 1

/** Returns a time as it is stored: whole milliseconds. Invalid file times become the nearest valid time. */
export function readTime(ms: number): number {
  return Math.trunc(Math.min(Math.max(ms, 0), MAX_TIME)) || 0
}

/** Returns a stored time as the API shows it, ten times as fast as `toISOString`, which matters for long lists. */
export function toTimestamp(ms: number): Timestamp {
  const day = Math.floor(ms / DAY_MS)
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(ms).toISOString().slice(0, 'yyyy-mm-ddT'.length)
    if (dates.size >= MAX_DATES) dates.clear()
    dates.set(day, date)
  }
  const rest = ms - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const time = `${TWO[Math.floor(seconds / 3600)]}:${TWO[Math.floor(seconds / 60) % 60]}:${TWO[seconds % 60]}`
  return `${date}${time}.${THREE[rest % 1000]}Z`
}

const DAY_MS = 24 * 3600 * 1000
const MAX_DATES = 10_000
const dates = new Map<number, string>()
const digits = (count: number, length: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(length, '0'))
const TWO = digits(60, 2)
const THREE = digits(1000, 3)
