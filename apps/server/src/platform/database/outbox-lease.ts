import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.ts'
import { databaseNow, endedAt } from './database-clock.ts'

/**
 * How several processes share the rows of an outbox: one that sends a row leases it, by the clock of the database, and
 * the others leave it alone until the lease has expired. Columns are those of `Leased`.
 */
export interface OutboxLease {
  now: RawBuilder<number>
  /** Returns the condition that no process has the row, when leases last for `leaseMs`. */
  isFree(leaseMs: number): RawBuilder<boolean>
  /**
   * Returns the columns of a new lease. `claimed_by` has to be compared when the row is settled: the lease may be lost
   * by then.
   */
  take(leaseMs: number): { claimed_by: string; lease_until: RawBuilder<number> }
  /** Returns the time in `ms` milliseconds. */
  after(ms: number): RawBuilder<number>
}

export function createOutboxLease(dialect: Dialect): OutboxLease {
  const now = databaseNow(dialect)
  const after = (ms: number) => sql<number>`${now} + ${ms}`
  return {
    now,
    isFree: (leaseMs) => sql<boolean>`(lease_until is null or ${endedAt('lease_until', leaseMs, now)})`,
    take: (leaseMs) => ({ claimed_by: randomUUID(), lease_until: after(leaseMs) }),
    after,
  }
}

/** The columns of a row that no process has. */
export const UNLEASED = { claimed_by: null, lease_until: null }
