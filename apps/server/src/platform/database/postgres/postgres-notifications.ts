import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Listener, Subscription, Write } from '../database.ts'
import { PostgresClient } from './postgres-client.ts'
import type { PostgresPool } from './postgres-pool.ts'

const CHANNEL = 'meadow'
/** A connection without a reply for so long counts as broken: TCP alone would notice after many minutes. */
const HEARTBEAT_MS = 2000
const RECONNECT_MS = 500

/** `Database.publish` on PostgreSQL. */
export async function publish(write: Write, message: string): Promise<void> {
  await sql`select pg_notify(${sql.lit(CHANNEL)}, ${message})`.execute(write)
}

/** `Database.broadcast` on PostgreSQL. */
export async function broadcast(
  pool: Pick<PostgresPool, 'query'>,
  messages: readonly string[],
): Promise<void> {
  const text = 'select pg_notify($1, message) from unnest($2::text[]) as message'
  await pool.query({ text, values: [CHANNEL, messages] })
}

/**
 * `Database.subscribe` on PostgreSQL: a connection that listens, and reconnects when it breaks. Messages sent in the
 * meantime are lost, so anything may have changed then.
 */
export function subscribeToPostgres(url: string, listener: Listener): Subscription {
  const closing = new AbortController()
  const { signal } = closing
  const ended = keepListening(url, listener, signal)
  return {
    async close() {
      closing.abort()
      await ended
    },
  }
}

async function keepListening(url: string, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new PostgresClient({
      connectionString: url,
      application_name: 'meadow watch',
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
    })
    try {
      await listen(client, listener, signal)
    } catch {
      // Reconnect, whatever the reason was.
    } finally {
      client.removeAllListeners('notification')
      await client.end().catch(() => {})
    }
    await rest(RECONNECT_MS, signal)
  }
}

/** Resolves when the signal aborts; rejects when the connection is broken. */
async function listen(client: pg.Client, listener: Listener, signal: AbortSignal): Promise<void> {
  let isBroken = false
  client.on('error', () => {
    isBroken = true
  })
  client.on('notification', ({ payload }) => listener(payload))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  listener(undefined)
  while (!signal.aborted && !isBroken) {
    await rest(HEARTBEAT_MS, signal)
    if (!signal.aborted) await client.query('select 1')
  }
}

/** Ends early when the signal aborts. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
