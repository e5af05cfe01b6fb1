import type pg from 'pg'
import type { Snapshot } from '../database.ts'
import type { PostgresPool } from './postgres-pool.ts'

type Client = { query(config: pg.QueryConfig | string): Promise<pg.QueryResult>; release(): void }

/** Implements `Database.snapshot` on PostgreSQL with one transaction, so that it works through a pooler too. */
export async function readPostgresSnapshot<T>(
  pool: Pick<PostgresPool, 'connect'>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = (await pool.connect()) as unknown as Client
  let cursors = 0
  try {
    await client.query('begin isolation level repeatable read read only')
    try {
      // The reader may pause to write to a slow place, so idling does not end the transaction.
      await client.query('set local idle_in_transaction_session_timeout = 0')
      // The transaction shows the moment of its first query.
      await client.query('select 1 from schema_version limit 0')
      return await work({ stream: (sql, portion) => stream(client, `meadow_${++cursors}`, sql, portion) })
    } finally {
      await client.query('rollback')
    }
  } finally {
    client.release()
  }
}

async function* stream(
  client: Client,
  cursor: string,
  sql: string,
  portion: number,
): AsyncGenerator<unknown[][]> {
  await client.query(`declare ${cursor} no scroll cursor for ${sql}`)
  const fetch = { text: `fetch forward ${portion} from ${cursor}`, rowMode: 'array' } as pg.QueryArrayConfig
  for (;;) {
    const { rows } = await client.query(fetch)
    if (rows.length === 0) break
    yield rows
  }
  await client.query(`close ${cursor}`)
}
