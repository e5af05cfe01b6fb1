import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { atEnd, type TestScope } from './at-end.ts'
import { processScope } from './process-scope.ts'
import { POSTGRES_VARIABLE, startPostgres, TEMPLATE } from './test-postgres.ts'

/** What this process uses for all of its tests, from the first one on that needs one. */
let server: Promise<{ url: string; admin: pg.Client }> | undefined

/** Creates a database for one test, and returns its address. */
export async function createPostgresDatabase(t: TestScope, empty: boolean): Promise<string> {
  server ??= connect()
  const { url, admin } = await server
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const template = empty ? 'template0' : TEMPLATE
  // By default the copy is written to the log page by page, which takes three times as long.
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  atEnd(t, async () => {
    await admin.query(`drop database ${name} with (force)`)
  })
  return `${url}/${name}`
}

async function connect() {
  const url = await findServer()
  const admin = new pg.Client(`${url}/postgres`)
  await admin.connect()
  atEnd(processScope, () => admin.end())
  return { url, admin }
}

/** The server of the whole run; a test file that runs by itself starts its own. */
async function findServer(): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: how the run passes it to its test processes; no part of the service.
  const running = process.env[POSTGRES_VARIABLE]
  if (running) return running
  const postgres = await startPostgres()
  atEnd(processScope, async () => postgres[Symbol.asyncDispose]())
  return postgres.url
}
