import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import { databaseNow, endedAt } from '../database/database-clock.ts'
import { limitEntries } from '../limit-entries.ts'

/** Counts in windows of time. */
export interface RateWindows {
  /**
   * Counts one under the key, unless that would be more than `max` in its window. Throws when the database is
   * unavailable.
   */
  take(key: string, max: number): Promise<RateCount>
  /** Gives back what was reserved and not used. */
  close(): Promise<void>
}

export interface RateCount {
  /** Whether the call was counted. */
  isWithin: boolean
  /** How many of the window are left, as far as this process knows. */
  left: number
  /** How long the window lasts, in milliseconds. */
  msLeft: number
  /** Takes the count back, if its window has not ended. Call it once at most, and only for a call that was counted. */
  takeBack(): void
}

/**
 * Creates windows of a minute that all processes of the service share. On SQLite, where there is only one, the process
 * counts by itself, since a statement would invalidate cached responses.
 */
export const createRateWindows = (database: Database): RateWindows =>
  database.dialect === 'postgres' ? openRateWindows(database) : createProcessWindows()

/** Creates windows for this process alone. The window of a key begins with its first count. */
export function createProcessWindows(windowMs: number = WINDOW_MS): RateWindows {
  const windows = new LRUCache<string, { endsAt: number; taken: number }>(limitEntries(MAX_KEYS))
  return {
    async take(key, max) {
      const now = performance.now()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        window = { endsAt: now + windowMs, taken: 0 }
        windows.set(key, window)
      }
      const isWithin = window.taken < max
      if (isWithin) window.taken++
      const takeBack = () => void window.taken--
      // The sum above may have been rounded up.
      const msLeft = Math.min(windowMs, window.endsAt - now)
      return { isWithin, left: max - window.taken, msLeft, takeBack }
    },
    async close() {},
  }
}

export interface RateWindowOptions {
  windowMs?: number | undefined
  /** After how long what was reserved and is not used is given back, and a full window is looked at again. */
  idleMs?: number | undefined
}

const WINDOW_MS = 60_000
const IDLE_MS = 2000
/**
 * The number of keys that this process remembers. What it had reserved for a key that it forgets stays taken until the
 * end of the window.
 */
const MAX_KEYS = 10_000
/** A process reserves at most one part in this many of the limit at once, and half that part of what is left. */
const PARTS = 20

/** A window as this process knows it. */
interface KnownWindow {
  /** When the window ends, by the clock of this process. */
  endsAt: number
  /** How much all processes have taken, as of the last statement. */
  taken: number
  /** How much this process may still count without a statement. */
  reserved: number
  usedAt: number
  /** Until when a full window is not looked at again. */
  fullUntil: number
  reserving: Promise<void> | undefined
}

/**
 * Creates windows that processes share. Each process reserves some of a window in advance, so that most counts take no
 * statement. In sum never more than `max` are counted in a window. What other processes have reserved and not used, a
 * twentieth of `max` each at most, is missing until they give it back.
 */
