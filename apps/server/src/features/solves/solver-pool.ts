import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createWakeSignal } from '../../platform/concurrency/wake-signal.ts'
import type { DocumentKey,TeamKey } from '../../platform/database/tables.ts'
import { retryWhileUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import { keepLease } from './keep-lease.ts'
import type { Claim,Outcome } from './solve-record.ts'
import type { SolveAnswer } from './solve-request.ts'
import { openSolver,type SolveLimits } from './solver.ts'
import type { SolveStore } from './solves.store.ts'

export interface PoolOptions {
  /** How many documents are solved at once. */
  workers: number
  /** How long a solve stays claimed when its process is gone. */
  leaseMs: number
  limits: SolveLimits
  /** How long running solves may go on when the pool is told to stop. */
  stopGraceMs: number
  /** How often to look for what other processes asked for. */
  pollMs?: number
}

export interface PoolParts {
  store: SolveStore
  contents: Pick<DocumentContents, 'find'>
  blobs: BlobStore
  blobsFolder: string
  log: Log
  /** Called when a solve of a document has ended here, and the database says so. */
  onEnded?: ((document: DocumentKey) => void) | undefined
}

/** Solves what is asked for, by whichever process, for as long as it runs. */
export interface SolverPool {
  /** Something was asked for in this process: look now. */
  wake(): void
  /** Takes nothing new; gives back what still runs after the grace. */
  stop(): Promise<void>
}

const POLL_MS = 1000

export function startSolverPool(parts: PoolParts, options: PoolOptions): SolverPool {
  const { store, contents, blobs, blobsFolder, log } = parts
  const { workers, leaseMs, limits, stopGraceMs, pollMs = POLL_MS } = options
  const terms = { leaseMs, maxCredits: Math.ceil(limits.timeMs / 1000) }
  const bell = createWakeSignal()
  const giveUp = new AbortController()
  /** The jobs that run, with the teams that they are for. */
  const running = new Map<Promise<void>, TeamKey>()
  const onCrash = (error: unknown) => log.error({ err: error }, 'a solver stopped unexpectedly')
  const solver = openSolver({ blobsFolder, limits, processes: workers, onCrash })
  let isStopping = false

  /** The claim of the next solve; undefined too when the database does not answer. */
  async function findClaim(): Promise<Claim | undefined> {
    try {
      return await store.claim({ ...terms, exceptTeam: findGreedyTeam() })
    } catch (error) {
      log.error({ err: error }, 'no solve could be claimed')
      return undefined
    }
  }

  /** The team that has all processes but one: the last one is for other teams. */
  function findGreedyTeam(): TeamKey | undefined {
    const [team, ...others] = new Set(running.values())
    return workers > 1 && running.size === workers - 1 && others.length === 0 ? team : undefined
  }

  async function takeTurns(): Promise<void> {
    while (!isStopping) {
      const claim = running.size < workers ? await findClaim() : undefined
      if (!claim) {
        await bell.wait(pollMs)
        continue
      }
      const job = work(claim).finally(() => {
        running.delete(job)
        bell.wake()
      })
      running.set(job, claim.team)
    }
  }

  async function work(claim: Claim): Promise<void> {
    const lost = new AbortController()
    using _ = keepLease(store, claim, leaseMs, () => lost.abort(), log)
    const said = { solution: claim.id, document: claim.documentId, attempt: claim.attempt }
    // A solve is not lost to an outage of the database. Nobody else can claim it meanwhile, and the claim tells afterwards.
    const surely = <T>(ask: () => Promise<T>) => retryWhileUnavailable(ask, giveUp.signal)
    try {
      const content = await surely(() => contents.find(claim.document))
      if (!content) return // The document is gone, and its solves with it.
      const { id: solutionId, documentId } = claim
      // After the content: what is imported in between makes the content old, and is never taken for solved.
      const original = await surely(() => store.findOriginal(claim.document))
      const signal = AbortSignal.any([lost.signal, giveUp.signal])
      const answer = await solver.solve({ solutionId, documentId, content, original }, signal)
      if (!answer) await store.giveBack(claim)
      else if (await surely(() => store.end(claim, answer.outcome))) {
        parts.onEnded?.(claim.document)
        log.info({ ...said, ...toLogLine(answer) }, 'a solve ended')
      } else await removeBlobs(answer.outcome)
    } catch (error) {
      log.error({ ...said, err: error }, 'a solve was left behind')
    }
  }

  /** What a lost claim made, and nobody knows of. All else may be, byte for byte, what the other solver makes. */
  async function removeBlobs(outcome: Outcome): Promise<void> {
    if (outcome.state === 'failed') return
    const { valuesGzip, valuesZstd } = outcome.files
    for (const digest of [valuesGzip, valuesZstd]) await blobs.remove(digest)
  }

  const turns = takeTurns()
  return {
    wake: bell.wake,
    async stop() {
      isStopping = true
      bell.wake()
      await turns
      const cutOff = setTimeout(() => giveUp.abort(), stopGraceMs)
      await Promise.all(running.keys())
      clearTimeout(cutOff)
      await solver[Symbol.asyncDispose]()
    },
  }
}

const toLogLine = ({ outcome }: SolveAnswer) => ({
  state: outcome.state,
  durationMs: Math.round(outcome.durationMs),
  ...(outcome.state === 'failed'
    ? { reason: outcome.reason }
    : outcome.files.modelFault && { modelFault: outcome.files.modelFault }),
})
