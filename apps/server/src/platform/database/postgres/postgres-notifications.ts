import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Listener, Subscription, Write } from '../database.ts'
import { PostgresClient } from './postgres-client.ts'

const CHANNEL = 'meadow'
/** A connection that does not answer for so long is taken for broken: TCP alone notices after many minutes. */
const HEARTBEAT_MS = 2000
const RECONNECT_MS = 500

/** `Database.announce` on PostgreSQL. */
export async function publish(write: Write, said: string): Promise<void> {
  await sql`select pg_notify(${sql.lit(CHANNEL)}, ${said})`.execute(write)
}

/**
 * `Database.watch` on PostgreSQL: a connection that listens, and is made anew when it breaks. What was said meanwhile
 * is lost, so anything may have changed then.
 */
export function subscribeToPostgres(url: string, tell: Listener): Subscription {
  const closing = new AbortController()
  const { signal } = closing
  const ended = listenAgainAndAgain(url, tell, signal)
  return {
    async close() {
      closing.abort()
      await ended
    },
  }
}

async function listenAgainAndAgain(url: string, tell: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new PostgresClient({
      connectionString: url,
      application_name: 'meadow watch',
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
    })
    try {
      await listen(client, tell, signal)
    } catch {
      // Whatever it was, the answer is the same: connect again.
    } finally {
      client.removeAllListeners('notification')
      await client.end().catch(() => {})
    }
    await rest(RECONNECT_MS, signal)
  }
}

/** Resolves when it is told to end; rejects when the connection is broken. */
async function listen(client: pg.Client, tell: Listener, signal: AbortSignal): Promise<void> {
  let isBroken = false
  client.on('error', () => {
    isBroken = true
  })
  client.on('notification', ({ payload }) => tell(payload))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  tell(undefined)
  while (!signal.aborted && !isBroken) {
    await rest(HEARTBEAT_MS, signal)
    if (!signal.aborted) await client.query('select 1')
  }
}

/** Ends early when the signal is raised. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
