import type { ShareLimits } from '../../http/admission.ts'
import { FairSemaphore, type Permit, SemaphoreFullError } from '../../platform/concurrency/fair-semaphore.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import type { SolutionStore } from './solutions.store.ts'
import type { SolveStanding } from './stored-solution.ts'

/** How often to look for solves that ended in other processes. */
const POLL_MS = 250

/** A request that may be held back until a solve has ended. */
export interface SolveWait {
  document: DocumentKey
  team: TeamKey
  /** The API token, whose share of the waiting requests this one belongs to. */
  token: string
  seconds: number
  /** How the document stands now. */
  find(): Promise<SolveStanding | undefined>
  /** Ends the wait early: the client is gone, or the server stops. */
  signal: AbortSignal
}

/**
 * The requests of this process that wait for solves. They share one poll loop: each look is one query for all the
 * documents that are waited for, however many requests wait for each.
 */
export interface SolveWaits {
  /** What each waiting request holds a permit of. */
  readonly shares: FairSemaphore
  /**
   * Waits until the document's solve has ended, or the time is up, and tells what `find` says then. A solve that follows
   * at once on the one that ended is waited for too. Undefined at once when a limit is reached.
   */
  wait(request: SolveWait): Promise<{ standing: SolveStanding | undefined } | undefined>
  /** A solve of this document has ended in this process, so that nobody has to wait for the next look. */
  notifyEnded(document: DocumentKey): void
}

/** A document that is waited for, until its solve has ended. */
interface Watch {
  readonly document: DocumentKey
  readonly wakeUps: Set<() => void>
}

export function createSolveWaits(
  { listRunning }: Pick<SolutionStore, 'listRunning'>,
  /** How many requests may wait at once: of one token, of one team, and in this process. */
  limits: ShareLimits,
): SolveWaits {
  const watches = new Map<DocumentKey, Watch>()
  // Nobody queues: a preference may be ignored, and the answer without it is at hand.
  const shares = new FairSemaphore({
    limits: [limits.process, limits.team, limits.caller],
    maxWaiting: [0, 0, 0],
    maxWaitMs: 0,
  })
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  /** Documents came during a look that does not know of them. */
  let lookAgain = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    lookAgain = false
    const watched = [...watches.values()]
    try {
      const running = await listRunning(watched.map(({ document }) => document))
      for (const watch of watched) if (!running.has(watch.document)) end(watch)
    } catch {
      // Those who wait do not depend on a single look; each request reports an outage with its own last query.
    } finally {
      isLooking = false
      lookSoon(lookAgain ? 0 : POLL_MS)
    }
  }

  function lookSoon(afterMs: number): void {
    clearTimeout(timer)
    timer = watches.size === 0 ? undefined : setTimeout(look, afterMs)
  }

  function end(watch: Watch): void {
    if (watches.get(watch.document) === watch) watches.delete(watch.document)
    for (const wakeUp of watch.wakeUps) wakeUp()
  }

  /** Its first look comes at once: the solve may have ended since the caller saw it running. */
  function watchDocument(document: DocumentKey): Watch {
    const watch: Watch = { document, wakeUps: new Set() }
    watches.set(document, watch)
    lookAgain = true
    if (!isLooking) lookSoon(0)
    return watch
  }

  function untilEnded(document: DocumentKey, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const watch = watches.get(document) ?? watchDocument(document)
      const finish = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', finish)
        watch.wakeUps.delete(finish)
        if (watch.wakeUps.size === 0) {
          if (watches.get(document) === watch) watches.delete(document)
          if (watches.size === 0) lookSoon(0)
        }
        resolve()
      }
      const timeout = setTimeout(finish, timeoutMs)
      signal.addEventListener('abort', finish)
      watch.wakeUps.add(finish)
    })
  }

  async function acquire({ team, token }: SolveWait): Promise<Permit | undefined> {
    try {
      return await shares.acquire([String(team), token])
    } catch (error) {
      if (error instanceof SemaphoreFullError) return undefined
      throw error
    }
  }

  return {
    shares,
    async wait(request) {
      using permit = await acquire(request)
      if (!permit) return undefined
      const { document, find, signal } = request
      const until = performance.now() + 1000 * request.seconds
      let standing: SolveStanding | undefined = { document, state: 'running' }
      while (standing?.state === 'running' && !signal.aborted) {
        const leftMs = until - performance.now()
        if (leftMs <= 0) break
        await untilEnded(document, leftMs, signal)
        // Nobody reads the answer of a client that is gone; a server that stops answers what was true a moment ago.
        if (!signal.aborted) standing = await find()
      }
      return { standing }
    },
    notifyEnded(document) {
      const watch = watches.get(document)
      if (watch) end(watch)
    },
  }
}
