import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool as KyselyPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Metric } from 'prom-client'
import type { Log } from '../../log.ts'
import { findCode } from '../../system-errors.ts'
import { tracedStatement } from '../observe-database.ts'
import { DatabaseUnavailableError, explainPostgresFailure } from '../unavailable.ts'
import { createPoolInstruments } from './pool-instruments.ts'
import { PostgresClient, startOwnTimer } from './postgres-client.ts'
import { isAway, type PostgresAddresses, probe, TOO_MANY_CONNECTIONS } from './postgres-probe.ts'
import { createSharedConnections, type SharableClient } from './shared-connections.ts'

/** The number of connections by default. */
const MAX_CONNECTIONS = 10
/** The share of the connections on which reads of several callers are under way at once. */
const SHARED_PART = 1 / 3
/**
 * How long a query waits for a connection, in the time of `startOwnTimer`; SQLite's writers wait as long for each
 * other.
 */
const MAX_WAIT_MS = 10_000
/** When a statement takes longer, the pool checks whether PostgreSQL still works on it. */
const SLOW_AFTER_MS = 2000
const CHECK_EVERY_MS = 500
/** A reply that is on its way during the check arrives within this time. */
const ARRIVAL_MS = 500
/** How often a connection is tried while PostgreSQL is unreachable. */
const RECONNECT_EVERY_MS = 250
/** How long the pool opens no more connections after PostgreSQL has refused one. */
const CONTENT_MS = 5000

/**
 * The message of a query that waited too long, as in `pg-pool`, whose own limit counts the time in which this process
 * is busy.
 */
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/** Connections to PostgreSQL. Everything fails with a `DatabaseUnavailableError` when it cannot be reached. */
export interface PostgresPool extends KyselyPool {
  /**
   * Runs one idempotent statement: when its connection is lost, it is tried once more on another one. A statement with
   * a name is parsed and planned once for each connection. A short statement may be sent on a connection on which
   * statements of other callers are under way.
   */
  query(config: pg.QueryConfig, options?: { isShort: boolean }): Promise<pg.QueryResult>
  /**
   * Stops naming statements: behind a pooler in transaction mode, the next statement of a client may run on another
   * connection, which does not know the name.
   */
  dropNames(): void
  /** Whether PostgreSQL counts as unreachable at the moment. */
  isAway(): boolean
  /** What the pool measures, for `/metrics`. */
  readonly instruments: readonly Metric[]
}

/**
 * Returns a name for a statement that is the same in every process, so that a pooler which tracks names can share it.
 */
