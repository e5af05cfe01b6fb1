import { type RawBuilder, sql } from 'kysely'
import type { Dialect, Select } from './database.ts'

/**
 * Returns SQL for the time by the clock of the database, in milliseconds since 1970: the one clock that all processes
 * share. Unlike `now()` of PostgreSQL, it goes on within a transaction.
 */
export const databaseNow = (dialect: Dialect): RawBuilder<number> => CLOCKS[dialect]

const CLOCKS: Record<Dialect, RawBuilder<number>> = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
}

const clocks = new WeakMap<object, () => number>()

/** Makes `clock` the clock of everything that is read or written with this handle. */
export function keepTime(handle: object, clock: () => number): void {
  clocks.set(handle, clock)
}

/** Returns the time by the clock of the database that this handle reads or writes, in milliseconds since 1970. */
export function timeOf(handle: Select): number {
  const clock = clocks.get(handle)
  if (!clock) throw new Error('The transaction has ended, or it is not that of a Database.')
  return clock()
}

const MEASURE_EVERY_MS = 10_000
/** An answer that takes longer is ignored, since it says too little about the time. */
const SLOWEST_MS = 1000

/** The clock of another server. Setting this machine's own clock does not change it. */
export interface FollowedClock {
  now(): number
  close(): void
}

/**
 * Follows the clock that `read` asks for, which is read now and every ten seconds. Rejects when it cannot be read now.
 */
export async function followClock(read: () => Promise<number>): Promise<FollowedClock> {
  let offset: number | undefined
  const measure = async () => {
    const before = performance.now()
    const at = await read()
    const after = performance.now()
    if (offset === undefined || after - before < SLOWEST_MS) offset = at - (before + after) / 2
  }
  await measure()
  // During an outage the process's own steady clock goes on from the last answer.
  const timer = setInterval(() => void measure().catch(() => {}), MEASURE_EVERY_MS).unref()
  return { now: () => Math.round(performance.now() + offset!), close: () => clearInterval(timer) }
}

/**
 * By how much a time may lie further ahead than its length, since clocks are read one after the other, and are
 * adjusted.
 */
export const CLOCK_MARGIN_MS = 2000

/**
 * Whether a lease, window or other end is over (decision 49): it has passed, or it lies further ahead than its own
 * length from now, so that it was written by a clock that was ahead. All values are in milliseconds.
 */
export const hasEnded = (until: number, lengthMs: number, now: number): boolean =>
  until <= now || until > now + lengthMs + CLOCK_MARGIN_MS

/**
 * Whether something that began, or was seen, `at` a time still counts for `lengthMs`. It does not if that time is in
 * the future.
 */
export const isWithin = (at: number, lengthMs: number, now: number): boolean =>
  !hasEnded(at + lengthMs, lengthMs, now)

/** Returns the SQL condition that {@link hasEnded} is true of a column. A row without a time has not ended. */
export const endedAt = (column: string, lengthMs: number, now: number | RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${later(now, lengthMs + CLOCK_MARGIN_MS)})`

/** Returns the opposite of the condition of {@link endedAt}. */
export const lastsAt = (column: string, lengthMs: number, now: number | RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} > ${now} and ${sql.ref(column)} <= ${later(now, lengthMs + CLOCK_MARGIN_MS)})`

/** Returns the SQL condition that {@link isWithin} is true of a column. */
export const seenWithin = (column: string, lengthMs: number, now: RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} > ${later(now, -lengthMs)} and ${sql.ref(column)} <= ${later(now, CLOCK_MARGIN_MS)})`

/** Returns SQL for the time in `ms` milliseconds. */
export const later = (now: number | RawBuilder<number>, ms: number) =>
  typeof now === 'number' ? sql<number>`${now + ms}` : sql<number>`${now} + ${sql.lit(ms)}`

/**
 * After how long without a sign of life a process counts as dead. It gives three signs in that time. Signs are rare on
 * SQLite, where each commit makes cached responses be checked again, and writes to a disk that may otherwise be idle.
 */
export const DEAD_AFTER_MS: Record<Dialect, number> = { sqlite: 45_000, postgres: 15_000 }
