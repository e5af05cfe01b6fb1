import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSessionSecret } from '@meadow/server/src/access/session-cookie.ts'
import { readConfig } from '@meadow/server/src/config.ts'
import { openBlobs } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import { startService } from '@meadow/server/src/service.ts'
import { createCapturedLog } from '@meadow/server/src/testing/captured-log.ts'
import { buildTeam, type TeamSizes } from '../cluster/parts/build-team.ts'
import type { Cluster } from '../cluster/parts/cluster.ts'
import type { Supervised } from '../cluster/parts/supervised.ts'
import { holdJobs } from './virtual-job.ts'
import { balance, cutConnections } from './virtual-network.ts'
import { kill } from './virtual-processes.ts'
import { resume, runIn, suspend, type VirtualProcess } from './virtual-time.ts'

const HOST = '127.0.0.1'
const FIRST_PORT = 10_000
/** Small, since a history is about the order of things. */
const SIZES: TeamSizes = {
  ...{ edited: 4000, unchanged: [4000, 70_000], solution: 20_000 },
  ...{ lists: 20, items: 20 },
}

/** The pause before a restart in milliseconds, which is the default of systemd. */
const RESTART_MS = 100

/** Starts a service as a process that can be killed, and that is started again. */
async function supervise(name: string, env: Record<string, string>, folder: string): Promise<Supervised> {
  const { log, lines } = createCapturedLog('error')
  const crashes: string[] = []
  let process: VirtualProcess
  let isReady = false
  let ready = Promise.withResolvers<void>()

  function start(): void {
    isReady = false
    const own: VirtualProcess = { name, isAlive: true, held: undefined }
    process = own
    runIn(own, () => startService(readConfig(env), log)).then(
      () => {
        isReady = true
        ready.resolve()
      },
      (error) => crashes.push(`${name} does not start: ${error}`),
    )
  }

  start()
  await ready.promise
  return {
    name,
    pid: undefined,
    crashes,
    ready: () => ready.promise,
    async kill() {
      if (process.isAlive) {
        kill(process)
        if (isReady) ready = Promise.withResolvers()
        await sleep(RESTART_MS)
        start()
      }
      await ready.promise
    },
    holdChildren: () => holdJobs(process),
    async stall(ms) {
      const stalled = process
      suspend(stalled)
      await sleep(ms)
      resume(stalled)
    },
    async stop() {
      kill(process)
      writeFileSync(join(folder, `${name}.log`), lines.map((line) => JSON.stringify(line)).join('\n'))
    },
  }
}

/** Starts several services on one SQLite database and one folder of blobs, of which the last ones solve. */
export async function openSimulatedCluster(
  folder: string,
  { serve, work }: { serve: number; work: number },
): Promise<Cluster> {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const { blobsLocation } = readConfig({ MEADOW_DATA_DIR: dataDir })
  const team = await buildTeam({ dataDir }, await openBlobs(blobsLocation), SIZES)
  const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { readOnly: true })
  const env = {
    MEADOW_DATA_DIR: dataDir,
    MEADOW_SESSION_SECRET: await openSessionSecret(dataDir, undefined),
    MEADOW_TRUSTED_PROXIES: HOST,
    MEADOW_SOLVE_LEASE_SECONDS: '5',
    MEADOW_STOP_GRACE_SECONDS: '5',
  }
  const ports = Array.from({ length: serve }, (_, index) => FIRST_PORT + index)
  const start = (name: string, port: number, workers: number) =>
    supervise(name, { ...env, MEADOW_PORT: String(port), MEADOW_SOLVE_WORKERS: String(workers) }, folder)
  const serving: Supervised[] = []
  for (const [index, port] of ports.entries()) serving.push(await start(`serve ${index + 1}`, port, 0))
  const solving: Supervised[] = []
  for (let index = 0; index < work; index++)
    solving.push(await start(`work ${index + 1}`, FIRST_PORT + serve + index, 1))
  const balancer = { name: 'balancer', host: HOST, port: balance(ports) }
  const cut = () => cutConnections((process) => serving.some(({ name }) => name === process?.name))
  return {
    servers: ports.map((port, index) => ({ name: serving[index]!.name, host: HOST, port })),
    balancer,
    processes: { serve: serving, work: solving },
    team,
    query: async (sql) => database.prepare(sql).all(),
    links: {
      // The database is a file, whose connections nothing cuts.
      database: { cut, freeze() {}, async resume() {} },
      store: undefined,
      clients: { host: HOST, port: balancer.port, cut, [Symbol.asyncDispose]: async () => {} },
    },
    async [Symbol.asyncDispose]() {
      for (const one of [...serving, ...solving]) await one.stop()
      await team.close()
      database.close()
    },
  }
}
