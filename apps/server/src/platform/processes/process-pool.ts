import { fileURLToPath } from 'node:url'
import {
  isKilled,
  type JobProcess,
  type JobProcessOptions,
  type OnReport,
  startJobProcess,
} from '@meadow/processes'
import { type BlobsLocation, folderOf, getJobKeys, variablesFor, withoutKeys } from '../blobs/open-blobs.ts'
import { FairSemaphore, type Permit } from '../concurrency/fair-semaphore.ts'
import { traced } from '../telemetry/tracing.ts'
import type { PooledSetup } from './job-child.ts'

export interface PoolOptions extends Pick<JobProcessOptions, 'limits'> {
  /** The kind of its jobs, such as "solve", for traces. */
  name: string
  /** The module that its processes load, which exports `createJob` as a function of `JobParts`. */
  module: URL
  /** The `setup` of its jobs: plain JSON without secrets. */
  setup?: object | undefined
  /** The blob store that its jobs may use. */
  blobs?: BlobsLocation | undefined
  /** How many jobs run at once, each in a process of its own. */
  processes: number
  /** How many jobs of one group run at once; as many as `processes` by default. */
  processesPerGroup?: number
  /** After how long without a job a process is ended, which frees its memory. */
  idleMs?: number
  /** After how long without a job a process is ended that holds much memory, or is not the only idle one. */
  spareIdleMs?: number
  /** How many callers may wait, in all and per group; unlimited by default. */
  maxWaiting?: readonly number[]
  /** How long a caller waits at most. */
  maxWaitMs?: number
  /** Whether a job whose process was killed from outside is run once more, unless it reports; default: true. */
  repeatsKilled?: boolean
}

export interface JobOptions {
  /** The group that the job counts for. Waiting groups are served in turn. */
  group: string
  /** Cancels the wait, or the job. */
  signal?: AbortSignal
  onReport?: OnReport
}

/** Runs jobs in child processes: untrusted input can cost such a process, and nothing else. */
export interface ProcessPool<Request, Result> extends AsyncDisposable {
  /** The running and the waiting jobs. */
  readonly queue: FairSemaphore
  /**
   * Waits for a permit and runs the job. Rejects as `JobProcess.run` does, with a `SemaphoreFullError` when too many
   * wait or the wait is too long, and when the pool is closed. After a failed job the next one gets a new process. A
   * job whose process is killed from outside is run once more, unless `onReport` is given, which may have received a
   * part of it.
   */
  run(request: Request, options: JobOptions): Promise<Result>
  /** Waits for a permit, for callers that have to do something before the job. */
  acquire(options: JobOptions): Promise<PoolPermit<Request, Result>>
}

/** The right to run one job at a time. Has to be disposed of. */
export interface PoolPermit<Request, Result> extends Disposable {
  run(request: Request, signal?: AbortSignal, onReport?: OnReport): Promise<Result>
}

const IDLE_MS = 60_000
const SPARE_IDLE_MS = 20_000
const MAX_WAIT_MS = 10 * 60_000

const JOB = new URL('./job-child.ts', import.meta.url)
const SOURCES = new URL('../../../../../', import.meta.url)
const CODE = ['apps/', 'packages/', 'node_modules/', 'package.json'].map((name) =>
  fileURLToPath(new URL(name, SOURCES)),
)
/**
 * The folder of the compiled code of child processes. It is not the server's own cache, so that only children run code
 * that a child writes.
 */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled-jobs', import.meta.url))

/** Opens a pool. Processes are started when they are needed; idle ones are reused, the last used first. */
export function openProcessPool<Request, Result>(options: PoolOptions): ProcessPool<Request, Result> {
  const {
    name,
    processes,
    processesPerGroup = processes,
    idleMs = IDLE_MS,
    spareIdleMs = SPARE_IDLE_MS,
    maxWaiting = [],
    maxWaitMs = MAX_WAIT_MS,
    repeatsKilled = true,
  } = options
  const semaphore = new FairSemaphore({
    limits: [processes, processesPerGroup],
    maxWaiting,
    maxWaitMs,
  })
  const closing = new AbortController()
  const all = new Set<JobProcess>()
  const idle: { process: JobProcess; timer: NodeJS.Timeout }[] = []

  function acquireProcess(): JobProcess {
    for (;;) {
      const free = idle.pop()
      clearTimeout(free?.timer)
      if (free?.process.isAlive) return free.process
      if (!free) break
    }
    const process = startJobProcess(toProcessOptions(options))
    all.add(process)
    return process
  }

  function releaseProcess(process: JobProcess): void {
    if (!process.isAlive) {
      void endProcess(process)
      return
    }
    const since = performance.now()
    const free = { process, timer: setTimeout(endIfSpare, Math.min(idleMs, spareIdleMs)).unref() }
    idle.push(free)

    /**
     * Ends the process if it is to spare: the only idle one stays for `idleMs`; others, and those with much memory, end
     * sooner.
     */
    function endIfSpare(): void {
      const leftMs = idleMs - (performance.now() - since)
      if (leftMs <= 0 || process.isLarge || idle.length > 1) {
        idle.splice(idle.indexOf(free), 1)
        void endProcess(process)
      } else free.timer = setTimeout(endIfSpare, Math.min(leftMs, spareIdleMs)).unref()
    }
  }

  async function endProcess(process: JobProcess): Promise<void> {
    await process.end()
    all.delete(process)
  }

  function runNow(request: Request, signal: AbortSignal, onReport?: OnReport): Promise<Result> {
    const run = () => runOnce(request, signal, onReport)
    return repeatsKilled && !onReport ? repeatKilled(run) : run()
  }

  async function runOnce(request: Request, signal: AbortSignal, onReport?: OnReport): Promise<Result> {
    signal.throwIfAborted()
    const process = acquireProcess()
    try {
      const facts = { 'meadow.job': name, 'process.pid': process.pid ?? 0 }
      return (await traced(`job ${name}`, facts, () => process.run(request, signal, onReport))) as Result
    } finally {
      releaseProcess(process)
    }
  }

  const untilClosed = (signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([closing.signal, signal]) : closing.signal

  async function acquire({ group, signal }: JobOptions): Promise<PoolPermit<Request, Result>> {
    const acquired = semaphore.acquire([group], { signal: untilClosed(signal) })
    const permit: Permit =
      acquired instanceof Promise ? await traced(`wait for job ${name}`, {}, () => acquired) : acquired
    return {
      run: (request, signal, onReport) => runNow(request, untilClosed(signal), onReport),
      [Symbol.dispose]: () => permit.release(),
    }
  }

  return {
    queue: semaphore,
    acquire,
    async run(request, options) {
      using permit = await acquire(options)
      return await permit.run(request, options.signal, options.onReport)
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The service is stopping.'))
      for (const { timer } of idle) clearTimeout(timer)
      await Promise.all([...all].map(endProcess))
    },
  }
}

/** Runs a job, and runs it once more when its process was killed from outside, if `mayRepeat` allows it. */
export async function repeatKilled<T>(run: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isKilled(error) || !mayRepeat()) throw error
    return await run()
  }
}

function toProcessOptions({ module, setup, limits, blobs }: PoolOptions): JobProcessOptions {
  return {
    module: JOB,
    setup: { module: module.href, setup, blobs: blobs && withoutKeys(blobs) } satisfies PooledSetup,
    limits,
    readable: CODE,
    writable: blobs ? [folderOf(blobs)] : [],
    compileCache: COMPILED,
    ...(blobs && { env: variablesFor(blobs), getSecrets: () => getJobKeys(blobs) }),
  }
}
