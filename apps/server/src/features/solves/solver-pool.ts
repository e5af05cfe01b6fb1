import { isKilled } from '@meadow/processes'
import type { SolveLimits } from '@meadow/solver'
import type { Metric } from 'prom-client'
import type { DocumentContents } from '../../content/document-contents.ts'
import { subscribeToSolves } from '../../content/solve-notifications.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import { ALWAYS, type SingletonJobs } from '../../platform/cluster/singleton-jobs.ts'
import { createWakeSignal } from '../../platform/concurrency/wake-signal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { retryWhileUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import { keepLease } from '../../platform/queue.ts'
import { tracedAlone } from '../../platform/telemetry/tracing.ts'
import { collectGarbageHourly } from './collect-garbage.ts'
import type { ComputeClient } from './compute/compute-client.ts'
import { createReferencedModelStore, type ReferencedModelStore } from './referenced-models.store.ts'
import type { SolveLease } from './solve-leases.store.ts'
import { createQueueGauges, createSolveMetrics, type SolveEnd } from './solve-metrics.ts'
import { openSolver } from './solver.ts'
import { createSolveStore, type Outcome, type SolveStore, tenthsFor } from './solves.store.ts'

export interface PoolOptions {
  /** How many documents are solved at once. */
  workers: number
  /** How long a lease outlives the process that holds it. */
  leaseMs: number
  limits: SolveLimits
  /** How long running solves may go on after `stop`. */
  stopGraceMs: number
  /** How often to look for solves whose solver has vanished. */
  pollMs?: number
}

const NOT_CONFIGURED =
  'Meadow alone solves for a team that uses Rhino.Compute, because MEADOW_COMPUTE_URL is not set in this process'

export interface PoolParts {
  database: Pick<Database, 'subscribe'>
  store: SolveStore
  contents: Pick<DocumentContents, 'find'>
  referencedModels: ReferencedModelStore
  blobs: BlobStore
  blobsLocation: BlobsLocation
  log: Log
  /** Called after a solve of the document was completed by this process. */
  onEnded?: ((document: DocumentKey) => void) | undefined
  /** Solves what Meadow cannot, for the teams that use it. */
  compute?: ComputeClient | undefined
  /** Whose turn it is to collect garbage; always that of this process if not given. */
  singletonJobs?: SingletonJobs | undefined
}

/** The solves of a process: it requests them, and solves what any process requested. */
export interface Solving {
  store: SolveStore
  /** What it measures, for `/metrics`. */
  instruments: readonly Metric[]
  /** Does what `SolveStore.request` does, after which this process looks at the queue at once. */
  request: SolveStore['request']
  /** Does what `SolverPool.stop` does. */
  stop(): Promise<void>
}

/** A process without workers leaves both solving and collecting garbage to others. */
export function startSolving(
  {
    database,
    singletonJobs = ALWAYS,
    ...parts
  }: Omit<PoolParts, 'store' | 'referencedModels'> & { database: Database },
  options: PoolOptions,
): Solving {
  const store = createSolveStore(database)
  const isSolver = options.workers > 0
  const pool = isSolver
    ? startSolverPool(
        { ...parts, database, store, referencedModels: createReferencedModelStore(database) },
        options,
      )
    : undefined
  const stopCollecting = isSolver
    ? collectGarbageHourly(database, store, parts.blobs, singletonJobs('obsolete solves'), parts.log)
    : undefined
  return {
    store,
    instruments: [...createQueueGauges(store), ...(pool?.instruments ?? [])],
    async request(...asked) {
      const requested = await store.request(...asked)
      pool?.wake()
      return requested
    },
    async stop() {
      await Promise.all([pool?.stop(), stopCollecting?.()])
    },
  }
}

/** Leases solves from the queue, whichever process requested them, and solves them until it is stopped. */
export interface SolverPool {
  readonly instruments: readonly Metric[]
  /** Looks at the queue now: this process has requested a solve. */
  wake(): void
  /** Leases nothing more, and abandons what still runs after the grace. */
  stop(): Promise<void>
}

/** Notifications tell of requested solves. A lease that expires has no notification. */
const POLL_MS = 5000

