import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSessionSecret } from '@meadow/server/src/access/session-cookie.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import type { TestScope } from '@meadow/server/src/testing/at-end.ts'
import { type FaultProxy, startFaultProxy } from '@meadow/server/src/testing/fault-proxy.ts'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { buildTeam, type WorkingTeam } from './build-team.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { type Supervised, supervise } from './supervised.ts'

export interface ClusterOptions {
  /** The number of processes that serve, and that solve. */
  serve: number
  work: number
  /** Of an empty database. */
  databaseUrl: string
  /** Where data and logs are kept. */
  folder: string
  env?: Record<string, string>
}

/** A server of the cluster, or the load balancer in front of them. */
export interface NamedServer {
  name: string
  host: string
  port: number
}

/** Several processes on one database and one blob store, with a load balancer in front. */
export interface Cluster extends AsyncDisposable {
  servers: readonly NamedServer[]
  balancer: NamedServer
  processes: { serve: readonly Supervised[]; work: readonly Supervised[] }
  team: WorkingTeam
  links: {
    /** The way of all processes to the database. */
    database: FaultProxy
    /** The way of clients to the servers. */
    clients: RoundRobin
  }
}

/** A solve of a killed process is taken over after this time. The default of 30 s would make a run take as much longer. */
const LEASE_SECONDS = '5'

/** Starts everything, and waits until all processes are ready. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const scope: TestScope = { after: (work) => void opened.defer(work) }
  const dataDir = join(options.folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const team = await buildTeam(
    { dataDir, databaseUrl: options.databaseUrl },
    await openDiskBlobs(join(dataDir, 'blobs')),
  )
  opened.defer(() => team.close())
  const database = await startFaultProxy(scope, options.databaseUrl)
  const env = {
    MEADOW_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MEADOW_SESSION_SECRET: await openSessionSecret(dataDir, undefined),
    MEADOW_TRUSTED_PROXIES: '127.0.0.1',
    MEADOW_SOLVE_LEASE_SECONDS: LEASE_SECONDS,
    MEADOW_STOP_GRACE_SECONDS: '5',
    ...options.env,
  }

  function start(command: string, index: number, own: Record<string, string>): Supervised {
    const name = `${command} ${index + 1}`
    const logFile = join(options.folder, `${command}-${index + 1}.log`)
    const started = supervise({ name, command, logFile, env: { ...env, ...own } })
    opened.defer(started.stop)
    return started
  }

  const ports = await Promise.all(Array.from({ length: options.serve }, findFreePort))
  const serve = ports.map((port, index) =>
    start('serve', index, { MEADOW_PORT: String(port), MEADOW_SOLVE_WORKERS: '0' }),
  )
  const work = Array.from({ length: options.work }, (_, index) =>
    start('work', index, { MEADOW_SOLVE_WORKERS: '1' }),
  )
  await Promise.all([...serve, ...work].map(({ ready }) => ready()))
  const clients = opened.use(await startRoundRobin(ports))
  const closing = opened.move()
  return {
    servers: ports.map((port, index) => ({ name: serve[index]!.name, host: '127.0.0.1', port })),
    balancer: { name: 'balancer', host: clients.host, port: clients.port },
    processes: { serve, work },
    team,
    links: { database, clients },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
