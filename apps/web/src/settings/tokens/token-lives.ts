import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS, TOKEN_LIVES } from '@meadow/contract'

const DAY_MS = 86_400_000

/** A choice of when a new token ends: a number of days, the end of a date, or never. */
export type TokenLife = `${number}` | 'date' | 'never'

/** Lists the choices within the policy's longest life in days; null means that there is no limit. */
export function listLives(longestDays: number | null): { value: TokenLife; label: string }[] {
  const lives =
    longestDays === null ? TOKEN_LIVES : [...TOKEN_LIVES.filter((days) => days < longestDays), longestDays]
  return [
    ...lives.map((days) => ({ value: `${days}` as const, label: `in ${formatDays(days)}` })),
    { value: 'date', label: 'at the end of a day' },
    ...(longestDays === null ? [{ value: 'never' as const, label: 'never' }] : []),
  ]
}

/** The choice for someone who chooses nothing. */
export const defaultLife = (longestDays: number | null): TokenLife =>
  `${Math.min(DEFAULT_TOKEN_DAYS, longestDays ?? DEFAULT_TOKEN_DAYS)}`

/** Writes a number of days; 365 days are "a year". */
export function formatDays(days: number): string {
  if (days === 365) return 'a year'
  return days === 1 ? 'a day' : `${days} days`
}

/**
 * Returns when a token with a choice ends; null if it never does. `date` is the value of an `<input type="date">`,
 * whose day ends where the user is, or with the longest life. An empty date gives undefined.
 */
export function endOf(
  life: TokenLife,
  date: string,
  longestDays: number | null,
  now: number,
): string | null | undefined {
  if (life === 'never') return null
  if (life !== 'date') return new Date(now + Number(life) * DAY_MS).toISOString()
  const endOfDay = new Date(`${date}T23:59:59`).getTime()
  if (Number.isNaN(endOfDay)) return undefined
  return new Date(Math.min(endOfDay, now + (longestDays ?? MAX_TOKEN_DAYS) * DAY_MS)).toISOString()
}

/** The first and the last day that can be chosen, where the user is, as `<input type="date">` has them. */
export function rangeOfDates(longestDays: number | null, now: number): { min: string; max: string } {
  return { min: dateOf(now), max: dateOf(now + (longestDays ?? MAX_TOKEN_DAYS) * DAY_MS) }
}

function dateOf(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
