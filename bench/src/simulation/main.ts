import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openFolder, readNumber, reportProgress, runCommand } from '../harness/command.ts'
import { count } from '../harness/report.ts'
import { type HistoryReport, runHistory } from './run-history.ts'

const HELP = `Runs histories of a cluster of several processes, each decided by a seed alone: when messages arrive, how long
calls take, which process is killed or stands still. Ends with 1 when something happened that must never happen.

  npm run simulate                            100 histories, each with another seed
  npm run simulate -- --histories 10000       more of them
  npm run simulate -- --seed 4711 --histories 1
                                              this one again: the same happens at the same times

  --waves NUMBER: how often faults happen in a history; 1 without it
`

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      histories: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      waves: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    histories: readNumber('--histories', values.histories),
    seed: readNumber('--seed', values.seed, 0),
    waves: readNumber('--waves', values.waves),
  }
}

await runCommand(HELP, read, async ({ histories, seed, waves }) => {
  const totals = { histories: 0, virtualMs: 0, counts: {} as Record<string, number>, faults: 0 }
  const found: string[] = []
  await using compiled = await openFolder('compiled')
  const startedAt = performance.now()
  let next = seed

  function add({ seed, virtualMs, counts, faults, violations }: HistoryReport): void {
    totals.histories++
    totals.virtualMs += virtualMs
    totals.faults += faults.length
    for (const [kind, times] of Object.entries(counts))
      totals.counts[kind] = (totals.counts[kind] ?? 0) + times
    if (violations.length > 0) {
      found.push(`--seed ${seed}: ${violations.slice(0, 5).join('\n  ')}`)
      reportProgress(found.at(-1)!)
    }
    if (totals.histories % 10 === 0) reportProgress(`${totals.histories} histories`)
  }

  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (next < seed + histories) add(await runHistory({ seed: next++, waves }, compiled.path))
    }),
  )
  const hours = (performance.now() - startedAt) / 3_600_000
  const counts = Object.entries(totals.counts).map(([kind, times]) => `${count(times)} ${kind}`)
  const text = [
    `${count(totals.histories)} histories (${count(totals.histories / hours)} in an hour) of ` +
      `${count(totals.virtualMs / totals.histories / 1000)} s each, ${count(totals.faults)} faults, ${counts.join(', ')}.`,
    found.length === 0 ? 'Nothing happened that must never happen.' : found.join('\n'),
  ].join('\n\n')
  return { text, code: found.length > 0 ? 1 : 0 }
})
