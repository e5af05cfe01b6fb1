/** A forecast of when the credits of a team are used up, if it goes on spending as on the days before today. */
export type Forecast =
  /** No credits are left. */
  | { kind: 'none' }
  /** There are too few days, or days with solves, to say anything. */
  | { kind: 'unknown'; daysNeeded: number }
  /** Nothing was spent. */
  | { kind: 'idle'; days: number }
  | {
      kind: 'days'
      /** The number of days that the forecast was made from. On average, they spent `perDay`. */
      days: number
      perDay: number
      /** Whether days of the week were distinguished. */
      byWeekday: boolean
      /**
       * In how many days from today nothing is left: by `early` in one of ten futures, by `middle` in half of them, and
       * by `late` in nine of ten. Undefined beyond two years.
       */
      early: number | undefined
      middle: number | undefined
      late: number | undefined
    }

/** The least number of whole days, and of days with solves, for a forecast. */
const MIN_DAYS = 7
const MIN_SPENDING_DAYS = 3
/** From this number of days on, a Monday is expected to be like the Mondays before. */
const WEEKDAY_DAYS = 28
const HORIZON_DAYS = 730
const FUTURES = 400

/**
 * Draws futures from the days before: first a past that could as well have been, then days of it, until the credits are
 * gone. So the range holds both how much days differ and how little is known from few of them. The same data gives the
 * same forecast.
 * @param left In any whole unit, such as tenths of a credit, like `before` and `perDay` of the forecast.
 * @param before What was spent on each whole day before today, the oldest first.
 */
export function forecastCredits(left: number, before: readonly number[]): Forecast {
  if (left <= 0) return { kind: 'none' }
  if (before.length < MIN_DAYS) return { kind: 'unknown', daysNeeded: MIN_DAYS - before.length }
  const total = before.reduce((sum, spent) => sum + spent, 0)
  if (total === 0) return { kind: 'idle', days: before.length }
  if (before.filter((spent) => spent > 0).length < MIN_SPENDING_DAYS)
    return { kind: 'unknown', daysNeeded: 0 }
  const byWeekday = before.length >= WEEKDAY_DAYS
  const draw = createRandom()
  const ends = Array.from({ length: FUTURES }, () => imagineEnd(left, before, byWeekday ? 7 : 1, draw))
  ends.sort((a, b) => a - b)
  const at = (share: number) => {
    const days = ends[Math.floor(share * (FUTURES - 1))]!
    return days <= HORIZON_DAYS ? days : undefined
  }
  return {
    kind: 'days',
    days: before.length,
    perDay: total / before.length,
    byWeekday,
    early: at(0.1),
    middle: at(0.5),
    late: at(0.9),
  }
}

/** Returns after how many days nothing is left in one future. Days that are `period` days apart are alike. */
function imagineEnd(credits: number, before: readonly number[], period: number, draw: () => number): number {
  // The days before are grouped with those that are alike. The first group is like today, the next one like tomorrow.
  const kinds = Array.from({ length: period }, (_, kind) =>
    before.filter((_, i) => (before.length - i + kind) % period === 0),
  )
  const pasts = kinds.map((days) => days.map(() => days[Math.floor(draw() * days.length)]!))
  let left = credits
  let day = 0
  while (left > 0 && day <= HORIZON_DAYS) {
    const past = pasts[day % period]!
    left -= past[Math.floor(draw() * past.length)]!
    day++
  }
  return left > 0 ? HORIZON_DAYS + 1 : Math.max(day - 1, 0)
}

/**
 * Returns a function that returns numbers from 0 up to 1, the same each time. Source: mulberry32, by Tommy Ettinger.
 */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
