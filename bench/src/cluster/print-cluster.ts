import { count, type Machine, mark, milliseconds, printMachine, table } from '../harness/report.ts'
import { percentile } from '../harness/statistics.ts'
import type { ClusterFigures } from './figures.ts'
import type { ClusterRunOptions } from './options.ts'
import type { FaultRun } from './run-faults.ts'
import { INVARIANTS, type Violation } from './work/ledger.ts'

export interface ClusterReport {
  machine: Machine
  /** The load average of the minute before; above 0.2, other processes were running. */
  loadBefore: number
  options: ClusterRunOptions
  figures: ClusterFigures | undefined
  run: FaultRun | undefined
}

/** The aims of issue 15. */
const AIMS = { cpuRatio: 1.15, scale: 3.2, seenMs: 50 }
const EXAMPLES = 3

export function printCluster(report: ClusterReport): string {
  const { machine } = report
  const { serve, work, seed, store, pooler } = report.options
  return [
    '# A cluster under faults',
    `${printMachine(machine)}, ${machine.takenAt.slice(0, 10)}, ` +
      `load before ${report.loadBefore.toFixed(2)}. ${serve} processes serve, ${work} solve; ` +
      `blobs on ${store}, ${pooler ? 'through' : 'without'} a pooler; seed ${seed}. ` +
      'All processes, the database, the load balancer and the clients share the processors.',
    ...(report.figures ? [printFigures(report.figures)] : []),
    ...(report.run ? [printRun(report.run)] : []),
  ].join('\n\n')
}

function printFigures({ cpu, seen }: ClusterFigures): string {
  const [ratio, growing] = [cpu.clusterMs / cpu.aloneMs, cpu.growingMs / cpu.aloneMs]
  const rows = [
    [
      'CPU of a request in a cluster : alone',
      `${cpu.clusterMs.toFixed(3)} ms : ${cpu.aloneMs.toFixed(3)} ms = ${ratio.toFixed(2)}`,
      `at most ${AIMS.cpuRatio} ${mark(ratio <= AIMS.cpuRatio)}`,
    ],
    [
      'with as many edits for each process, four do as much as',
      `${cpu.growingMs.toFixed(3)} ms: ${(4 / growing).toFixed(2)}`,
      `at least ${AIMS.scale} ${mark(4 / growing >= AIMS.scale)}`,
    ],
    [
      `an edit is seen through another process (${seen.length}), p50, p99`,
      `${milliseconds(percentile(seen, 0.5))} ms, ${milliseconds(percentile(seen, 0.99))} ms`,
      `p99 at most ${AIMS.seenMs} ms ${mark(percentile(seen, 0.99) <= AIMS.seenMs)}`,
    ],
  ]
  return `## Costs, without faults\n\n${table(['what', 'figure', 'aim'], rows)}`
}

function printRun({ log, ledger, waves, logged }: FaultRun): string {
  const faults = Object.entries(log.count()).map(([kind, times]) => `${times} × ${kind}`)
  const work = Object.entries(ledger.counts).map(([kind, times]) => `${count(times)} ${kind}`)
  const rows = INVARIANTS.map((invariant) => {
    const times = ledger.violations.filter((one) => one.invariant === invariant).length
    return [invariant, String(times), mark(times === 0)]
  })
  const after = ledger.failures.map(({ afterMs }) => afterMs).filter((ms) => ms > 0)
  const cutOff = ledger.times['cut off'] ?? []
  return [
    `## Under faults\n\n${waves} waves: ${faults.join(', ')}. Meanwhile ${work.join(', ')}.`,
    table(['what must never happen', 'times', ''], rows),
    `${count(ledger.failures.length)} requests failed while there were faults, the last one ` +
      `${after.length === 0 ? 0 : milliseconds(percentile(after, 1))} ms after a fault.`,
    ...(cutOff.length > 0
      ? [
          `The connections of ${cutOff.length} members who lost access were closed after ` +
            `${milliseconds(percentile(cutOff, 0.5))} ms, at most ${milliseconds(percentile(cutOff, 1))} ms.`,
        ]
      : []),
    ...INVARIANTS.flatMap((invariant) => describe(ledger.violations, invariant)),
    ...(logged.length > 0
      ? [
          `Errors that processes logged, besides that a fault was noticed:\n\n${logged.map((line) => `- ${line}`).join('\n')}`,
        ]
      : []),
  ].join('\n\n')
}

function describe(violations: readonly Violation[], invariant: string): string[] {
  const found = violations.filter((violation) => violation.invariant === invariant)
  if (found.length === 0) return []
  const examples = found.slice(0, EXAMPLES).map(({ at, message }) => `- at ${Math.round(at)} ms: ${message}`)
  return [`**${invariant}**\n\n${examples.join('\n')}`]
}
