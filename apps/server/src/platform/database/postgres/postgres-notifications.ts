import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Log } from '../../log.ts'
import { findCode, reasonOf } from '../../system-errors.ts'
import type { Listener, Subscription, Write } from '../database.ts'
import { explainPostgresFailure } from '../unavailable.ts'
import { PostgresClient } from './postgres-client.ts'
import type { PostgresPool } from './postgres-pool.ts'

const CHANNEL = 'meadow'
/**
 * How often the connection is checked, and how long a reply may take: TCP alone would notice a loss after many minutes.
 */
const HEARTBEAT_MS = 2000
const RECONNECT_MS = 500

/** Implements `Database.publish` on PostgreSQL. */
export async function publish(write: Write, message: string): Promise<void> {
  await sql`select pg_notify(${sql.lit(CHANNEL)}, ${message})`.execute(write)
}

/** Implements `Database.broadcast` on PostgreSQL. */
export async function broadcast(
  pool: Pick<PostgresPool, 'query'>,
  messages: readonly string[],
): Promise<void> {
  const text = 'select pg_notify($1, message) from unnest($2::text[]) as message'
  await pool.query({ text, values: [CHANNEL, messages] })
}

/** The notifications of a process: one connection listens for all of its subscribers. */
export interface PostgresNotifications {
  /** Implements `Database.subscribe`. The connection is open while there are subscribers. */
  subscribe(listener: Listener): Subscription
  /** Rejects with a sentence for the operator when notifications do not arrive. */
  check(): Promise<void>
}

export interface NotificationParts {
  /** The address to listen at: PostgreSQL itself, not a pooler in transaction mode. */
  url: string
  /** The pool of all statements, which also sends the notifications. */
  pool: Pick<PostgresPool, 'query' | 'isAway'>
  log?: Pick<Log, 'info' | 'warn'> | undefined
}

/**
 * Listens for notifications, and every two seconds sends itself one through the pool of all statements. When it does
 * not arrive, a new connection is made: the old one may be dead, or lead to a server that is not the primary any more.
 * Messages may have been lost then. While nothing can be heard, subscribers are notified every half second that
 * anything may have changed.
 */
export function openPostgresNotifications({ url, pool, log }: NotificationParts): PostgresNotifications {
  const listeners = new Set<Listener>()
  let running: Run | undefined
  let isReported = false

  const tell = (message: string | undefined) => {
    for (const listener of [...listeners]) listener(message)
  }

  async function keepListening(run: Omit<Run, 'ended'>): Promise<void> {
    const { signal } = run.stop
    while (!signal.aborted) {
      const connection = createConnection(url, tell)
      try {
        await listen(connection, run)
      } catch (error) {
        if (!signal.aborted) report(error)
      }
      const wasListening = run.isListening
      run.isListening = false
      await connection.end()
      if (signal.aborted) return
      if (!wasListening) tell(undefined)
      await rest(RECONNECT_MS, signal)
    }
  }

  /** Resolves when the signal aborts; rejects when nothing is heard any more. */
  async function listen(connection: Connection, run: Omit<Run, 'ended'>): Promise<void> {
    const { signal } = run.stop
    await connection.start()
    await checkIfPossible(connection)
    run.isListening = true
    if (isReported) log?.info('notifications of the database arrive again')
    isReported = false
    tell(undefined)
    const untilOver = AbortSignal.any([signal, connection.lost])
    for (;;) {
      await rest(HEARTBEAT_MS, untilOver)
      if (signal.aborted) return
      connection.lost.throwIfAborted()
      await checkIfPossible(connection)
    }
  }

  /** Checks that notifications arrive. When none can be sent, it only checks that PostgreSQL replies. */
  async function checkIfPossible(connection: Connection): Promise<void> {
    try {
      await checkHeard(connection, pool)
    } catch (error) {
      if (!(error instanceof UnsentError)) throw error
      await connection.ask()
    }
  }

  /** Logs an error, except during an outage, which has lines of its own. */
  function report(error: unknown): void {
    if (isReported || pool.isAway()) return
    isReported = true
    log?.warn({ reason: explain(error) }, 'notifications of the database do not arrive')
  }

  return {
    subscribe(listener) {
      // The same listener may subscribe twice, so each subscription has a function of its own.
      const own: Listener = (message) => listener(message)
      listeners.add(own)
      // A connection that is still being made notifies all subscribers when it begins to listen.
      if (running?.isListening) setImmediate(() => listeners.has(own) && own(undefined))
      if (!running) {
        const run = { stop: new AbortController(), isListening: false }
        running = Object.assign(run, { ended: keepListening(run) })
      }
      return {
        async close() {
          listeners.delete(own)
          if (listeners.size > 0 || !running) return
          const { stop, ended } = running
          running = undefined
          stop.abort()
          await ended
        },
      }
    },
    async check() {
      const connection = createConnection(url, () => {})
      try {
        await connection.start()
        await checkHeard(connection, pool)
      } catch (error) {
        throw new Error(`Notifications of the database do not arrive: ${explain(error)}.`, { cause: error })
      } finally {
        await connection.end()
      }
    },
  }
}

