import type { DocumentId, SolutionId } from '@meadow/contract'
import type { StoredJson } from '../../content/content.store.ts'
import { JobFailure } from '../../platform/processes/job-process.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { withLocation } from './describe-failure.ts'
import type { Outcome } from './solves.store.ts'

/** Limits of one solve, which is ended when it exceeds one of them. */
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
  /** Called with errors that are bugs. */
  onCrash: (error: unknown) => void
}

/** What the parent passes to a child process when it starts it. */
export type SolverSetup = Pick<SolverOptions, 'blobsFolder' | 'limits'>

export interface SolveRequest {
  documentId: DocumentId
  solutionId: SolutionId
  /** A `GraphContent`, as of `seq`. */
  content: { seq: number } & StoredJson
  /** The digest of the file that the document was imported from, which holds the contents of its clusters. */
  original?: string | undefined
}

/** Solves documents in child processes. A document that exhausts time or memory costs its process, and nothing else. */
export interface Solver extends AsyncDisposable {
  /** Resolves to a failure when the document exceeds a limit or crashes its process; to undefined after `signal`. */
  solve(request: SolveRequest, signal: AbortSignal): Promise<Outcome | undefined>
}

/** Long, because starting a process takes most of a second, which would delay the first edit after a break. */
const IDLE_MS = 10 * 60_000

export function openSolver({ blobsFolder, limits, processes, onCrash }: SolverOptions): Solver {
  const pool = openProcessPool<SolveRequest, Outcome>({
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
        // No job waits here: the queue in the database, which is fair between teams, hands out one per process.
        return await pool.run(request, { group: request.documentId, signal })
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof JobFailure)) throw error
        const { durationMs, place } = error
        return { state: 'failed', durationMs, reason: withLocation(findReason(error), place) }
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
