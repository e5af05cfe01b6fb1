/** A day of a time zone, in milliseconds since 1970. */
export interface CalendarDay {
  /** The date, such as `2026-03-29`. */
  day: string
  since: number
  /** The first moment of the next day. */
  until: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Zones differ from UTC, and change, by multiples of it. */
const STEP_MS = HOUR_MS / 4

/**
 * Lists the day of `now` and the days before it, the oldest first. A day has 23 or 25 hours where clocks are changed.
 * Returns undefined for a time zone that this machine does not know.
 */
export function listDays(count: number, zone: string, now: number): CalendarDay[] | undefined {
  const format = createFormat(zone)
  if (!format) return undefined
  const dayOf = (ms: number) => format.format(ms)
  const today = Date.parse(dayOf(now))
  const starts = Array.from({ length: count + 1 }, (_, back) => {
    const utc = today + (1 - back) * DAY_MS
    return { day: new Date(utc).toISOString().slice(0, 10), since: findStart(utc, dayOf) }
  }).reverse()
  return starts.slice(0, -1).map((start, i) => ({ ...start, until: starts[i + 1]!.since }))
}

/** The first moment whose date is a day, which begins at `utc` in UTC and up to 15 hours before or after it elsewhere. */
function findStart(utc: number, dayOf: (ms: number) => string): number {
  const day = new Date(utc).toISOString().slice(0, 10)
  let [before, at] = [-15 * (HOUR_MS / STEP_MS), 15 * (HOUR_MS / STEP_MS)]
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dayOf(utc + middle * STEP_MS) < day) before = middle
    else at = middle
  }
  return utc + at * STEP_MS
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // Sweden writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  } catch {
    return undefined
  }
}
