import { Text, Tooltip } from '@mantine/core'

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })

/** A time as "3 days ago", with the exact time in a tooltip. */
export function When({ at, size = 'sm' }: { at: string; size?: 'xs' | 'sm' }) {
  return (
    <Tooltip label={formatExact(at)}>
      <Text component="time" size={size} dateTime={at}>
        {formatSince(at)}
      </Text>
    </Tooltip>
  )
}

/** A time as "3 days ago". */
export function formatSince(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return relative.format(0, 'second')
}

/** A time with its date, to the second. */
export const formatExact = (at: string): string => absolute.format(new Date(at))