/** The time in which there are subscribers. */
interface Run {
  readonly stop: AbortController
  readonly ended: Promise<void>
  /** Whether notifications arrive. */
  isListening: boolean
}

/** A connection that listens. */
interface Connection {
  /** Aborts when the connection breaks. */
  readonly lost: AbortSignal
  start(): Promise<void>
  /** A channel that nobody else listens to. */
  readonly ownChannel: string
  /** Waits for this message on the own channel: `heard` resolves when it arrives. */
  waitFor(message: string): { heard: Promise<true>; isHeard(): boolean }
  /** Rejects when PostgreSQL does not reply. */
  ask(): Promise<void>
  /** Whether a pooler is in between. */
  isPooled(): Promise<boolean>
  end(): Promise<void>
}

function createConnection(url: string, receive: (message: string | undefined) => void): Connection {
  const client = new PostgresClient({
    connectionString: url,
    application_name: 'meadow watch',
    patienceMs: HEARTBEAT_MS,
  })
  const ownChannel = `meadow_${randomUUID()}`
  const lost = new AbortController()
  let expected: { message: string; resolve(heard: true): void } | undefined
  client.on('error', (error) => lost.abort(error))
  client.on('notification', ({ channel, payload }) => {
    if (channel === CHANNEL) receive(payload)
    else if (payload === expected?.message) {
      expected?.resolve(true)
      expected = undefined
    }
  })
  return {
    lost: lost.signal,
    ownChannel,
    async start() {
      await client.connect()
      await client.ask(`listen ${CHANNEL}; listen "${ownChannel}"`)
    },
    waitFor(message) {
      const { promise, resolve } = Promise.withResolvers<true>()
      expected = { message, resolve }
      return { heard: promise, isHeard: () => expected?.message !== message }
    },
    async ask() {
      await client.ask('select 1')
    },
    async isPooled() {
      const [row] = await client.ask<{ pid: number }>('select pg_backend_pid() as pid')
      return row!.pid !== client.processId
    },
    async end() {
      client.removeAllListeners('notification')
      await client.end().catch(() => {})
    },
  }
}

/** Sends a notification through the pool of all statements. Throws an `UnheardError` when it does not arrive. */
async function checkHeard(connection: Connection, pool: NotificationParts['pool']): Promise<void> {
  const message = randomUUID()
  const { heard, isHeard } = connection.waitFor(message)
  try {
    await pool.query({ text: 'select pg_notify($1, $2)', values: [connection.ownChannel, message] })
  } catch (cause) {
    throw new UnsentError('A notification could not be sent.', { cause })
  }
  const late = new AbortController()
  await Promise.race([heard, rest(HEARTBEAT_MS, late.signal)])
  late.abort()
  if (isHeard()) return
  // A process that was busy has the notification in its buffers, and handles it before this reply.
  await connection.ask()
  if (!isHeard()) throw new UnheardError(await connection.isPooled())
}

class UnsentError extends Error {}

/** PostgreSQL took a notification, and replies on the connection that listens, which did not get it. */
class UnheardError extends Error {
  constructor(isPooled: boolean) {
    super(
      isPooled
        ? 'the address to listen at leads through a connection pooler in transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself'
        : 'DATABASE_DIRECT_URL leads to another database than DATABASE_URL. Set it to the same database, past the connection pooler',
    )
  }
}

/** The SQLSTATE with which a standby refuses statements, such as LISTEN. */
const READ_ONLY = '25006'

function explain(error: unknown): string {
  if (error instanceof UnheardError) return error.message
  const cause = error instanceof UnsentError ? error.cause : error
  if (findCode(cause) === READ_ONLY)
    return 'the address to listen at leads to a standby. Set DATABASE_DIRECT_URL to the address of the primary'
  return explainPostgresFailure(cause)?.reason ?? reasonOf(cause)
}

/** Resolves after `ms`, or earlier when the signal aborts. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
