const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })

/**
 * A time as "3 days ago" or "in 7 days". What is past counts whole units only. What is to come is rounded to the nearest
 * unit: an invitation of seven days ends "in 7 days" also a second after it was made.
 */
export function formatSince(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000
  const count = seconds < 0 ? Math.trunc : Math.round
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(count(seconds / length), unit)
  }
  return relative.format(0, 'second')
}

/** A time with its date, to the second. */
export const formatExact = (at: string): string => absolute.format(new Date(at))