export function startSolverPool(parts: PoolParts, options: PoolOptions): SolverPool {
  const { store, contents, blobs, blobsLocation, compute, log } = parts
  const { workers, leaseMs, limits, stopGraceMs, pollMs = POLL_MS } = options
  const terms = { leaseMs, maxTenths: tenthsFor(limits.timeMs) }
  const wakeSignal = createWakeSignal()
  const graceEnded = new AbortController()
  /** The running jobs, with their teams. */
  const running = new Map<Promise<void>, TeamKey>()
  const metrics = createSolveMetrics(workers, () => running.size)
  const onCrash = (error: unknown) => log.error({ err: error }, 'a solver stopped unexpectedly')
  const solver = openSolver({ blobs: blobsLocation, limits, processes: workers, onCrash })
  let isStopping = false

  async function runJobs(): Promise<void> {
    while (!isStopping) {
      const lease = running.size < workers ? await leaseNext() : undefined
      if (!lease) {
        await wakeSignal.wait(pollMs)
        continue
      }
      const job = runTraced(lease).finally(() => {
        running.delete(job)
        wakeSignal.wake()
      })
      running.set(job, lease.team)
    }
  }

  /** Leases the next solve; resolves with undefined when none is queued, or the database does not respond. */
  async function leaseNext(): Promise<SolveLease | undefined> {
    try {
      return await store.lease({ ...terms, exceptTeam: findGreedyTeam() })
    } catch (error) {
      log.error({ err: error }, 'no solve could be leased')
      return undefined
    }
  }

  /** The team that uses all processes but one: the last one is for other teams. */
  function findGreedyTeam(): TeamKey | undefined {
    const [team, ...others] = new Set(running.values())
    return workers > 1 && running.size === workers - 1 && others.length === 0 ? team : undefined
  }

  /** Runs a solve in a trace of its own, since nobody knows here which request it was queued for. */
  async function runTraced(lease: SolveLease): Promise<void> {
    const startedAt = performance.now()
    const facts = { 'meadow.document': lease.documentId, 'meadow.solution': lease.id }
    const end = await tracedAlone('solve', { ...facts, 'meadow.attempt': lease.attempt }, () => runJob(lease))
    metrics.observeEnd(end, performance.now() - startedAt)
  }

  /** Never rejects. */
  async function runJob(lease: SolveLease): Promise<SolveEnd> {
    const lost = new AbortController()
    using _ = keepLease({
      leaseMs,
      renew: () => store.renew(lease, leaseMs),
      // The work is worthless then, and would compete with the solver that has it now for the processor.
      onEnd: () => lost.abort(),
      onError: (err) => log.warn({ err, solution: lease.id }, 'the lease of a solve could not be renewed'),
    })
    const logged = { solution: lease.id, document: lease.documentId, attempt: lease.attempt }
    // An outage of the database loses no solve: the lease shows afterwards whether another solver has taken it over.
    const retry = <T>(call: () => Promise<T>) => retryWhileUnavailable(call, graceEnded.signal)
    try {
      const content = await retry(() => contents.find(lease.document))
      if (!content) return 'lost' // The document was deleted, and its solves with it.
      // The original is read after the content: an import in between raises `seq`, so that this solve is out of date.
      const original = await retry(() => store.findOriginal(lease.document))
      const settings = await retry(() => store.findTeamSettings(lease.team))
      const texts = await retry(() => parts.referencedModels.listTexts(lease.document))
      if (settings?.solver === 'compute' && !compute) log.warn(logged, NOT_CONFIGURED)
      const access = settings?.solver === 'compute' && compute ? { client: compute, blobs, log } : undefined
      const findModels = (ids: readonly string[]) =>
        retry(() => parts.referencedModels.findModels(lease.document, ids))
      const { id: solutionId, documentId } = lease
      const signal = AbortSignal.any([lost.signal, graceEnded.signal])
      const outcome = await solver.solve(
        { solutionId, documentId, content, original, texts, units: settings?.units },
        signal,
        { compute: access, findModels },
      )
      if (!outcome) {
        await store.abandon(lease)
        return 'abandoned'
      }
      if (await retry(() => store.complete(lease, outcome))) {
        parts.onEnded?.(lease.document)
        log.info({ ...logged, ...toLogLine(outcome) }, 'a solve ended')
        return outcome.state
      }
      await removeUnusedBlobs(outcome)
      return 'lost'
    } catch (error) {
      if (!isKilled(error)) {
        log.error({ ...logged, err: error }, 'a solve was left behind')
        return 'error'
      }
      log.error({ ...logged, err: error }, 'the process of a solver was killed')
      await retry(() => store.abandon(lease, { isCounted: true })).catch(() => {})
      return 'abandoned'
    }
  }

  /** Removes the values after a lost lease. Other blobs may be equal to those of the solver that has the lease now. */
  async function removeUnusedBlobs(outcome: Outcome): Promise<void> {
    if (outcome.state === 'failed') return
    const { valuesGzip, valuesZstd } = outcome.files
    for (const digest of [valuesGzip, valuesZstd]) await blobs.remove(digest)
  }

  const subscription = subscribeToSolves(parts.database, (news) => {
    // Another process has begun one: that leaves nothing to do here.
    if (news?.change !== 'running') wakeSignal.wake()
  })
  const jobs = runJobs()
  return {
    instruments: metrics.instruments,
    wake: wakeSignal.wake,
    async stop() {
      isStopping = true
      wakeSignal.wake()
      await jobs
      const graceTimer = setTimeout(() => graceEnded.abort(), stopGraceMs)
      await Promise.all(running.keys())
      clearTimeout(graceTimer)
      await solver[Symbol.asyncDispose]()
      await subscription.close()
    },
  }
}

const toLogLine = (outcome: Outcome) => ({
  state: outcome.state,
  durationMs: Math.round(outcome.durationMs),
  chargedMs: outcome.chargedMs,
  ...(outcome.state === 'failed'
    ? { reason: outcome.reason }
    : outcome.files.modelFault && { modelFault: outcome.files.modelFault }),
})
