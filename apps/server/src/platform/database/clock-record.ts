import type { Select, Write } from './database.ts'
import { CLOCK_MARGIN_MS, timeOf } from './database-clock.ts'
import { putTimesRight } from './time-columns.ts'

/*
 * What the service knows of its own clock. Every process writes the time down with each sign of life, so a clock that
 * has gone ahead shows: the time lies further behind the last one written down than any pause between two signs. Nobody
 * can tell a clock that was set wrongly from a service that stood still, so the time that was gained counts for nothing
 * that cannot be undone (`steadyTime`) until the clock has gone on from there for hours.
 */

/** A longer time without any sign of life is a jump of the clock, or nothing of the service ran. */
const JUMP_MS = 60 * 60 * 1000

/** The clock is believed again when it has gone on for this time without another jump, while a process ran. */
export const STEADY_AFTER_MS = 6 * 60 * 60 * 1000

const ID = 1

/**
 * Writes down the time, and notices when the clock has been set. When it was set back, times that lie in the future now
 * are put right, so that what has yet to last lasts for its own length from now on.
 */
export async function noteTime(write: Write): Promise<void> {
  const now = timeOf(write)
  const last = await selectRecord(write).executeTakeFirst()
  if (!last) {
    await write
      .insertInto('service_clock')
      .values({ id: ID, seen_at: now, lead_ms: 0, jumped_at: null, ahead_until: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return
  }
  const gained = now - last.seen_at
  const isSetBack = gained < -CLOCK_MARGIN_MS
  if (isSetBack) await putTimesRight(write, now)
  const { aheadUntil } = last
  const latest = isSetBack ? Math.max(last.seen_at, aheadUntil ?? 0) : aheadUntil
  await write
    .updateTable('service_clock')
    .set({
      seen_at: now,
      ahead_until: latest !== null && latest > now ? latest : null,
      ...moveLead(last, now),
    })
    .where('id', '=', ID)
    .execute()
}

interface ClockRecord {
  seen_at: number
  leadMs: number
  jumpedAt: number | null
  aheadUntil: number | null
}

const selectRecord = (select: Select) =>
  select
    .selectFrom('service_clock')
    .where('id', '=', ID)
    .select(['seen_at', 'lead_ms as leadMs', 'jumped_at as jumpedAt', 'ahead_until as aheadUntil'])

/** Returns the new lead of the clock over the time that is believed, as columns to change. */
function moveLead({ seen_at, leadMs, jumpedAt }: ClockRecord, now: number) {
  const gained = now - seen_at
  if (gained > JUMP_MS) return { lead_ms: leadMs + gained, jumped_at: now }
  if (gained < -CLOCK_MARGIN_MS) {
    const left = leadMs + gained
    return left > JUMP_MS ? { lead_ms: left, jumped_at: now } : { lead_ms: 0, jumped_at: null }
  }
  const isSteady = jumpedAt !== null && now >= jumpedAt + STEADY_AFTER_MS
  return isSteady ? { lead_ms: 0, jumped_at: null } : {}
}

/** Resolves with the milliseconds by which the clock leads the time that is believed: 0 while it is steady. */
export async function readLead(select: Select, now: number = timeOf(select)): Promise<number> {
  const record = await selectRecord(select).executeTakeFirst()
  return record ? leadOf(record, now) : 0
}

/** Returns the lead of the clock in milliseconds, also for a jump that no process has noticed yet. */
export const leadOf = ({ seen_at, leadMs }: Pick<ClockRecord, 'seen_at' | 'leadMs'>, now: number): number =>
  leadMs + (now - seen_at > JUMP_MS ? now - seen_at : 0)

/**
 * Resolves with the time, in milliseconds since 1970, without what the clock has gained in a jump: what cannot be
 * undone is due by this time, so that no clock that was set wrongly removes anything.
 */
export async function steadyTime(select: Select): Promise<number> {
  const now = timeOf(select)
  return now - (await readLead(select, now))
}

/** Resolves with sentences for the operator about the clock; with none while it is steady. */
export async function describeClock(select: Select): Promise<string[]> {
  const now = timeOf(select)
  const record = await selectRecord(select).executeTakeFirst()
  if (!record) return []
  const lead = leadOf(record, now)
  const steadyAt = (record.jumpedAt ?? now) + STEADY_AFTER_MS
  const back = record.seen_at - now
  const latest = back > CLOCK_MARGIN_MS ? record.seen_at : record.aheadUntil
  return [
    ...(lead > 0
      ? [
          `The clock has gone ahead by ${writeLength(lead)} while nothing of the service ran, or it was set. Nothing is ` +
            `deleted for good and no API token ends for that reason before ${writeTime(steadyAt)}.`,
        ]
      : []),
    ...(latest !== null && latest > now
      ? [`The clock was set back: times up to ${writeTime(latest)} were recorded while it was ahead.`]
      : []),
  ]
}

const writeTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const HOUR_MS = 60 * 60 * 1000

/** Writes a length of time in the largest unit of which it has at least two. */
export function writeLength(ms: number): string {
  if (ms >= 48 * HOUR_MS) return `${Math.round(ms / (24 * HOUR_MS))} days`
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`
  return `${Math.max(1, Math.round(ms / 60_000))} minutes`
}
