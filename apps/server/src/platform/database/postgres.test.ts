import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { openDatabase } from './open-database.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

test(
  'given a PostgreSQL database that is not in UTF-8, when it is opened, then it is refused',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.place(t, { empty: true })
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
