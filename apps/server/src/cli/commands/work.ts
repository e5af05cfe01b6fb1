import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  readWhole,
  stopOnSignal,
} from '@meadow/command'
import { recordCommand } from '../../audit/record-command.ts'
import { runByItself } from '../../audit/request-context.ts'
import { readConfig } from '../../config.ts'
import { createDocumentContents } from '../../content/document-contents.ts'
import { openMonitoring } from '../../features/health/monitoring.ts'
import { createReadiness, createReadinessGauge } from '../../features/health/readiness.ts'
import { createComputeClient } from '../../features/solves/compute/compute-client.ts'
import { startSolving } from '../../features/solves/solver-pool.ts'
import { createMetrics } from '../../http/metrics.ts'
import { observeBlobs } from '../../platform/blobs/observe-blobs.ts'
import { findWrongStore, openServiceBlobs } from '../../platform/cluster/blob-stores.ts'
import { findTooManyConnections } from '../../platform/cluster/connections.ts'
import { answerProbes } from '../../platform/cluster/probes.ts'
import { registerProcess } from '../../platform/cluster/processes.ts'
import { createSingletonJobs } from '../../platform/cluster/singleton-jobs.ts'
import { ensureDataFolder } from '../../platform/data-folder.ts'
import { describeClock } from '../../platform/database/clock-record.ts'
import { observeTransactions } from '../../platform/database/observe-transactions.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { createLog } from '../../platform/log.ts'
import { startTelemetry } from '../../platform/telemetry/telemetry.ts'

/** `meadow-server work` */
export const work: Declaration = {
  name: 'work',
  description:
    'Solve what servers and commands on the same data ask for, until it is told to stop (Ctrl-C or SIGTERM). ' +
    'Servers solve too, unless MEADOW_SOLVE_WORKERS is 0 for them.',
  options: {
    '--workers <number>': {
      says: 'How many documents to solve at once, in place of MEADOW_SOLVE_WORKERS.',
      read: readWhole(1, 256),
    },
  },
  examples: ['meadow-server work', 'meadow-server work --workers 8'],
  run: runSolvers,
}

async function runSolvers({ env, output }: CommandContext, asked: { workers?: number }): Promise<void> {
  const config = readConfig(env)
  const workers = asked.workers ?? config.solving.workers
  if (workers === 0)
    throw new CommandFailure('MEADOW_SOLVE_WORKERS is 0 here: say --workers, or set it to more.')
  const log = createLog(config.logLevel)
  const { stopGraceMs } = config
  const metrics = createMetrics('work')
  const telemetry =
    config.telemetry && (await startTelemetry(config.telemetry, metrics.registry, 'work', log))
  const database = observeTransactions(await openDatabase(config, { log }))
  try {
    await recordCommand(database)
    await database.checkNotifications()
    ensureDataFolder(config.dataDir, (sentence) => log.warn(sentence))
    const store = await openServiceBlobs(database, config.blobsLocation)
    const { blobs, instruments } = observeBlobs(store.blobs)
    const { location: blobsLocation } = store
    const registered = await registerProcess(
      database,
      { kind: 'work', connections: config.databaseConnections, blobStore: store.id },
      { log },
    )
    await using registration = new AsyncDisposableStack()
    registration.defer(registered.close)
    const tooMany = await findTooManyConnections(database)
    if (tooMany !== undefined) log.warn(tooMany)
    registration.defer(answerProbes(database, { id: registered.id, blobs }))
    const contents = createDocumentContents(database, blobs)
    const { compute: computeServer, ...options } = config.solving
    const compute = computeServer && createComputeClient(computeServer)
    const solving = runByItself(() =>
      startSolving(
        {
          database,
          blobs,
          blobsLocation,
          contents,
          log,
          compute,
          singletonJobs: createSingletonJobs(database, registered.id),
        },
        { ...options, workers, stopGraceMs },
      ),
    )
    const findFault = createReadiness({
      database,
      blobs,
      findWrongStore: () => findWrongStore(database, store),
    })
    metrics.add([
      ...[...database.instruments, ...instruments, ...solving.instruments],
      createReadinessGauge(findFault),
    ])
    if (compute) metrics.watchRequests('compute', compute.figures)
    const stopping = new AbortController()
    await using _ = await openMonitoring(config, {
      findFault,
      findWarnings: () => describeClock(database.read),
      metrics,
      stopping: stopping.signal,
    })
    const stop = () => {
      stopping.abort()
      return solving.stop()
    }
    const stopped = stopOnSignal(stop, 'running solves finish first', output.message)
    await output.data({ workers }, () => `Solving, ${workers} at once. Ctrl-C stops.`)
    await stopped
  } finally {
    await database.close()
    await telemetry?.stop()
  }
}
