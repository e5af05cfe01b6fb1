import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSessionSecret } from '@meadow/server/src/access/session-cookie.ts'
import { readConfig } from '@meadow/server/src/config.ts'
import { openBlobs } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import type { TestScope } from '@meadow/server/src/testing/at-end.ts'
import { type FaultProxy, startFaultProxy } from '@meadow/server/src/testing/fault-proxy.ts'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { startPooler } from '@meadow/server/src/testing/pooler/start-pooler.ts'
import { openS3Server, type S3Server } from '@meadow/server/src/testing/s3-server.ts'
import pg from 'pg'
import { buildTeam, type WorkingTeam } from './build-team.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { type Supervised, supervise } from './supervised.ts'

/** The places for blobs: a folder that all processes share, or an object store. */
export const BLOB_STORE_KINDS = ['disk', 's3'] as const
export type BlobStoreKind = (typeof BLOB_STORE_KINDS)[number]

export interface ClusterOptions {
  /** The number of processes that serve. `work` is the number of processes that solve. */
  serve: number
  work: number
  /** The address of an empty database. */
  databaseUrl: string
  /** Whether processes reach the database through a pooler in transaction mode. */
  pooler: boolean
  store: BlobStoreKind
  /** The folder for data and logs. */
  folder: string
  env?: Record<string, string>
}

/** A server of the cluster, or the load balancer in front of them. */
export interface NamedServer {
  name: string
  host: string
  port: number
}

export type DatabaseLink = Pick<FaultProxy, 'cut' | 'freeze' | 'resume'>

/** Several processes on one database and one blob store, with a load balancer in front. */
export interface Cluster extends AsyncDisposable {
  servers: readonly NamedServer[]
  balancer: NamedServer
  processes: { serve: readonly Supervised[]; work: readonly Supervised[] }
  team: WorkingTeam
  /** Reads from the database itself, whatever is at fault. */
  query(sql: string): Promise<Record<string, unknown>[]>
  links: {
    /** The connection of all processes to the database, or to the pooler in front of it. */
    database: DatabaseLink
    /** The object store; undefined where blobs are in a folder. */
    store: S3Server | undefined
    /** The load balancer between clients and the servers. */
    clients: RoundRobin
  }
}

/**
 * The time after which a solve of a killed process is taken over. With the default of 30 s, a run would take that much
 * longer.
 */
const LEASE_SECONDS = '5'

/** The number of connections of the pooler to PostgreSQL, for all processes together. */
const POOL_SIZE = 20

const storeVariables = ({ endpoint, bucket, keys }: S3Server) => ({
  MEADOW_BLOBS: `s3://${bucket}/blobs?endpoint=${endpoint}&region=us-east-1&style=path`,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
})

/** Combines two links to one database. */
function both(one: FaultProxy, other: FaultProxy | undefined): DatabaseLink {
  const links = other ? [one, other] : [one]
  return {
    cut: () => links.forEach((link) => void link.cut()),
    freeze: () => links.forEach((link) => void link.freeze()),
    resume: async () => void (await Promise.all(links.map((link) => link.resume()))),
  }
}

/** Starts everything, and waits until all processes are ready. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const scope: TestScope = { after: (work) => void opened.defer(work) }
  const dataDir = join(options.folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const store = options.store === 's3' ? await openS3Server() : undefined
  if (store) opened.defer(store.close)
  const storeEnv = store ? storeVariables(store) : {}
  const { blobsLocation } = readConfig({ MEADOW_DATA_DIR: dataDir, ...storeEnv })
  const team = await buildTeam({ dataDir, databaseUrl: options.databaseUrl }, await openBlobs(blobsLocation))
  opened.defer(() => team.close())
  // Connections are cut in front of the pooler, and the database is restarted behind it.
  const databaseUrl = options.pooler
    ? await startPooler(scope, options.databaseUrl, { poolSize: POOL_SIZE })
    : options.databaseUrl
  const database = await startFaultProxy(scope, databaseUrl)
  const itself = new pg.Pool({ connectionString: options.databaseUrl, max: 1 })
  // A fault ends the connection, and the next query connects again.
  itself.on('error', () => {})
  opened.defer(() => itself.end())
  const direct = options.pooler ? await startFaultProxy(scope, options.databaseUrl) : undefined
  const env = {
    DATABASE_URL: database.url,
    ...(direct && { DATABASE_DIRECT_URL: direct.url }),
    ...storeEnv,
    MEADOW_SESSION_SECRET: await openSessionSecret(dataDir, undefined),
    MEADOW_TRUSTED_PROXIES: '127.0.0.1',
    MEADOW_SOLVE_LEASE_SECONDS: LEASE_SECONDS,
    MEADOW_STOP_GRACE_SECONDS: '5',
    ...options.env,
  }

  function start(command: string, index: number, own: Record<string, string>): Supervised {
    const name = `${command} ${index + 1}`
    const logFile = join(options.folder, `${command}-${index + 1}.log`)
    // With an object store, processes share nothing on the disk, as if they were on several machines.
    const ownDir = store ? join(options.folder, `data-${command}-${index + 1}`) : dataDir
    const started = supervise({
      ...{ name, command, logFile },
      env: { MEADOW_DATA_DIR: ownDir, ...env, ...own },
    })
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
    query: async (sql) => (await itself.query(sql)).rows,
    links: { database: both(database, direct), clients, store },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
