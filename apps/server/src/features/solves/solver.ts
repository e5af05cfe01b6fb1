import type { DocumentId, SolutionId, Unit } from '@meadow/contract'
import type { ReferencedObject } from '@meadow/model'
import { isKilled, JobFailure } from '@meadow/processes'
import { type SolveLimits, withLocation } from '@meadow/solver'
import type { StoredJson } from '../../content/content.store.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import type { AnsweredPlan } from './compute/apply-answer.ts'
import { askServer, type ComputeAccess, type ServerAnswer } from './compute/ask-server.ts'
import { createDeadline } from './compute/compute-client.ts'
import { ComputeFailure } from './compute/compute-failure.ts'
import { describeStorageFailure } from './describe-failure.ts'
import type { TextBeside } from './referenced-models.store.ts'
import type { MissingReferences, UnfinishedSolve } from './solve-document.ts'
import type { Outcome, SolveResult } from './solves.store.ts'

export interface SolverOptions {
  blobs: BlobsLocation
  limits: SolveLimits
  /** How many documents are solved at once, each in a process of its own. */
  processes: number
  /** Called with errors that are bugs. */
  onCrash: (error: unknown) => void
}

/** What a child process is started with. */
export type SolverSetup = Pick<SolverOptions, 'limits'>

export interface SolveRequest {
  documentId: DocumentId
  solutionId: SolutionId
  /** A `GraphContent`, as of `seq`. */
  content: { seq: number } & StoredJson
  /** The digest of the file that the document was imported from, which holds the contents of its clusters. */
  original?: string | undefined
  /**
   * The models with the objects that the document refers to. With `ask`, the first answer names these objects. Absent
   * when the objects are not at hand.
   */
  references?: readonly ReferencedObject[] | 'ask'
  /** The texts in the document's folder. */
  texts?: readonly TextBeside[]
  /** The unit of lengths; by default `none`. */
  units?: Unit | undefined
  /** Present when a Rhino.Compute server solves what Meadow cannot. */
  compute?: ComputeStep | undefined
}

/** A solve that a Rhino.Compute server takes part in: before it is asked, and with its answer. */
interface ComputeStep {
  /** A member of RhinoCommon's `UnitSystem`, for requests without a unit. */
  units: string
  answer?: AnsweredPlan & Pick<ServerAnswer, 'digest'>
  /** How long the solve has taken before this step. */
  elapsedMs?: number
}

/** Solves documents in child processes. A document that exhausts time or memory costs its process, and nothing else. */
export interface Solver extends AsyncDisposable {
  /**
   * Resolves to a failure when the document exceeds a limit or crashes its process; to undefined after `signal`. Rejects
   * when the process was killed from outside, so that the document may be solved another time.
   */
  solve(request: SolveRequest, signal: AbortSignal, help?: SolveHelp): Promise<Outcome | undefined>
}

/** What this process does for the one that solves, which has neither the database nor the key. */
export interface SolveHelp {
  /** Is asked for what Meadow cannot solve. */
  compute?: ComputeAccess | undefined
  /** Finds the models that have these objects. */
  findModels?: ((ids: readonly string[]) => Promise<readonly ReferencedObject[]>) | undefined
}

/** What the process of a solver answers. `cpuMs`: the processor time of all its threads, in whole milliseconds begun. */
export interface SolveAnswer {
  result: SolveResult | UnfinishedSolve | MissingReferences
  cpuMs: number
}

/** What a solve has cost so far: processor time, and the time that a Rhino.Compute server took. */
interface SolveCost {
  ms: number
}

/** Long, because starting a process takes most of a second, which would delay the first edit after a break. */
const IDLE_MS = 10 * 60_000

/** A Rhino.Compute server's answer takes several times its size as values. */
const ANSWER_SHARE = 1 / 8

