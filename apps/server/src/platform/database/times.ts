import type { Timestamp } from '@meadow/contract'

/**
 * The latest time that is stored, in milliseconds since 1970 (the year 2248): what the search index has room for.
 */
export const MAX_TIME = 2 ** 43 - 1

/** A time as it is stored: whole milliseconds. File times out of range, which are damage, become the nearest in it. */
export function readTime(ms: number): number {
  return Math.trunc(Math.min(Math.max(ms, 0), MAX_TIME)) || 0
}

/** A stored time as the wire shows it. */
export function toTimestamp(ms: number): Timestamp {
  return new Date(ms).toISOString()
}
