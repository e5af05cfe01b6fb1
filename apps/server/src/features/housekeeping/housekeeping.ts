import { type IsAssigned, startHourly } from '../../platform/cluster/singleton-jobs.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'

/** Work that one process does for all, when it starts and then again and again. */
export interface Chore {
  isAssigned: IsAssigned
  /** The time from one run to the next; an hour if it is not given. */
  everyMs?: number
  /**
   * Does the work. `now` is the time by the steady clock, in milliseconds since 1970; `signal` aborts when the process
   * stops. May resolve to a number, which is logged with `done` unless it is 0.
   */
  work(now: number, signal: AbortSignal): Promise<unknown>
  done?: string
  /** What the log says when the work fails. */
  failed: string
}

/** Starts the chores. Returns a function that ends them, and waits for those that run. */
export function startHousekeeping(
  { database, log }: { database: Pick<Database, 'read'>; log: Pick<Log, 'info' | 'error'> },
  chores: readonly Chore[],
): () => Promise<void> {
  const stopping = new AbortController()
  const stops = chores.map(({ isAssigned, work, done, failed, everyMs }) =>
    startHourly(
      isAssigned,
      async () => {
        const count = await work(await steadyTime(database.read), stopping.signal)
        if (done !== undefined && count) log.info({ count }, done)
      },
      (err) => {
        if (!stopping.signal.aborted) log.error({ err }, failed)
      },
      everyMs,
    ),
  )
  return async () => {
    stopping.abort()
    await Promise.all(stops.map((stop) => stop()))
  }
}
