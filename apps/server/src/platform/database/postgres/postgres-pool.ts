import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool as KyselyPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '../../log.ts'
import { DatabaseUnavailableError, explainPostgresFailure } from '../unavailable.ts'
import { PostgresClient } from './postgres-client.ts'

/** When nothing else is said. */
const MAX_CONNECTIONS = 10
/** How long a query waits for a connection while all are in use; SQLite's writers wait as long for each other. */
const MAX_WAIT_MS = 10_000
/** A statement that takes longer is looked after: PostgreSQL is asked whether it still works on it. */
const PATIENCE_MS = 2000
/** How long that question may take, connecting included, before PostgreSQL counts as unreachable. */
const PROBE_MS = 2000
const LOOK_EVERY_MS = 500
/** An answer that is on its way when PostgreSQL is asked arrives within this time. */
const ARRIVAL_MS = 500
/** How often a connection is tried while PostgreSQL is unreachable. */
const RECONNECT_EVERY_MS = 250
/**
 * A transaction whose client vanished keeps its locks until PostgreSQL notices. None of ours pauses for so long
 * between two statements.
 */
const SESSION_SETTINGS = {
  text: "set idle_in_transaction_session_timeout = '10s'",
  // Nobody looks after it yet.
  query_timeout: PROBE_MS,
}

/** Connections to PostgreSQL. Everything fails with a `DatabaseUnavailableError` when it cannot be reached. */
export interface PostgresPool extends KyselyPool {
  /**
   * Runs one statement that does no harm when it runs twice: where its connection is lost on the way, it is tried once
   * more on another one.
   */
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
}

/**
 * Opens a pool that outlives any loss of PostgreSQL. A connection that broke, or whose statement nobody works on any
 * more, is destroyed and never lent again. While PostgreSQL is unreachable everything fails at once (a circuit
 * breaker), and one connection at a time is tried; what an outage is and when it is over is logged once.
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
  // The pool drops an idle connection that breaks. The next query tells if PostgreSQL is away.
  pool.on('error', () => {})
  const open = new Set<PostgresClient>()
  pool.on('connect', (client) => void open.add(client as unknown as PostgresClient))
  pool.on('remove', (client) => void open.delete(client as unknown as PostgresClient))
  const lent = new Map<PostgresClient, BorrowedClient>()
  /** Those who wait for a connection: told at once when there will be none. */
  const waiting = new Set<(error: Error) => void>()
  const ending = new AbortController()
  let outage: DatabaseUnavailableError | undefined
  let isLooking = false

  async function connect(): Promise<BorrowedClient> {
    if (outage) {
      const error = outage
      // Once round the event loop: who tries again at once would keep everything else from running, the end included.
      await new Promise(setImmediate)
      throw error
    }
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      pool.connect().then(
        (client) => {
          if (waiting.delete(reject)) resolve(lend(client))
          else client.release()
        },
        (error) => {
          waiting.delete(reject)
          reject(noteFailedConnection(error))
        },
      )
    })
  }

  function lend(client: pg.PoolClient): BorrowedClient {
    const key = client as unknown as PostgresClient
    const one = new BorrowedClient(client, () => lent.delete(key))
    lent.set(key, one)
    return one
  }

  function noteFailedConnection(error: Error): Error {
    const unavailable = explainPostgresFailure(error)
    if (unavailable && isAway(error)) beginOutage(unavailable)
    return unavailable ?? error
  }

  function beginOutage(error: DatabaseUnavailableError): void {
    if (outage || ending.signal.aborted) return
    outage = error
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

  /** Where one connection turned out to be dead, those that lie idle may be too, and the next query would tell late. */
  function cutIdle(): void {
    for (const client of open) if (!lent.has(client)) client.cut()
  }

  /** Cuts the connections whose statement takes long and nobody works on. */
  async function lookAfter(slow: readonly BorrowedClient[]): Promise<void> {
    const asked = slow.map((one) => ({ one, statement: one.statement }))
    const stillWaiting = () => asked.filter(({ one, statement }) => one.statement === statement)
    const cut = (ones: typeof asked) => {
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
    for (const { one } of asked) one.lookedAfterAt = performance.now()
    const forgotten = asked.filter((one) => !isWorkedOn(one))
    if (forgotten.length === 0) return
    await sleep(ARRIVAL_MS, undefined, { ref: false })
    const dead = stillWaiting().filter((one) => forgotten.includes(one))
    if (dead.length > 0) cut(dead)
  }

  const looking = setInterval(async () => {
    const slow = [...lent.values()].filter((one) => one.isSlow(performance.now()))
    if (slow.length === 0 || isLooking) return
    isLooking = true
    await lookAfter(slow)
    isLooking = false
  }, LOOK_EVERY_MS).unref()

  async function queryOnce(config: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await connect()
    try {
      return await client.query(config)
    } finally {
      client.release()
    }
  }

  return {
    // Kysely asks PostgreSQL itself nothing with these.
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
      clearInterval(looking)
    },
  }
}

/** A connection in the hands of one user at a time. */
class BorrowedClient implements Pick<PostgresPoolClient, 'release'> {
  readonly processID: number
  /** Which statement is waited for; undefined: none. */
  statement: symbol | undefined
  lookedAfterAt = 0
  readonly #client: pg.PoolClient
  readonly #onRelease: () => void
  #isLost = false

  constructor(client: pg.PoolClient, onRelease: () => void) {
    this.#client = client
    this.#onRelease = onRelease
    this.processID = (client as unknown as { processID: number }).processID
  }

  isSlow(now: number): boolean {
    return this.statement !== undefined && now - this.lookedAfterAt > PATIENCE_MS
  }

  async query(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    this.statement = Symbol()
    this.lookedAfterAt = performance.now()
    try {
      return await this.#client.query(statement as string, values)
    } catch (error) {
      const unavailable = explainPostgresFailure(error)
      if (!unavailable) throw error
      this.#isLost = true
      throw unavailable
    } finally {
      this.statement = undefined
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

/** Whether a failure to connect means that PostgreSQL is away, rather than busy or in disagreement with us. */
function isAway(error: unknown): boolean {
  const unavailable = explainPostgresFailure(error)
  if (unavailable?.kind !== 'unreachable') return false
  const { code, message } = unavailable.cause as Partial<pg.DatabaseError>
  // All connections of the server, or of this pool, are in use.
  return code !== '53300' && !message?.startsWith('timeout exceeded')
}

/**
 * Asks PostgreSQL, over a new connection, what it works on: the process ids of the connections that are not idle.
 * Undefined when those are not ours to compare, since a pooler stands in between. Fails within `PROBE_MS` and a bit.
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
