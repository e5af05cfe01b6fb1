import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { atEnd, type TestScope } from '../at-end.ts'
import { findFreePort } from '../find-free-port.ts'
import { createQuickFolder } from '../quick-folder.ts'
import { until } from '../until.ts'
import { type RunningPooler, startTransactionPooler } from './transaction-pooler.ts'

/** Whether the tests run on PgBouncer; otherwise they run on a pooler of their own. */
const HAS_PGBOUNCER = spawnSync('pgbouncer', ['-V']).status === 0

/** Fewer than a server's pool has, so that its connections have to share. */
const POOL_SIZE = 4

/** Starts a pooler in transaction mode in front of the PostgreSQL that `url` names. Returns the address by way of it. */
export async function startPooler(
  t: TestScope,
  url: string,
  { poolSize = POOL_SIZE, pgbouncer = HAS_PGBOUNCER } = {},
): Promise<string> {
  const target = new URL(url)
  const here = new URL(url)
  target.pathname = ''
  const pooler = pgbouncer
    ? await startPgbouncer(target, poolSize)
    : await startTransactionPooler(target.href.replace(/\/$/, ''), poolSize)
  atEnd(t, pooler.close)
  here.host = `127.0.0.1:${pooler.port}`
  return here.href
}

/** For root, whom PgBouncer refuses to run as. */
const NOBODY = 65_534

async function startPgbouncer(target: URL, poolSize: number): Promise<RunningPooler> {
  const folder = await createQuickFolder('meadow-pgbouncer-')
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, configure(target, port, poolSize))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  // Ends with this process at the latest, whatever that dies of.
  const keeper = spawn('sh', ['-c', 'pgbouncer -q "$0" & cat; kill -9 $!; wait', file], {
    stdio: ['pipe', 'ignore', 'ignore'],
    ...user,
  })
  const ended = once(keeper, 'exit')
  await until('PgBouncer listens', () => canConnect(port))
  return {
    port,
    async close() {
      keeper.stdin.end()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** Connections of PostgreSQL are lent in turn, so that whatever a client leaves on one shows at once. */
const configure = ({ hostname, port, username, password }: URL, listenPort: number, poolSize: number) => `
[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
server_round_robin = 1
server_login_retry = 1
max_client_conn = 500
`

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
