import type { Time } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Dates of the Gregorian calendar, and times of day (rule I-18). */
export const TIMES: readonly Kind[] = [
  defineKind({
    guid: '0c2f0932-5ddc-4ece-bd84-a3a059d3df7a',
    description: 'A date and a time of day from their numbers.',
    solve: ([year, month, dayOfMonth, hour, minute, second], context) => {
      const day = findDay(year, month, dayOfMonth)
      if (day !== undefined && isClock(hour, minute, second))
        return [{ type: 'time', day, ms: toMs(hour, minute, second) }]
      context.error('There is no such date or time of day')
      return []
    },
  }),
  defineKind({
    guid: '595aded2-8916-402d-87a3-a825244bbe3d',
    description: 'A time of day from its hour, minute and second.',
    solve: ([hour, minute, second], context) => {
      if (isClock(hour, minute, second)) return [{ type: 'time', day: null, ms: toMs(hour, minute, second) }]
      context.limit('What becomes of times beyond a day is not published')
      return []
    },
  }),
  defineKind({
    guid: 'f151b0b9-cef8-4809-96fc-9b14f1c3a7b9',
    description: 'A time of day from days, hours, minutes and seconds with fractions.',
    solve: ([days, hours, minutes, seconds], context) => {
      const parts = [days * DAY_MS, hours * HOUR_MS, minutes * MINUTE_MS, seconds * SECOND_MS]
      const ms = parts.reduce((sum, part) => sum + Math.round(part), 0)
      if (ms >= 0 && ms < DAY_MS) return [{ type: 'time', day: null, ms }]
      context.limit('What becomes of times beyond a day is not published')
      return []
    },
  }),
  defineKind({
    guid: '31534405-6573-4be6-8bf8-262e55847a3a',
    description: 'The date of one value with the time of day of another.',
    solve: ([date, time], context) =>
      hasDay(date, context) ? [{ type: 'time', day: date.day, ms: time.ms }] : [],
  }),
  defineKind({
    guid: 'd5e28df8-495b-4892-bca8-60748743d955',
    description: 'The year, month, day, hour, minute and second of a date.',
    solve: ([date], context) => {
      if (!hasDay(date, context)) return []
      const at = new Date(date.day * DAY_MS)
      const count = (unit: number, most: number) => Math.floor(date.ms / unit) % most
      return [
        at.getUTCFullYear(),
        at.getUTCMonth() + 1,
        at.getUTCDate(),
        count(HOUR_MS, 24),
        count(MINUTE_MS, 60),
        count(SECOND_MS, 60),
      ]
    },
  }),
  defineKind({
    guid: '4083802b-3dd9-4b13-9756-bf5441213e70',
    description: 'The time between two dates, or two times of day, at a factor from 0 to 1.',
    solve: ([a, b, factor], context) => {
      if ((a.day === null) !== (b.day === null) || !(factor >= 0 && factor <= 1)) {
        context.limit('Only two dates, or two times of day, are interpolated, at factors from 0 to 1')
        return []
      }
      const span = ((b.day ?? 0) - (a.day ?? 0)) * DAY_MS + b.ms - a.ms
      const ms = a.ms + Math.round(span * factor)
      const days = Math.floor(ms / DAY_MS)
      return [{ type: 'time', day: a.day === null ? null : a.day + days, ms: ms - days * DAY_MS }]
    },
  }),
]

/** The number of a day; undefined for one that no calendar from year 1 to 9999 has. */
function findDay(year: number, month: number, day: number): number | undefined {
  if (year < 1 || year > 9999) return undefined
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  const isSame = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isSame ? at.getTime() / DAY_MS : undefined
}

function isClock(hour: number, minute: number, second: number): boolean {
  const isBelow = (value: number, most: number) => value >= 0 && value < most
  return isBelow(hour, 24) && isBelow(minute, 60) && isBelow(second, 60)
}

function toMs(hour: number, minute: number, second: number): number {
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS
}

function hasDay(time: Time, context: KindContext): time is Time & { day: number } {
  if (time.day === null) context.limit('Which date a time of day has in Grasshopper is not published')
  return time.day !== null
}
