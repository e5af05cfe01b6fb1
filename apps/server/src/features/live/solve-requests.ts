import type { SolveEvent } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import type { SolveCause } from '@meadow/contract/web/terms'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/current-roles.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import { limitEntries } from '../../platform/limit-entries.ts'
import { type SolveStatus, type SolveStatusWatch, toSolveEvent } from './solve-status.ts'

/** A solve is requested this long after the last edit, and at the latest this long after the first. */
const QUIET_MS = 700
const MAX_DELAY_MS = 4000

/** How often rejected requests are repeated: the team may have credits by then. */
const RETRY_EVERY_MS = 2000
/** Documents with rejected requests that are remembered. */
const MAX_REJECTED = 10_000

/** Requests solves, for `actor` if a person requests them; resolves to an error when the team has no credits. */
export type RequestSolves = (
  team: TeamKey,
  documents: readonly DocumentKey[],
  options: { actor?: Actor; cause: SolveCause },
) => Promise<{ error: 'no_credits' } | { solves: readonly unknown[] }>

export interface SolveRequestsParts extends Pick<SolveStatusWatch, 'find' | 'list'> {
  requestSolves: RequestSolves
  notify(document: DocumentKey, event: SolveEvent): void
  onError(error: unknown): void
}

/** Requests the solves that follow from editing (decision 31). */
export interface SolveRequests {
  /** A document was opened by a client that may edit it. */
  opened(document: DocumentKey, team: TeamKey): Promise<void>
  /** A document was edited, at `seq` of its log, such that a solve computes something else. */
  edited(document: DocumentKey, team: TeamKey, seq: number): void
  /** Sends the pending request of a document now: its last client has disconnected. */
  flush(document: DocumentKey): Promise<void>
  /** Sends no further requests. */
  stop(): Promise<void>
}

interface PendingRequest {
  team: TeamKey
  /** The position of the last edit in the log of the document; 0 for one that was only opened. */
  seq: number
  sinceMs: number
  timer: NodeJS.Timeout
}

export function createSolveRequests({
  requestSolves,
  find,
  list,
  notify,
  onError,
}: SolveRequestsParts): SolveRequests {
  const pending = new Map<DocumentKey, PendingRequest>()
  const rejected = new LRUCache<DocumentKey, Pick<PendingRequest, 'team' | 'seq'>>(limitEntries(MAX_REJECTED))
  let retrying: Promise<void> | undefined
  let isStopped = false

  function schedule(document: DocumentKey, team: TeamKey, seq: number, delayMs: number): void {
    const before = pending.get(document)
    clearTimeout(before?.timer)
    const now = performance.now()
    const sinceMs = before?.sinceMs ?? now
    const timer = setTimeout(flush, Math.min(delayMs, sinceMs + MAX_DELAY_MS - now), document).unref()
    pending.set(document, { team, seq, sinceMs, timer })
  }

  async function flush(document: DocumentKey): Promise<void> {
    const due = pending.get(document)
    if (!due) return
    clearTimeout(due.timer)
    pending.delete(document)
    try {
      if (!isCovered(await find(document), due.seq)) await request(document, due)
    } catch (error) {
      onError(error)
      // The edit is stored, so its solve is requested when the database is available again.
      if (findUnavailable(error) && !isStopped && !pending.has(document))
        schedule(document, due.team, due.seq, RETRY_EVERY_MS)
    }
  }

  async function request(
    document: DocumentKey,
    { team, seq }: Pick<PendingRequest, 'team' | 'seq'>,
  ): Promise<void> {
    if (!('error' in (await requestSolves(team, [document], { cause: 'automatic' })))) return
    rejected.set(document, { team, seq: Math.max(rejected.get(document)?.seq ?? 0, seq) })
    notify(document, toSolveEvent(await find(document), APP_ERRORS.no_credits.sentence))
  }

  /** Repeats the rejected requests. Clients are not notified again when the result is the same. */
  async function retry(): Promise<void> {
    try {
      const statuses = await list([...rejected.keys()])
      for (const [document, { seq }] of [...rejected.entries()])
        if (isCovered(statuses.get(document), seq)) rejected.delete(document)
      for (const [team, ofTeam] of Map.groupBy(rejected.entries(), ([, { team }]) => team)) {
        for (const documents of inBatches(ofTeam.map(([document]) => document))) {
          if ('error' in (await requestSolves(team, documents, { cause: 'automatic' }))) break
          for (const document of documents) rejected.delete(document)
        }
      }
    } catch (error) {
      onError(error)
    } finally {
      retrying = undefined
    }
  }
  const timer = setInterval(() => {
    if (rejected.size > 0) retrying ??= retry()
  }, RETRY_EVERY_MS).unref()

  return {
    async opened(document, team) {
      if (!(await find(document))) await request(document, { team, seq: 0 })
    },
    edited: (document, team, seq) => schedule(document, team, seq, QUIET_MS),
    flush,
    async stop() {
      isStopped = true
      clearInterval(timer)
      for (const { timer } of pending.values()) clearTimeout(timer)
      await retrying
    },
  }
}

/** Whether a solve as of the last edit was made or requested already, perhaps by another process. */
const isCovered = (status: SolveStatus | undefined, seq: number): boolean =>
  status !== undefined && status.seq >= seq
