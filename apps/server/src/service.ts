import { fingerprintSecret, openSessionSecret } from './access/session-cookie.ts'
import { createSessionStore } from './access/sessions.store.ts'
import { createApp } from './app.ts'
import { listExposures } from './config/exposure.ts'
import type { Config } from './config.ts'
import { createDocumentContents } from './content/document-contents.ts'
import { openHistoryPool } from './content/history/history-pool.ts'
import { openMonitoring } from './features/health/monitoring.ts'
import { createReadiness, createReadinessGauge } from './features/health/readiness.ts'
import { listIdleRules } from './features/sign-in/role-rules.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import { createSolveWaits } from './features/solutions/solve-waits.ts'
import { createComputeClient } from './features/solves/compute/compute-client.ts'
import { type Solving, startSolving } from './features/solves/solver-pool.ts'
import { listOwnHosts } from './http/connection/public-address.ts'
import { createMetrics } from './http/metrics.ts'
import type { MountedRoute } from './http/route-access.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { observeBlobs } from './platform/blobs/observe-blobs.ts'
import { findWrongStore, openServiceBlobs } from './platform/cluster/blob-stores.ts'
import { findTooManyConnections } from './platform/cluster/connections.ts'
import { answerProbes } from './platform/cluster/probes.ts'
import { registerProcess } from './platform/cluster/processes.ts'
import { createSingletonJobs } from './platform/cluster/singleton-jobs.ts'
import { ensureDataFolder } from './platform/data-folder.ts'
import { describeClock } from './platform/database/clock-record.ts'
import type { Database } from './platform/database/database.ts'
import { observeTransactions } from './platform/database/observe-transactions.ts'
import { openDatabase } from './platform/database/open-database.ts'
import type { Log } from './platform/log.ts'
import { startTelemetry } from './platform/telemetry/telemetry.ts'
import { listTeams } from './team/teams.ts'

/** A running service. */
export interface Service {
  /** The address that it listens on, without a closing slash. */
  readonly address: string
  /** The address of its port for monitoring, if it has one. */
  readonly monitoringAddress: string | undefined
  readonly database: Database
  readonly blobs: BlobStore
  readonly solving: Pick<Solving, 'request' | 'store'>
  /** Every route that it answers, and who may use it. */
  readonly routes: readonly MountedRoute[]
  /**
   * Responds for another `stopNoticeMs`, closing each connection after its response; then accepts no more connections,
   * waits for running requests and solves, and closes the database. What still runs `stopGraceMs` after the call is cut
   * off; another solver takes over unfinished solves.
   */
  stop(): Promise<void>
}

