import { setImmediate as nextTurn } from 'node:timers/promises'
import { nameStatement, type PostgresPool } from './postgres-pool.ts'

/**
 * The transactions whose changes a statement sees, as text. Two equal snapshots of one primary see the same commits: a
 * commit that comes later removes its transaction from those in progress or raises the number of the first unassigned
 * one, and neither comes back. A subtransaction ends with its transaction, and a prepared transaction is in progress
 * until it is committed. A standby does not show which transactions are in progress, so it gives null.
 */
const READ_MARK = `
  select case when pg_is_in_recovery() then null
    else pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text end as mark,
    pg_backend_pid() as backend`

const READ_MARK_NAME = nameStatement(READ_MARK)

/** The set of processes is cleared at this size, which only makes the counter change. */
const MAX_BACKENDS = 1000

/**
 * Implements `Database.readCommitCounter` on PostgreSQL with one small statement for all calls that arrive while the
 * previous one runs. It starts after they arrived, so each sees every commit before it.
 *
 * After a crash, numbers of transactions that left no trace are given again. All processes of the server end in a
 * crash, so a process that was not seen before changes the counter, too. A promoted standby has another start time.
 */
export function createPostgresCommitCounter(
  pool: Pick<PostgresPool, 'query'>,
): () => Promise<number | undefined> {
  const backends = new Set<number>()
  let lastMark: string | undefined
  let counter = 0

  async function look(): Promise<number | undefined> {
    try {
      const { rows } = await pool.query({ name: READ_MARK_NAME, text: READ_MARK }, { isShort: true })
      const { mark, backend } = rows[0]
      if (mark === null) return undefined
      if (mark !== lastMark || !backends.has(backend)) {
        if (backends.size >= MAX_BACKENDS) backends.clear()
        backends.add(backend)
        lastMark = mark
        counter++
      }
      return counter
    } catch {
      // The error is ignored: whoever reads the data itself next gets it.
      return undefined
    }
  }

  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<number | undefined> | undefined
  async function lookNext(): Promise<number | undefined> {
    await running
    // Requests that arrived at the same time share one statement.
    await nextTurn()
    next = undefined
    const looked = look()
    running = looked
    return looked
  }
  return () => {
    next ??= lookNext()
    return next
  }
}
