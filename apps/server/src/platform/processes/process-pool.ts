import { FairSemaphore, type Permit } from '../concurrency/fair-semaphore.ts'
import { type JobProcess, type JobProcessOptions, startJobProcess } from './job-process.ts'

export interface PoolOptions extends JobProcessOptions {
  /** How many jobs are done at once, each in a process of its own. */
  processes: number
  /** How many of them for one group; all by default. */
  processesPerGroup?: number
  /** A process that has had no job for so long is ended, and gives its memory back. */
  idleMs?: number
  /** The same for one that holds much memory, or is not the only one. */
  spareIdleMs?: number
  /** How many callers wait for their turn at most: altogether, and of one group. Any number by default. */
  maxWaiting?: readonly number[]
  /** How long a caller waits for its turn at most. */
  maxWaitMs?: number
}

export interface JobOptions {
  /** Whose job it is. Of several groups that wait each is served in turn. */
  group: string
  /** Ends the wait, and the job. */
  signal?: AbortSignal
}

/** Runs jobs in child processes: untrusted input can cost such a process, and nothing else. */
export interface ProcessPool<Request, Answer> extends AsyncDisposable {
  /** Of its jobs, those that run and those that wait. */
  readonly queue: FairSemaphore
  /**
   * Waits for a turn and does the job. Rejects as `JobProcess.run` does, with a `SemaphoreFullError` when too many wait
   * or the wait is too long, and when the pool is closed. The job after one that failed gets a fresh process.
   */
  run(request: Request, options: JobOptions): Promise<Answer>
  /** Waits for a turn, for who has something to do before the job. */
  acquire(options: JobOptions): Promise<PoolPermit<Request, Answer>>
}

/** The right to use one process; to be disposed of. */
export interface PoolPermit<Request, Answer> extends Disposable {
  run(request: Request, signal?: AbortSignal): Promise<Answer>
}

const IDLE_MS = 60_000
const SPARE_IDLE_MS = 20_000
const MAX_WAIT_MS = 10 * 60_000

/** Processes start when they are needed; those that are idle are used again, the warmest first. */
export function openProcessPool<Request, Answer>(options: PoolOptions): ProcessPool<Request, Answer> {
  const {
    processes,
    processesPerGroup = processes,
    idleMs = IDLE_MS,
    spareIdleMs = SPARE_IDLE_MS,
    maxWaiting = [],
    maxWaitMs = MAX_WAIT_MS,
  } = options
  const turns = new FairSemaphore({
    limits: [processes, processesPerGroup],
    maxWaiting,
    maxWaitMs,
  })
  const closing = new AbortController()
  const all = new Set<JobProcess>()
  const idle: { process: JobProcess; timer: NodeJS.Timeout }[] = []

  function takeProcess(): JobProcess {
    for (;;) {
      const free = idle.pop()
      clearTimeout(free?.timer)
      if (free?.process.isAlive) return free.process
      if (!free) break
    }
    const process = startJobProcess(options)
    all.add(process)
    return process
  }

  function giveBack(process: JobProcess): void {
    if (!process.isAlive) {
      void forget(process)
      return
    }
    const since = performance.now()
    const free = { process, timer: setTimeout(endIfSpare, Math.min(idleMs, spareIdleMs)).unref() }
    idle.push(free)

    /** The first process stays warm for `idleMs`; another one, or one that holds much memory, gives it back sooner. */
    function endIfSpare(): void {
      const leftMs = idleMs - (performance.now() - since)
      if (leftMs <= 0 || process.isLarge || idle.length > 1) {
        idle.splice(idle.indexOf(free), 1)
        void forget(process)
      } else free.timer = setTimeout(endIfSpare, Math.min(leftMs, spareIdleMs)).unref()
    }
  }

  async function forget(process: JobProcess): Promise<void> {
    await process.end()
    all.delete(process)
  }

  async function runNow(request: Request, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    const process = takeProcess()
    try {
      return (await process.run(request, signal)) as Answer
    } finally {
      giveBack(process)
    }
  }

  const untilClosed = (signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([closing.signal, signal]) : closing.signal

  async function acquire({ group, signal }: JobOptions): Promise<PoolPermit<Request, Answer>> {
    const permit: Permit = await turns.acquire([group], { signal: untilClosed(signal) })
    return {
      run: (request, signal) => runNow(request, untilClosed(signal)),
      [Symbol.dispose]: () => permit.release(),
    }
  }

  return {
    queue: turns,
    acquire,
    async run(request, options) {
      using turn = await acquire(options)
      return await turn.run(request, options.signal)
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The service is stopping.'))
      for (const { timer } of idle) clearTimeout(timer)
      await Promise.all([...all].map(forget))
    },
  }
}
