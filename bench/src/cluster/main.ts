import { mkdir } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { openFolder, reportProgress, runCommand } from '../harness/command.ts'
import { startPostgres } from '../harness/postgres.ts'
import { describeMachine } from '../harness/report.ts'
import { type ClusterFigures, measureCluster } from './figures.ts'
import { type ClusterRunOptions, HELP, readClusterOptions } from './options.ts'
import { openCluster } from './parts/cluster.ts'
import { type ClusterReport, printCluster } from './print-cluster.ts'
import { FULL_PACE, runFaults } from './run-faults.ts'

await runCommand(HELP, readClusterOptions, async (options) => {
  const report = await runCluster(options)
  return {
    text: options.json ? JSON.stringify(report, null, 1) : printCluster(report),
    code: (report.run?.ledger.violations.length ?? 0) > 0 ? 1 : 0,
  }
})

async function runCluster(options: ClusterRunOptions): Promise<ClusterReport> {
  const [machine, loadBefore] = [describeMachine(), loadavg()[0]!]
  await using opened = new AsyncDisposableStack()
  const temporary = await openFolder('cluster')
  const { path: folder } = temporary
  if (options.keep) reportProgress(`Data and logs: ${folder}`)
  else opened.use(temporary)
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
