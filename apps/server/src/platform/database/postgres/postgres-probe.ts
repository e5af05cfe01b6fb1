import { explainPostgresFailure } from '../unavailable.ts'
import { LATE_REPLY, PostgresClient } from './postgres-client.ts'

/**
 * How long connecting, and then the query, may take before PostgreSQL counts as unreachable, in the time of
 * `startOwnTimer`.
 */
const PROBE_MS = 2000

/** The addresses of one PostgreSQL. */
export interface PostgresAddresses {
  /** The address for all statements, which may be that of a connection pooler. */
  url: string
  /** The address past the pooler; undefined without a pooler. */
  directUrl?: string | undefined
}

/** The statements that PostgreSQL works on. */
export interface Activity {
  isWorkedOn(statement: { text: string; processId: number }): boolean
  /**
   * Whether the pooler has lent all of its connections, so that statements that PostgreSQL does not work on may wait
   * there.
   */
  mayWaitInPooler: boolean
}

/**
 * Queries PostgreSQL over a new connection for the statements that it works on. Rejects when it cannot be reached, soon
 * after `PROBE_MS`. A pooler that accepts the connection and is late with the query may have none to lend; whether
 * PostgreSQL is reachable then shows on the way past it.
 */
export async function probe({ url, directUrl }: PostgresAddresses): Promise<Activity> {
  const client = await connect(url)
  try {
    return await readActivity(client)
  } catch (error) {
    if (directUrl === undefined || !isLate(error)) throw error
    const direct = await connect(directUrl)
    try {
      return { ...(await readActivity(direct)), mayWaitInPooler: true }
    } finally {
      await direct.end()
    }
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<PostgresClient> {
  const client = new PostgresClient({
    connectionString: url,
    application_name: 'meadow probe',
    patienceMs: PROBE_MS,
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Reads the statements that PostgreSQL works on. A pooler has other process ids than PostgreSQL. Behind one, a
 * statement is recognized by its text, of which PostgreSQL shows the first kilobyte (`track_activity_query_size`).
 */
async function readActivity(client: PostgresClient): Promise<Activity> {
  const rows = await client.ask<{ pid: number; query: string; own: number }>(`
    select pid, query, pg_backend_pid() as own from pg_stat_activity
    where datname = current_database() and (state is null or state not like 'idle%')`)
  const processIds = new Set(rows.map(({ pid }) => pid))
  const isDirect = rows[0]?.own === client.processId
  return {
    isWorkedOn: ({ text, processId }) =>
      isDirect ? processIds.has(processId) : rows.some(({ query }) => query !== '' && text.startsWith(query)),
    mayWaitInPooler: false,
  }
}

const isLate = (error: unknown) => error instanceof Error && error.message === LATE_REPLY

/** The messages of errors when all connections of this process, of the pooler or of PostgreSQL are in use. */
const BUSY = /^(timeout exceeded|no more connections allowed|query_wait_timeout)/

/** Whether a failure to connect means that PostgreSQL is unreachable, rather than busy or rejecting the connection. */
export function isAway(error: unknown): boolean {
  const unavailable = explainPostgresFailure(error)
  if (unavailable?.kind !== 'unreachable') return false
  const { code, message } = unavailable.cause as { code?: string; message?: string }
  return code !== TOO_MANY_CONNECTIONS && !BUSY.test(message ?? '')
}

export const TOO_MANY_CONNECTIONS = '53300'
