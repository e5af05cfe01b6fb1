import { Text, Tooltip } from '@mantine/core'
import { formatExact, formatSince } from './format-time.ts'

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
