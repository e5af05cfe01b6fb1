import { JobFailure } from '../../platform/processes/job-process.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { sayWhere } from './describe-failure.ts'
import type { SolveAnswer, SolveRequest, SolverSetup } from './solve-request.ts'

/** What one solve may take. It is ended when it takes more. */
export interface SolveLimits {
  /** Processor time, in milliseconds. */
  timeMs: number
  /** Memory of JavaScript values, in megabytes. */
  memoryMb: number
}

export interface SolverOptions {
  /** The folder of the blob store. */
  blobsFolder: string
  limits: SolveLimits
  /** How many documents are solved at once, each in a process of its own. */
  processes: number
  /** Is told of what should never happen. */
  onCrash: (error: unknown) => void
}

/** Solves in child processes. A document that would take all time or all memory costs its process, nothing else. */
export interface Solver extends AsyncDisposable {
  /**
   * Solves a document; the answer also tells when it took more than it may, or when the process died of it. Undefined
   * when `signal` was raised before.
   */
  solve(request: SolveRequest, signal: AbortSignal): Promise<SolveAnswer | undefined>
}

/** Starting a process takes most of a second, which the next edit after a break should not have to wait for. */
const IDLE_MS = 10 * 60_000

export function openSolver({ blobsFolder, limits, processes, onCrash }: SolverOptions): Solver {
  const pool = openProcessPool<SolveRequest, SolveAnswer>({
    script: new URL('./solve.worker.ts', import.meta.url),
    setup: { blobsFolder, limits } satisfies SolverSetup,
    limits: { cpuMs: limits.timeMs, heapMb: limits.memoryMb },
    folder: blobsFolder,
    processes,
    idleMs: IDLE_MS,
  })

  function findReason(error: JobFailure): string {
    if (error.kind === 'time') return `The solve took longer than ${limits.timeMs / 1000} s.`
    if (error.kind === 'memory') return `The solve took more than ${limits.memoryMb} MB of memory.`
    onCrash(error)
    return error.kind === 'hung' ? 'The solver did not answer.' : 'The solver stopped unexpectedly.'
  }

  return {
    async solve(request, signal) {
      try {
        // Claims come one by one from the database, which is fair between teams: nobody waits here.
        return await pool.run(request, { group: request.documentId, signal })
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof JobFailure)) throw error
        const { durationMs, place } = error
        return { outcome: { state: 'failed', durationMs, reason: sayWhere(findReason(error), place) } }
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
