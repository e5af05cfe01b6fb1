import { type OnSolves, subscribeToSolves } from '../../content/solve-notifications.ts'
import type { QuotaLimits } from '../../http/admission.ts'
import { FairSemaphore, type Permit, SemaphoreFullError } from '../../platform/concurrency/fair-semaphore.ts'
import type { Database, Subscription } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import type { SolutionStore, SolveStatus } from './solutions.store.ts'

/** How soon to query after commits that may have ended a solve, on databases that do not say which they did. */
const SOON_MS = 250
/** The pause before a query that failed is repeated. */
const RETRY_MS = 500

/** A request that waits until a solve has ended. */
export interface SolveWait {
  document: DocumentKey
  team: TeamKey
  /** The API token, whose quota the request counts against. */
  token: string
  seconds: number
  /** Reads the current status. */
  find(): Promise<SolveStatus | undefined>
  /** Ends the wait early: the client has disconnected, or the server stops. */
  signal: AbortSignal
}

/**
 * The requests of this process that wait for solves. They share their queries: each is one for all the documents,
 * however many requests wait for each, and is made when solves of these documents have changed.
 */
export interface SolveWaits {
  /** Each waiting request holds one permit. */
  readonly permits: FairSemaphore
  /**
   * Waits until the document's solve has ended or the time is up, and resolves to the result of `find`. If another
   * solve follows immediately, it waits for that one too. Undefined at once when a limit is reached.
   */
  wait(request: SolveWait): Promise<{ status: SolveStatus | undefined } | undefined>
  /** A solve of this document has ended in this process: its requests need not wait for the next poll. */
  notifyEnded(document: DocumentKey): void
  close(): Promise<void>
}

/** A document with waiting requests. */
interface Watch {
  readonly document: DocumentKey
  readonly wakeUps: Set<() => void>
}

export function createSolveWaits(
  { database, listRunning }: Pick<SolutionStore, 'listRunning'> & { database: Pick<Database, 'subscribe'> },
  /** How many requests may wait at once: of one token, of one team, and in this process. */
  limits: QuotaLimits,
): SolveWaits {
  const watches = new Map<DocumentKey, Watch>()
  // There is no queue: a preference may be ignored.
  const permits = new FairSemaphore({
    limits: [limits.process, limits.team, limits.caller],
    maxWaiting: [0, 0, 0],
    maxWaitMs: 0,
  })
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let subscription: Subscription | undefined
  let isPolling = false
  /** During a poll documents were added, which it does not include, or solves have ended. */
  let pollAgain = false

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    pollAgain = false
    dueAt = Number.POSITIVE_INFINITY
    const watched = [...watches.values()]
    let isAnswered = false
    try {
      const running = await listRunning(watched.map(({ document }) => document))
      for (const watch of watched) if (!running.has(watch.document)) end(watch)
      isAnswered = true
    } catch {
      // The error is ignored here: after an outage each request fails with its own last query.
    }
    isPolling = false
    if (!isAnswered) schedulePoll(RETRY_MS)
    if (pollAgain) schedulePoll(0)
  }

  /** Schedules a poll, unless one is due earlier. */
  function schedulePoll(afterMs: number): void {
    const at = performance.now() + afterMs
    if (at >= dueAt || watches.size === 0) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(poll, afterMs)
  }

  function cancelPoll(): void {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }

  function receive(changed: Parameters<OnSolves>[0]): void {
    if (!changed) requestPoll(SOON_MS)
    else if (changed.change === 'ended' && changed.documents.some((one) => watches.has(one))) requestPoll(0)
  }

  /** A poll that is under way may have begun before the change. */
  function requestPoll(afterMs: number): void {
    if (isPolling) pollAgain = true
    else schedulePoll(afterMs)
  }

  function end(watch: Watch): void {
    if (watches.get(watch.document) === watch) watches.delete(watch.document)
    for (const wakeUp of watch.wakeUps) wakeUp()
  }

  /** The first poll is immediate: the solve may have ended since the caller's query. */
  function watchDocument(document: DocumentKey): Watch {
    const watch: Watch = { document, wakeUps: new Set() }
    watches.set(document, watch)
    subscription ??= subscribeToSolves(database, receive)
    requestPoll(0)
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
          if (watches.size === 0) cancelPoll()
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
      return await permits.acquire([String(team), token])
    } catch (error) {
      if (error instanceof SemaphoreFullError) return undefined
      throw error
    }
  }

  return {
    permits,
    async wait(request) {
      using permit = await acquire(request)
      if (!permit) return undefined
      const { document, find, signal } = request
      const until = performance.now() + 1000 * request.seconds
      let status: SolveStatus | undefined = { document, state: 'running' }
      while (status?.state === 'running' && !signal.aborted) {
        const leftMs = until - performance.now()
        if (leftMs <= 0) break
        await untilEnded(document, leftMs, signal)
        // A disconnected client reads no response; a stopping server responds with the last known status.
        if (!signal.aborted) status = await find()
      }
      return { status }
    },
    notifyEnded(document) {
      const watch = watches.get(document)
      if (watch) end(watch)
    },
    close: async () => subscription?.close(),
  }
}