export function openSolver({ blobs, limits, processes, onCrash }: SolverOptions): Solver {
  const pool = openProcessPool<SolveRequest, SolveAnswer>({
    name: 'solve',
    module: new URL('./solve-document.ts', import.meta.url),
    setup: { limits } satisfies SolverSetup,
    limits: { cpuMs: limits.timeMs, heapMb: limits.memoryMb },
    blobs,
    processes,
    idleMs: IDLE_MS,
    // The queue does.
    repeatsKilled: false,
  })

  function findReason(error: JobFailure): string {
    if (error.kind === 'time') return `The solve took longer than ${limits.timeMs / 1000} s.`
    if (error.kind === 'memory') return `The solve took more than ${limits.memoryMb} MB of memory.`
    onCrash(error)
    return error.kind === 'hung' ? 'The solver did not answer.' : 'The solver stopped unexpectedly.'
  }

  /** No job waits here: the queue in the database, which is fair between teams, hands out one per process. */
  async function run(request: SolveRequest, signal: AbortSignal, cost: SolveCost) {
    const { result, cpuMs } = await pool.run(request, { group: request.documentId, signal })
    cost.ms += cpuMs
    return result
  }

  /** Runs a request, a second time with the models that its document refers to. The usual document refers to none. */
  async function runWithModels(
    request: SolveRequest,
    signal: AbortSignal,
    { findModels }: SolveHelp,
    cost: SolveCost,
  ): Promise<{ first: SolveResult | UnfinishedSolve; complete: SolveRequest }> {
    const answer = await run(findModels ? { ...request, references: 'ask' } : request, signal, cost)
    if (answer.state !== 'references') return { first: answer, complete: request }
    const complete = { ...request, references: await findModels!(answer.ids) }
    return { first: (await run(complete, signal, cost)) as SolveResult | UnfinishedSolve, complete }
  }

  async function solveWithCompute(
    request: SolveRequest,
    signal: AbortSignal,
    compute: ComputeAccess,
    help: SolveHelp,
    { elapsedMs, cost }: { elapsedMs: () => number; cost: SolveCost },
  ): Promise<SolveResult> {
    const { units } = compute.client.server
    const { first, complete } = await runWithModels({ ...request, compute: { units } }, signal, help, cost)
    if (first.state !== 'unfinished') return first
    const { plan } = first.question
    const { timeMs, memoryMb } = limits
    const maxResponseBytes = memoryMb * 2 ** 20 * ANSWER_SHARE
    let answer: ServerAnswer
    const askedAt = elapsedMs()
    try {
      answer = await askServer(first.question, compute, request, {
        signal,
        deadline: createDeadline(timeMs),
        maxResponseBytes,
      })
    } catch (error) {
      const reason = error instanceof ComputeFailure ? error.message : describeStorageFailure(error)
      if (reason === undefined) throw error
      return { state: 'failed', durationMs: elapsedMs(), reason }
    } finally {
      // The processor time of the server is not known.
      cost.ms += elapsedMs() - askedAt
    }
    try {
      const step = { units, answer: { plan, ...answer }, elapsedMs: elapsedMs() }
      return (await run({ ...complete, compute: step }, signal, cost)) as SolveResult
    } finally {
      await compute.blobs.remove(answer.digest)
    }
  }

  return {
    async solve(request, signal, help = {}) {
      const { compute } = help
      const start = performance.now()
      const elapsedMs = () => performance.now() - start
      const cost: SolveCost = { ms: 0 }
      const charge = (result: SolveResult): Outcome => ({ ...result, chargedMs: Math.ceil(cost.ms) })
      try {
        if (compute)
          return charge(await solveWithCompute(request, signal, compute, help, { elapsedMs, cost }))
        return charge((await runWithModels(request, signal, help, cost)).first as SolveResult)
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof JobFailure) || isKilled(error)) throw error
        const durationMs = compute ? elapsedMs() : error.durationMs
        cost.ms += error.cpuMs
        return charge({ state: 'failed', durationMs, reason: withLocation(findReason(error), error.place) })
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