/** Opens all parts of the service and listens; closes them in reverse order when the service is stopped. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const { stopGraceMs } = config
  const metrics = createMetrics('serve')
  const telemetry =
    config.telemetry && (await startTelemetry(config.telemetry, metrics.registry, 'serve', log))
  const database = observeTransactions(await openDatabase(config, { log }))
  try {
    await database.checkNotifications()
    await warnAtStart(config, database, log)
    ensureDataFolder(config.dataDir, (sentence) => log.warn(sentence))
    const store = await openServiceBlobs(database, config.blobsLocation)
    const { blobs, instruments } = observeBlobs(store.blobs)
    const { location: blobsLocation } = store
    const history = openHistoryPool(blobs, blobsLocation, config.jobs.values)
    const contents = createDocumentContents(
      database,
      blobs,
      (err) => log.error({ err }, 'a document could not be kept in memory'),
      history,
    )
    const secret = await openSessionSecret(config.dataDir, config.sessionSecret)
    await using failing = new AsyncDisposableStack()
    failing.use(history)
    const registered = await registerProcess(
      database,
      {
        kind: 'serve',
        connections: config.databaseConnections,
        blobStore: store.id,
        secretFingerprint: fingerprintSecret(secret),
      },
      { log },
    )
    failing.defer(registered.close)
    const tooMany = await findTooManyConnections(database)
    if (tooMany !== undefined) log.warn(tooMany)
    const notices: string[] = []
    const stopAnswering = answerProbes(database, { id: registered.id, blobs, notices })
    failing.defer(stopAnswering)
    const singletonJobs = createSingletonJobs(database, registered.id)
    const sessions = createSessionStore(database, secret)
    const { listRunning } = createSolutionStore(database)
    const solveWaits = createSolveWaits({ database, listRunning }, config.maxWaits)
    failing.defer(solveWaits.close)
    const { compute: computeServer, ...solvingOptions } = config.solving
    const compute = computeServer && createComputeClient(computeServer)
    const solving = startSolving(
      {
        database,
        blobs,
        blobsLocation,
        contents,
        log,
        onEnded: solveWaits.notifyEnded,
        compute,
        singletonJobs,
      },
      { ...solvingOptions, stopGraceMs },
    )
    failing.defer(solving.stop)
    const findFault = createReadiness({
      database,
      blobs,
      findWrongStore: () => findWrongStore(database, store),
    })
    metrics.add([
      ...[...database.instruments, ...instruments, ...solving.instruments],
      createReadinessGauge(findFault),
    ])
    const { request: requestSolves } = solving
    const parts = {
      database,
      blobs,
      blobsLocation,
      contents,
      sessions,
      secret,
      requestSolves,
      log,
      processId: registered.id,
      singletonJobs,
      solveWaits,
      compute,
      metrics,
      notices,
      findFault,
    }
    const app = await createApp(config, parts)
    failing.defer(() => app.close())
    // For the second address of `localhost` Fastify would open another server, without the handlers of this one.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host
    const address = await app.listen({ host, port: config.port })
    await registered.update({ address })
    const monitoring = await openMonitoring(config, {
      findFault,
      findWarnings: () => describeClock(database.read),
      metrics,
      stopping: app.stopping,
    })
    failing.defer(async () => monitoring?.[Symbol.asyncDispose]())
    failing.move()
    let stopped: Promise<void> | undefined
    const stop = async () => {
      const cutOff = setTimeout(app.connections.destroyAll, stopGraceMs)
      await Promise.all([app.close(), solving.stop()])
      clearTimeout(cutOff)
      await solveWaits.close()
      await history[Symbol.asyncDispose]()
      await stopAnswering()
      await registered.close()
      await monitoring?.[Symbol.asyncDispose]()
      await database.close()
      await telemetry?.stop()
    }
    return {
      address,
      monitoringAddress: monitoring?.address,
      database,
      blobs,
      solving,
      routes: app.mountedRoutes,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await database.close()
    await telemetry?.stop()
    throw error
  }
}

/** Logs what about the configuration and the teams harms others, when the service starts. */
async function warnAtStart(config: Config, database: Database, log: Pick<Log, 'warn'>): Promise<void> {
  for (const { says, remedy } of listExposures(config)) log.warn(`${says} ${remedy}`)
  const { compute } = config.solving
  if (compute?.key !== undefined && compute.url.startsWith('http:')) log.warn(KEY_UNENCRYPTED)
  const ownHosts = listOwnHosts(config)
  const teams = await listTeams(database.read)
  for (const { says, remedy } of listIdleRules(config.oidc?.roles ?? [], teams)) log.warn(`${says} ${remedy}`)
  for (const { id, name, host } of teams) {
    if (host === null || !ownHosts.includes(host)) continue
    log.warn(
      `The team "${name}" (${id}) has the host name "${host}", under which every team reaches this server: the tokens ` +
        'of all other teams are refused there. ' +
        `Take it away with "meadow-server team host ${id} --none".`,
    )
  }
}

const KEY_UNENCRYPTED =
  'MEADOW_COMPUTE_URL begins with http: the key and the definitions are sent unencrypted. That is safe only where nobody ' +
  'else can read the network between this server and Rhino.Compute.'
