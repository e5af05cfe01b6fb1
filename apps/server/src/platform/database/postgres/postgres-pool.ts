import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool as KyselyPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Metric } from 'prom-client'
import type { Log } from '../../log.ts'
import { tracedStatement } from '../observe-database.ts'
import { DatabaseUnavailableError, explainPostgresFailure } from '../unavailable.ts'
import { createPoolInstruments } from './pool-instruments.ts'
import { PostgresClient } from './postgres-client.ts'

/** By default. */
const MAX_CONNECTIONS = 10
/** How long a query waits for a connection while all are in use; SQLite's writers wait as long for each other. */
const MAX_WAIT_MS = 10_000
/** When a statement takes longer, the pool checks whether PostgreSQL still works on it. */
const SLOW_AFTER_MS = 2000
/** How long this check may take, connecting included, before PostgreSQL counts as unreachable. */
const PROBE_MS = 2000
const CHECK_EVERY_MS = 500
/** A reply that is on its way during the check arrives within this time. */
const ARRIVAL_MS = 500
/** How often a connection is tried while PostgreSQL is unreachable. */
const RECONNECT_EVERY_MS = 250
/**
 * A transaction whose client has vanished keeps its locks until PostgreSQL notices. No transaction here pauses for so
 * long between two statements.
 */
const SESSION_SETTINGS = {
  text: "set idle_in_transaction_session_timeout = '10s'",
  // It is not checked by the pool yet.
  query_timeout: PROBE_MS,
}

/** Connections to PostgreSQL. Everything fails with a `DatabaseUnavailableError` when it cannot be reached. */
export interface PostgresPool extends KyselyPool {
  /**
   * Runs one idempotent statement: when its connection is lost, it is tried once more on another one.
   */
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** What it measures, for `/metrics`. */
  readonly instruments: readonly Metric[]
}

/**
 * Opens a pool that survives any loss of PostgreSQL. A connection that is broken, or whose statement the server no longer
 * works on, is destroyed and not used again. While PostgreSQL is unreachable everything fails at once (a circuit
 * breaker), and one connection at a time is tried; the begin and the end of an outage are logged.
 */
export function openPostgresPool(
  url: string,
  {
    log,
    types,
    connections = MAX_CONNECTIONS,
  }: {
    log?: Pick<Log, 'info' | 'warn'> | undefined
    types: pg.CustomTypesConfig
    connections?: number | undefined
  },
): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: MAX_WAIT_MS,
    application_name: 'meadow',
    types,
    Client: PostgresClient as never,
    onConnect: (client) => client.query(SESSION_SETTINGS) as never,
  })
  // The pool drops an idle connection that breaks. The next query fails if PostgreSQL is unreachable.
  pool.on('error', () => {})
  const open = new Set<PostgresClient>()
  pool.on('connect', (client) => void open.add(client as unknown as PostgresClient))
  pool.on('remove', (client) => void open.delete(client as unknown as PostgresClient))
  const borrowed = new Map<PostgresClient, BorrowedClient>()
  /** The callers that wait for a connection, which are rejected when an outage begins. */
  const waiting = new Set<(error: Error) => void>()
  const ending = new AbortController()
  let outage: DatabaseUnavailableError | undefined
  const instruments = createPoolInstruments(connections, () => ({
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: waiting.size,
    isAway: outage !== undefined,
  }))
  let isChecking = false

  async function connect(): Promise<BorrowedClient> {
    if (outage) {
      const error = outage
      // After one tick: a caller that retries at once would otherwise block the event loop.
      await new Promise(setImmediate)
      throw error
    }
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      pool.connect().then(
        (client) => {
          if (waiting.delete(reject)) resolve(borrow(client))
          else client.release()
        },
        (error) => {
          waiting.delete(reject)
          reject(explainFailedConnection(error))
        },
      )
    })
  }

  function borrow(client: pg.PoolClient): BorrowedClient {
    const key = client as unknown as PostgresClient
    const one = new BorrowedClient(client, () => borrowed.delete(key), instruments.observeStatement)
    borrowed.set(key, one)
    return one
  }

  function explainFailedConnection(error: Error): Error {
    const unavailable = explainPostgresFailure(error)
    if (unavailable && isAway(error)) beginOutage(unavailable)
    return unavailable ?? error
  }

  function beginOutage(error: DatabaseUnavailableError): void {
    if (outage || ending.signal.aborted) return
    outage = error
    instruments.countOutage()
    log?.warn({ reason: error.reason }, 'the database cannot be reached')
    for (const reject of waiting) reject(error)
    waiting.clear()
    cutIdle()
    void reconnect()
  }

  async function reconnect(): Promise<void> {
    const since = performance.now()
    const { signal } = ending
    while (!signal.aborted && (await isUnreachable()))
      await sleep(RECONNECT_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
    outage = undefined
    const durationMs = Math.round(performance.now() - since)
    if (!signal.aborted) log?.info({ durationMs }, 'the database can be reached again')
  }

  const isUnreachable = () =>
    probe(url).then(
      () => false,
      (error) => isAway(error),
    )

  /** When one connection is dead, idle ones may be too, and the next query would find out late. */
  function cutIdle(): void {
    for (const client of open) if (!borrowed.has(client)) client.cut()
  }

  /** Closes the connections whose slow statement PostgreSQL does not work on. */
  async function checkSlow(slow: readonly BorrowedClient[]): Promise<void> {
    const checked = slow.map((one) => ({ one, statement: one.statement }))
    const stillWaiting = () => checked.filter(({ one, statement }) => one.statement === statement)
    const cut = (ones: typeof checked) => {
      for (const { one } of ones) one.cut()
      cutIdle()
    }
    let busy: ReadonlySet<number> | undefined
    try {
      busy = await probe(url)
    } catch (error) {
      if (!isAway(error)) return
      beginOutage(explainPostgresFailure(error)!)
      return cut(stillWaiting())
    }
    const isWorkedOn = ({ one }: { one: BorrowedClient }) => !busy || busy.has(one.processID)
    for (const { one } of checked) one.checkedAt = performance.now()
    const forgotten = checked.filter((one) => !isWorkedOn(one))
    if (forgotten.length === 0) return
    await sleep(ARRIVAL_MS, undefined, { ref: false })
    const dead = stillWaiting().filter((one) => forgotten.includes(one))
    if (dead.length > 0) cut(dead)
  }

  const checking = setInterval(async () => {
    const slow = [...borrowed.values()].filter((one) => one.isSlow(performance.now()))
    if (slow.length === 0 || isChecking) return
    isChecking = true
    await checkSlow(slow)
    isChecking = false
  }, CHECK_EVERY_MS).unref()

  async function queryOnce(config: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await connect()
    try {
      return await client.query(config)
    } finally {
      client.release()
    }
  }

  return {
    instruments: instruments.all,
    // Kysely does not use them.
    options: {},
    connect: connect as unknown as KyselyPool['connect'],
    async query(config) {
      try {
        return await queryOnce(config)
      } catch (error) {
        if (outage || !(error instanceof DatabaseUnavailableError) || error.kind !== 'unreachable')
          throw error
        return queryOnce(config)
      }
    },
    async end() {
      ending.abort()
      await pool.end()
      clearInterval(checking)
    },
  }
}

