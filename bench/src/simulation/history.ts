import './virtual-time.ts'
import './virtual-randomness.ts'
import './virtual-network.ts'
import './virtual-processes.ts'
import type { HistoryOptions, HistoryReport } from './run-history.ts'
import {
  countStrays,
  currentProcess,
  readTrace,
  runVirtually,
  type VirtualProcess,
  virtualNow,
} from './virtual-time.ts'

/* One history: what happens in a cluster, decided by a seed. A process of its own runs it. */

// They load what was replaced.
const { openSimulatedCluster } = await import('./simulated-cluster.ts')
const { listLoggedErrors } = await import('../cluster/logged-errors.ts')
const { runFaults } = await import('../cluster/run-faults.ts')

const { folder, seed, waves } = JSON.parse(process.argv[2]!) as HistoryOptions
/** A short wave, since most histories are told apart by what happens first. */
const PACE = { faultsPerWave: 4, maxPauseMs: 1500, calmMs: 6000 }

/** What would have ended a process. */
const crashes: string[] = []
function noteCrash(error: unknown, own: VirtualProcess | undefined): void {
  if (own?.isAlive === false) return
  crashes.push(`${own?.name ?? 'a client'}: ${error instanceof Error ? error.stack : error}`)
}
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error: unknown) => noteCrash(error, currentProcess()))

async function happen(): Promise<HistoryReport> {
  const cluster = await openSimulatedCluster(folder, { serve: 3, work: 2 })
  const { log, ledger } = await runFaults(cluster, {
    ...{ faults: ['kill', 'stall', 'cut'], seed, pace: PACE, folder, databaseUrl: '' },
    restartDatabase: undefined,
    isDone: (run) => run.waves >= waves,
  })
  await cluster[Symbol.asyncDispose]()
  return {
    seed,
    virtualMs: virtualNow(),
    trace: readTrace(),
    faults: log.faults.map(({ name }) => name),
    counts: ledger.counts,
    violations: [
      ...ledger.violations.map(({ invariant, message }) => `${invariant}: ${message}`),
      ...crashes.map((crash) => `crashes: ${crash}`),
      ...(countStrays() > 0 ? [`a process that was killed went on ${countStrays()} times`] : []),
      ...(await listLoggedErrors(folder)).map((line) => `logged: ${line}`),
    ],
  }
}

const report = await runVirtually(seed, happen, noteCrash).catch((error: unknown) => ({
  seed,
  error: error instanceof Error ? error.stack : String(error),
}))
process.send!(report, () => process.exit())
