import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import { createBell } from './bell.ts'
import { keepLease } from './keep-lease.ts'
import type { Claim, Outcome } from './solve-record.ts'
import type { SolveAnswer } from './solve-request.ts'
import { openSolverThread, type SolveLimits, type SolverThread } from './solver-thread.ts'
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
  const bell = createBell()
  const giveUp = new AbortController()
  const running = new Set<Promise<void>>()
  const onCrash = (error: unknown) => log.error({ err: error }, 'a solver stopped unexpectedly')
  const threads = Array.from({ length: workers }, () =>
    openSolverThread({ blobs, blobsFolder }, limits, onCrash),
  )
  const idle = [...threads]
  let isStopping = false

  /** The claim of the next solve; undefined too when the database does not answer. */
  async function findClaim(): Promise<Claim | undefined> {
    try {
      return await store.claim(terms)
    } catch (error) {
      log.error({ err: error }, 'no solve could be claimed')
      return undefined
    }
  }

  async function takeTurns(): Promise<void> {
    while (!isStopping) {
      const thread = idle.pop()
      const claim = thread && (await findClaim())
      if (!claim) {
        if (thread) idle.push(thread)
        await bell.wait(pollMs)
        continue
      }
      const job = work(thread, claim).finally(() => {
        running.delete(job)
        idle.push(thread)
        bell.ring()
      })
      running.add(job)
    }
  }

  async function work(thread: SolverThread, claim: Claim): Promise<void> {
    const lost = new AbortController()
    using _ = keepLease(store, claim, leaseMs, () => lost.abort(), log)
    const said = { solution: claim.id, document: claim.documentId, attempt: claim.attempt }
    try {
      const content = await contents.find(claim.document)
      if (!content) return // The document is gone, and its solves with it.
      const { id: solutionId, documentId } = claim
      // After the content: what is imported in between makes the content old, and is never taken for solved.
      const original = await store.findOriginal(claim.document)
      const signal = AbortSignal.any([lost.signal, giveUp.signal])
      const answer = await thread.solve({ solutionId, documentId, content, original }, signal)
      if (!answer) await store.giveBack(claim)
      else if (await store.end(claim, answer.outcome)) {
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
    wake: bell.ring,
    async stop() {
      isStopping = true
      bell.ring()
      await turns
      const cutOff = setTimeout(() => giveUp.abort(), stopGraceMs)
      await Promise.all(running)
      clearTimeout(cutOff)
      for (const thread of threads) await thread[Symbol.asyncDispose]()
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