export const nameStatement = (text: string): string =>
  `meadow_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

/**
 * Opens a pool that survives any loss of PostgreSQL. A connection that is broken, or whose statement the server no
 * longer works on, is destroyed and not used again. While PostgreSQL is unreachable everything fails at once (a circuit
 * breaker), and one connection at a time is tried; the begin and the end of an outage are logged.
 */
export function openPostgresPool(
  addresses: PostgresAddresses,
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
  // There are no settings of sessions, since behind a pooler they would apply to whoever gets the connection next.
  const pool = new pg.Pool({
    connectionString: addresses.url,
    max: connections,
    application_name: 'meadow',
    types,
    Client: PostgresClient as never,
    pipeline: true,
  } as pg.PoolConfig)
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
  let hasNames = true

  async function connect(): Promise<BorrowedClient> {
    if (outage) {
      const error = outage
      // The error comes after one tick, since a caller that retries at once would otherwise block the event loop.
      await new Promise(setImmediate)
      throw error
    }
    if (pool.idleCount === 0) shared.releaseIdle()
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      const stopWaiting = startOwnTimer(MAX_WAIT_MS, () => {
        if (waiting.delete(reject)) reject(explainPostgresFailure(new Error(NO_CONNECTION))!)
      })
      connectOrWait().then(
        (client) => {
          stopWaiting()
          if (waiting.delete(reject)) resolve(borrow(client))
          else client.release()
        },
        (error) => {
          stopWaiting()
          waiting.delete(reject)
          reject(explainFailedConnection(error))
        },
      )
    })
  }

  /** Gets a connection. When PostgreSQL takes no more, the caller waits for one of those that this process has. */
  async function connectOrWait(): Promise<pg.PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      if (findCode(error) !== TOO_MANY_CONNECTIONS || open.size === 0) throw error
      pool.options.max = open.size
      setTimeout(() => {
        pool.options.max = connections
      }, CONTENT_MS).unref()
      return pool.connect()
    }
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
    probe(addresses).then(
      ({ mayWaitInPooler }) => mayWaitInPooler,
      (error) => isAway(error),
    )

  /**
   * Closes the idle connections. When one connection is dead, they may be too, and the next query would find out late.
   */
  function cutIdle(): void {
    shared.releaseIdle()
    for (const client of open) if (!borrowed.has(client)) client.cut()
  }

  /** Closes the connections whose slow statement PostgreSQL does not work on. */
  async function checkSlow(slow: readonly BorrowedClient[]): Promise<void> {
    const checked = slow.map((one) => ({ one, statement: one.statement! }))
    const stillWaiting = () => checked.filter(({ one, statement }) => one.statement === statement)
    const cut = (ones: typeof checked) => {
      for (const { one } of ones) one.cut()
      cutIdle()
    }
    let activity: Awaited<ReturnType<typeof probe>>
    try {
      activity = await probe(addresses)
    } catch (error) {
      if (!isAway(error)) return
      beginOutage(explainPostgresFailure(error)!)
      return cut(stillWaiting())
    }
    const now = performance.now()
    for (const { one } of checked) one.checkedAt = now
    const mayWait = ({ since }: Statement) => activity.mayWaitInPooler && now - since < MAX_WAIT_MS
    const forgotten = checked.filter(
      ({ one: { processId }, statement }) =>
        !activity.isWorkedOn({ text: statement.text, processId }) && !mayWait(statement),
    )
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

  async function queryOnce({ name, ...config }: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await connect()
    try {
      return await client.query(hasNames && name !== undefined ? { ...config, name } : config)
    } finally {
      client.release()
    }
  }

  const shared = createSharedConnections(connect, Math.floor(connections * SHARED_PART))

  const isLost = (error: unknown) =>
    !outage && error instanceof DatabaseUnavailableError && error.kind === 'unreachable'

  async function queryAlone({ name, ...config }: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await queryOnce({ ...config, name })
    } catch (error) {
      const fault = NAME_FAULTS[findCode(error) ?? '']
      if (name !== undefined && fault) {
        if (fault === 'no names here') hasNames = false
        return queryOnce(config)
      }
      if (!isLost(error)) throw error
      return queryOnce({ ...config, name })
    }
  }

  return {
    instruments: instruments.all,
    // Kysely does not use the options.
    options: {},
    connect: connect as unknown as KyselyPool['connect'],
    async query(config, { isShort } = { isShort: false }) {
      // Nothing is shared behind a pooler, which might mix up the statements that are under way.
      const answer = isShort && hasNames ? shared.query(config) : undefined
      if (!answer) return queryAlone(config)
      try {
        return await answer
      } catch (error) {
        // Perhaps the first statement with this name failed, which was still under way.
        if (findCode(error)! in NAME_FAULTS) return queryAlone(config)
        if (!isLost(error)) throw error
        return queryOnce(config)
      }
    },
    dropNames() {
      hasNames = false
    },
    isAway: () => outage !== undefined,
    async end() {
      ending.abort()
      shared.end()
      await pool.end()
      clearInterval(checking)
    },
  }
}

/**
 * What is wrong when a statement with a name fails, by SQLSTATE. A process of a newer Meadow may have changed the
 * columns that the statement selects ("cached plan must not change result type"); or there is a pooler that shows the
 * process ids of PostgreSQL as its own, so that it could not be detected.
 */
const NAME_FAULTS: Record<string, 'plan is out of date' | 'no names here'> = {
  '0A000': 'plan is out of date',
  '26000': 'no names here',
  '42P05': 'no names here',
}

interface Statement {
  readonly text: string
  readonly since: number
}

/** A connection while one caller uses it, or several share it. */
class BorrowedClient implements Pick<PostgresPoolClient, 'release'>, SharableClient {
  readonly processId: number
  checkedAt = 0
  /** The statements in the order in which they were sent and are run. */
  readonly #statements: Statement[] = []
  /** Since when the first statement is the first. */
  #runningSince = 0
  readonly #client: pg.PoolClient
  readonly #onRelease: () => void
  readonly #observe: (durationMs: number) => void
  #isLost = false

  constructor(client: pg.PoolClient, onRelease: () => void, observe: (durationMs: number) => void) {
    this.#client = client
    this.#onRelease = onRelease
    this.#observe = observe
    this.processId = (client as unknown as PostgresClient).processId
  }

  /** The process id under the name that Kysely uses. */
  get processID(): number {
    return this.processId
  }

  /** The running statement, if any. */
  get statement(): Statement | undefined {
    return this.#statements[0]
  }

  get isLost(): boolean {
    return this.#isLost
  }

  runningMs(): number {
    return this.#statements.length === 0 ? 0 : performance.now() - this.#runningSince
  }

  isSlow(now: number): boolean {
    return this.statement !== undefined && now - this.checkedAt > SLOW_AFTER_MS
  }

  async query(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    const since = performance.now()
    const text = typeof statement === 'string' ? statement : statement.text
    const own = { text, since }
    if (this.#statements.push(own) === 1) this.#begin(since)
    try {
      return await tracedStatement('postgresql', text, () => this.#client.query(statement as string, values))
    } catch (error) {
      const unavailable = explainPostgresFailure(error)
      // The connection is lost when the name of a statement fails, since names belong to a connection.
      this.#isLost ||= unavailable !== undefined || findCode(error)! in NAME_FAULTS
      throw unavailable ?? error
    } finally {
      const now = performance.now()
      this.#statements.splice(this.#statements.indexOf(own), 1)
      this.#begin(now)
      this.#observe(now - since)
    }
  }

  /** Notes that another statement is the first one now. */
  #begin(now: number): void {
    this.#runningSince = now
    this.checkedAt = now
  }

  cut(): void {
    ;(this.#client as unknown as PostgresClient).cut()
  }

  release(destroy = false): void {
    this.#onRelease()
    this.#client.release(destroy || this.#isLost)
  }
}
