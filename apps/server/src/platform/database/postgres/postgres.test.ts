import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { openDatabase } from '../open-database.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

test(
  'given a PostgreSQL database that is not in UTF-8, when it is opened, then it is rejected',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t, { empty: true })
    const client = new pg.Client(databaseUrl)
    await client.connect()
    atEnd(t, () => client.end())
    const name = `ascii_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    atEnd(t, async () => {
      await client.query(`drop database ${name}`)
    })
    const url = new URL(`/${name}`, databaseUrl)
    await assert.rejects(openDatabase({ databaseUrl: url.href, dataDir: '' }), /encoded in SQL_ASCII/)
  },
)

test(
  'given so many connections to PostgreSQL, when more queries run at once, then no more are made',
  postgres.options,
  async (t) => {
    const location = await postgres.createLocation(t)
    const database = await openDatabase({ ...location, databaseConnections: 3 })
    atEnd(t, () => database.close())
    const queries = Array.from({ length: 20 }, () =>
      database.transaction(async (write) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(write)
        return rows[0]!.pid
      }),
    )
    assert.equal(new Set(await Promise.all(queries)).size, 3)
  },
)