export function openRateWindows(
  database: Pick<Database, 'dialect' | 'prepareWrite' | 'transaction'>,
  { windowMs = WINDOW_MS, idleMs = IDLE_MS }: RateWindowOptions = {},
): RateWindows {
  const windows = new LRUCache<string, KnownWindow>(limitEntries(MAX_KEYS))
  const now = databaseNow(database.dialect)

  const reserveRow = database.prepareWrite((write, { key, max }: { key: string; max: number }) => {
    const isOver = endedAt('rate_window.until', windowMs, now)
    const most = sql<number>`greatest(1, ${max} / ${sql.lit(PARTS)})`
    const left = sql<number>`(${max} - rate_window.taken)`
    const grant = sql<number>`case when ${isOver} then ${most}
      else greatest(0, least(${most}, ${left} / ${sql.lit(2 * PARTS)} + 1, ${left})) end`
    return write
      .insertInto('rate_window')
      .values({ key, until: sql`${now} + ${sql.lit(windowMs)}`, taken: most, last_grant: most })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          until: sql`case when ${isOver} then excluded.until else rate_window.until end`,
          taken: sql`case when ${isOver} then ${most} else rate_window.taken + ${grant} end`,
          last_grant: grant,
        }),
      )
      .returning(['taken', 'last_grant as granted', sql<number>`until - ${now}`.as('msLeft')])
  })

  async function reserve(key: string, max: number, window: KnownWindow): Promise<void> {
    const [row] = await database.transaction((write) => reserveRow(write, { key, max }))
    const { taken, granted, msLeft } = row!
    const at = performance.now()
    window.taken = taken
    window.reserved = granted
    window.endsAt = at + msLeft
    if (granted === 0) window.fullUntil = Math.min(window.endsAt, at + idleMs)
  }

  /** Returns the window of the key, which is a new one when the last one has ended. */
  function getWindow(key: string): KnownWindow {
    const known = windows.get(key)
    if (known && (known.reserving || known.endsAt > performance.now())) return known
    const window: KnownWindow = {
      endsAt: Number.POSITIVE_INFINITY,
      taken: 0,
      reserved: 0,
      usedAt: 0,
      fullUntil: 0,
      reserving: undefined,
    }
    windows.set(key, window)
    return window
  }

  const toCount = (isWithin: boolean, max: number, window: KnownWindow): RateCount => ({
    isWithin,
    left: isWithin ? Math.max(0, max - window.taken + window.reserved) : 0,
    msLeft: Math.max(1, window.endsAt - performance.now()),
    takeBack() {
      if (window.endsAt > performance.now()) window.reserved++
    },
  })

  async function giveBackIdle(isIdle: (window: KnownWindow) => boolean): Promise<void> {
    for (const [key, window] of windows.entries()) {
      const { reserved } = window
      if (reserved === 0 || window.reserving || !isIdle(window)) continue
      window.reserved = 0
      window.taken -= reserved
      await database.transaction((write) =>
        write
          .updateTable('rate_window')
          .set((row) => ({ taken: row('taken', '-', reserved) }))
          .where('key', '=', key)
          .where('taken', '>=', reserved)
          // Nothing is given back to a window that began meanwhile.
          .where(
            'until',
            '<=',
            sql<number>`${now} + ${Math.ceil(window.endsAt - performance.now()) + MARGIN_MS}`,
          )
          .execute(),
      )
    }
  }

  let working = Promise.resolve()
  const work = (task: () => Promise<unknown>) => {
    // Errors are ignored: what cannot be given back is free again when the window ends.
    working = working.then(task).then(
      () => {},
      () => {},
    )
    return working
  }
  const deleteEnded = () =>
    database.transaction((write) =>
      write
        .deleteFrom('rate_window')
        .where(endedAt('until', 2 * windowMs, sql<number>`${now} - ${sql.lit(windowMs)}`))
        .execute(),
    )
  const timers = [
    setInterval(() => work(() => giveBackIdle(({ usedAt }) => usedAt < performance.now() - idleMs)), idleMs),
    setInterval(() => work(deleteEnded), windowMs),
  ]
  for (const timer of timers) timer.unref()

  return {
    async take(key, max) {
      for (;;) {
        const window = getWindow(key)
        if (window.reserved > 0) {
          window.reserved--
          window.usedAt = performance.now()
          return toCount(true, max, window)
        }
        if (window.fullUntil > performance.now()) return toCount(false, max, window)
        window.reserving ??= reserve(key, max, window).finally(() => {
          window.reserving = undefined
        })
        await window.reserving
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await work(() => giveBackIdle(() => true))
    },
  }
}

/**
 * A window is recognised by its end up to this margin, since a statement takes time. Within a window, the clocks of a
 * process and of the database run at the same speed.
 */
const MARGIN_MS = 1000
