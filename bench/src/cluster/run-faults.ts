import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'
import { type FaultKind, FaultLog, type FaultTarget, inject, RECOVERY_MS } from './faults.ts'
import { listLoggedErrors } from './logged-errors.ts'
import type { Cluster, NamedServer } from './parts/cluster.ts'
import { takeAccessAway } from './work/access.ts'
import { edit, rename } from './work/editors.ts'
import { Ledger } from './work/ledger.ts'
import { readEdited, readOne, readUnchanged } from './work/readers.ts'
import { pause } from './work/requests.ts'
import { checkSolves, solve } from './work/solves.ts'
import { visit, watch, watchSnapshots } from './work/watchers.ts'
import type { Work } from './work/work.ts'

export interface FaultRunOptions {
  faults: readonly FaultKind[]
  seed: number
  pace: Pace
  restartDatabase: FaultTarget['restartDatabase']
  /** The address of the database itself, not of a proxy or a pooler. */
  databaseUrl: string
  /** The folder of the processes' logs. */
  folder: string
  /** Called after each wave; the run ends when it returns true. */
  isDone(run: Omit<FaultRun, 'logged'>): boolean
}

/** The course of a wave: faults at random moments, which may overlap; then calm, in which nothing may fail. */
export interface Pace {
  faultsPerWave: number
  /** The longest pause between two faults of a wave. */
  maxPauseMs: number
  /** The time without faults after a wave. After `RECOVERY_MS`, requests may not fail any more. */
  calmMs: number
}

export const FULL_PACE: Pace = { faultsPerWave: 12, maxPauseMs: 800, calmMs: RECOVERY_MS + 2000 }

export interface FaultRun {
  log: FaultLog
  ledger: Ledger
  waves: number
  /** Errors that processes logged without a fault. */
  logged: string[]
}

const SHARED_EDITORS = 3
const RETRY_MS = 200

/** Lets clients work on a cluster while faults happen, and notes every violation of an invariant. */
export async function runFaults(cluster: Cluster, options: FaultRunOptions): Promise<FaultRun> {
  const log = new FaultLog()
  const ledger = new Ledger(log)
  const random = createRandom(options.seed)
  const stopped = new AbortController()
  const work: Work = { ...cluster, ledger, random: createRandom(options.seed + 1), signal: stopped.signal }
  const target: FaultTarget = { ...cluster, ...options, random, log }
  const working = startWork(work)
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  working.catch(failed.reject)
  let waves = 0
  try {
    do {
      await Promise.race([runWave(work, target, options, random), failed.promise])
      waves++
    } while (!options.isDone({ log, ledger, waves }))
  } finally {
    stopped.abort()
    await working
  }
  const calm = { ...work, signal: new AbortController().signal }
  await compareAll(calm)
  await checkSolves(calm)
  const { serve, work: solvers } = cluster.processes
  for (const crash of [...serve, ...solvers].flatMap(({ crashes }) => crashes))
    ledger.violate('crashes', crash)
  return { log, ledger, waves, logged: await listLoggedErrors(options.folder) }
}

async function startWork(work: Work): Promise<void> {
  const { team } = work
  const shared = team.shared.nodes
  const editors = [
    ...[...team.alone, team.watched].map((document, index) => ({
      document,
      nodes: document.nodes.slice(0, 20),
      keepsCopy: index % 2 === 1,
    })),
    ...Array.from({ length: SHARED_EDITORS }, (_, index) => ({
      document: team.shared,
      nodes: shared.filter((_node, at) => at % SHARED_EDITORS === index).slice(0, 20),
      keepsCopy: true,
    })),
  ]
  await Promise.all([
    ...editors.map((editor) => edit(work, editor)),
    readUnchanged(work),
    readEdited(work),
    ...team.solved.map((document) => solve(work, document)),
    takeAccessAway(work),
    rename(work, team.alone),
    watch(work),
    visit(work),
    watchSnapshots(work),
  ])
}

async function runWave(
  work: Work,
  target: FaultTarget,
  { faults, pace }: FaultRunOptions,
  random: Random,
): Promise<void> {
  const lasting: Promise<void>[] = []
  /**
   * Faults of the database happen one after the other, since two at once would be one. So do those of processes that stand
   * still: another one has to go on with their work.
   */
  const chains = { database: Promise.resolve(), stall: Promise.resolve() }
  for (let count = 0; count < pace.faultsPerWave; count++) {
    await sleep(random.whole(0, pace.maxPauseMs))
    const kind = random.pick(faults)
    if (kind === 'database' || kind === 'stall') {
      chains[kind] = chains[kind].then(() => inject(kind, target))
      lasting.push(chains[kind])
    } else lasting.push(inject(kind, target))
  }
  await Promise.all(lasting)
  await sleep(pace.calmMs)
  await awaitRemovals(work)
  await compareAll(work)
}

/** How many members are removed before a wave ends: the first removal may have begun during a fault. */
const CALM_REMOVALS = 4

/** Waits until access was taken away several times while nothing is at fault. */
async function awaitRemovals({ ledger, signal }: Work): Promise<void> {
  const before = ledger.counts.removals ?? 0
  while ((ledger.counts.removals ?? 0) < before + CALM_REMOVALS && !signal.aborted)
    await pause(RETRY_MS, signal)
}

/** Checks that every server has all edits, and that all servers send the same bytes. */
async function compareAll(work: Work): Promise<void> {
  const { team, servers } = work
  const read = async (server: NamedServer, id: string) => {
    while (!(await readOne(work, server, id))) await pause(RETRY_MS, work.signal)
  }
  for (const { id } of [...team.alone, team.shared, team.guests, team.watched, team.visited])
    await Promise.all(servers.map((server) => read(server, id)))
}