/** A connection while one caller uses it. */
class BorrowedClient implements Pick<PostgresPoolClient, 'release'> {
  readonly processID: number
  /** The running statement, if any. */
  statement: symbol | undefined
  checkedAt = 0
  readonly #client: pg.PoolClient
  readonly #onRelease: () => void
  readonly #observe: (durationMs: number) => void
  #isLost = false

  constructor(client: pg.PoolClient, onRelease: () => void, observe: (durationMs: number) => void) {
    this.#client = client
    this.#onRelease = onRelease
    this.#observe = observe
    this.processID = (client as unknown as { processID: number }).processID
  }

  isSlow(now: number): boolean {
    return this.statement !== undefined && now - this.checkedAt > SLOW_AFTER_MS
  }

  async query(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    this.statement = Symbol()
    const startedAt = performance.now()
    this.checkedAt = startedAt
    const text = typeof statement === 'string' ? statement : statement.text
    try {
      return await tracedStatement('postgresql', text, () => this.#client.query(statement as string, values))
    } catch (error) {
      const unavailable = explainPostgresFailure(error)
      if (!unavailable) throw error
      this.#isLost = true
      throw unavailable
    } finally {
      this.statement = undefined
      this.#observe(performance.now() - startedAt)
    }
  }

  cut(): void {
    ;(this.#client as unknown as PostgresClient).cut()
  }

  release(destroy = false): void {
    this.#onRelease()
    this.#client.release(destroy || this.#isLost)
  }
}

/** Whether a failure to connect means that PostgreSQL is unreachable, rather than busy or rejecting the connection. */
function isAway(error: unknown): boolean {
  const unavailable = explainPostgresFailure(error)
  if (unavailable?.kind !== 'unreachable') return false
  const { code, message } = unavailable.cause as Partial<pg.DatabaseError>
  // All connections of the server, or of this pool, are in use.
  return code !== '53300' && !message?.startsWith('timeout exceeded')
}

/**
 * Queries PostgreSQL over a new connection for the process ids of connections that are not idle. Undefined when a pooler
 * in between makes them incomparable. Fails soon after `PROBE_MS`.
 */
async function probe(url: string): Promise<ReadonlySet<number> | undefined> {
  const client = new PostgresClient({
    connectionString: url,
    application_name: 'meadow probe',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  try {
    await client.connect()
    const { rows } = await client.query(
      "select pid, pg_backend_pid() as own from pg_stat_activity where state is null or state not like 'idle%'",
    )
    const isDirect = rows[0]?.own === (client as unknown as { processID: number }).processID
    return isDirect ? new Set(rows.map(({ pid }) => pid)) : undefined
  } finally {
    await client.end()
  }
}
