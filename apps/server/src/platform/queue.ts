import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database/database.ts'
import { databaseNow, endedAt, later } from './database/database-clock.ts'
import { lengthOf } from './database/time-columns.ts'

/*
 * The queues of the service are tables, which several processes work on: one that works on a row leases it, and renews the
 * lease as long as it works. The others leave the row alone until the lease is over, because the work is done or the
 * process was killed. Leases are compared by the clock of the database (decision 49). Each queue decides by itself which
 * row is next, and what follows when its work is done or has failed.
 */

/** A table with the columns `id`, `claimed_by` and `lease_until`, which are null in rows that nobody works on. */
export type QueueTable = 'solve' | 'export_file' | 'mirror' | 'mail' | 'webhook_delivery'

/** The exclusive right to work on a row, until it expires. */
export interface Lease<Key = number> {
  key: Key
  /** Distinguishes this lease from all others of the same row. */
  leaseId: string
}

export interface Queue {
  /** How long a lease outlives the process that holds it, in milliseconds. */
  readonly leaseMs: number
  /** The time by the clock of the database, in milliseconds since 1970: a number, or SQL for it. */
  now(): number | RawBuilder<number>
  /** Returns the time in `ms` milliseconds. */
  after(ms: number): RawBuilder<number>
  /** Returns the columns of a new lease. */
  take(): { claimed_by: string; lease_until: RawBuilder<number> }
  /** Returns the SQL condition that no process has the row. */
  isFree(table?: string): RawBuilder<boolean>
  /** Makes a lease last for `leaseMs` from now. False when it is lost: another process may have the row. */
  renew(lease: Lease): Promise<boolean>
}

/** Returns the SQL condition that a row is that of a lease. It is true of no row when the lease was lost. */
export const isHeld = (table: QueueTable, { key, leaseId }: Lease): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.id`)} = ${key} and ${sql.ref(`${table}.claimed_by`)} = ${leaseId})`

/** Sets the columns of a row that no process has any longer. */
export const UNLEASED = { claimed_by: null, lease_until: null }

/**
 * Sets the columns of a row whose work was given up: it is taken over at once, and a renewal that is still on its way finds
 * the lease lost.
 */
export const GIVEN_UP = { claimed_by: '', lease_until: 0 }

/** `now` is a clock for tests. */
export function openQueue(
  database: Pick<Database, 'dialect' | 'transaction'>,
  table: QueueTable,
  {
    leaseMs = lengthOf(`${table}.lease_until`),
    now = () => databaseNow(database.dialect),
  }: { leaseMs?: number; now?: () => number | RawBuilder<number> } = {},
): Queue {
  const after = (ms: number) => later(now(), ms)
  return {
    leaseMs,
    now,
    after,
    take: () => ({ claimed_by: randomUUID(), lease_until: after(leaseMs) }),
    isFree: (of = table) => {
      const until = `${of}.lease_until`
      return sql<boolean>`(${sql.ref(until)} is null or ${endedAt(until, leaseMs, now())})`
    },
    renew: (lease) =>
      database.transaction(async (write) => {
        const renewed = await sql`update ${sql.table(table)} set lease_until = ${after(leaseMs)}
          where ${isHeld(table, lease)}`.execute(write)
        return renewed.numAffectedRows === 1n
      }),
  }
}

/** Two renewals in a row may fail before a lease expires. */
const RENEWALS_PER_LEASE = 3

export interface KeptLease {
  leaseMs: number
  /** Extends the lease. False when it is lost. */
  renew(): Promise<boolean>
  /**
   * Called when the lease is `lost` because another process has taken it, or when it has `expired` because it could not be
   * renewed: another process may take it at any moment.
   */
  onEnd?(why: 'lost' | 'expired'): void
  onError?(error: unknown): void
}

/** Renews a lease until it is disposed of. */
export function keepLease({ leaseMs, renew, onEnd, onError }: KeptLease): Disposable {
  let validUntil = performance.now() + leaseMs
  async function extend(): Promise<void> {
    const requestedAt = performance.now()
    try {
      if (!(await renew())) return onEnd?.('lost')
      validUntil = requestedAt + leaseMs
    } catch (error) {
      onError?.(error)
    }
    if (performance.now() > validUntil) onEnd?.('expired')
  }
  const timer = setInterval(() => void extend(), leaseMs / RENEWALS_PER_LEASE)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
