import type { SolveEvent } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/current-roles.ts'
import { inPortions } from '../../platform/database/in-portions.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Standing } from './solve-standing.store.ts'
import { toEvent } from './solve-watch.ts'

/** After so long without a further edit a solve is asked for, and after so long in any case. */
const QUIET_MS = 700
const LONGEST_MS = 4000

/** So often a solve that was refused is asked for again: the team may have credits now. */
const AGAIN_MS = 2000
/** So many documents at most whose solves were refused. */
const MAX_REFUSED = 10_000

/** Asks for solves, for `actor` where a request does; the error tells that the team has no credits. */
export type AskForSolves = (
  team: TeamKey,
  documents: readonly DocumentKey[],
  actor?: Actor,
) => Promise<{ error: 'no_credits' } | object>

export interface SolveAskingParts {
  ask: AskForSolves
  find(document: DocumentKey): Promise<Standing | undefined>
  /** The same of many; one that was never solved is not among them. */
  list(documents: readonly DocumentKey[]): Promise<ReadonlyMap<DocumentKey, Standing>>
  tell(document: DocumentKey, event: SolveEvent): void
  onError(error: unknown): void
}

/** Asks for the solves that follow from editing (decision 31). */
export interface SolveAsking {
  /** A document was opened in an editor. */
  opened(document: DocumentKey, team: TeamKey): Promise<void>
  /** It was edited at `seq` of its log such that a solve gives something else. */
  edited(document: DocumentKey, team: TeamKey, seq: number): void
  /** Asks at once for what is waiting: nobody has the document open any more. */
  finish(document: DocumentKey): Promise<void>
  /** Asks for nothing any more. */
  stop(): Promise<void>
}

interface Waiting {
  team: TeamKey
  seq: number
  sinceMs: number
  timer: NodeJS.Timeout
}

export function createSolveAsking({ ask, find, list, tell, onError }: SolveAskingParts): SolveAsking {
  const waiting = new Map<DocumentKey, Waiting>()
  const refused = new LRUCache<DocumentKey, Pick<Waiting, 'team' | 'seq'>>({ max: MAX_REFUSED })
  let askingAgain: Promise<void> | undefined

  async function askFor(document: DocumentKey, team: TeamKey, seq: number): Promise<void> {
    const asked = await ask(team, [document])
    if (!('error' in asked)) return
    refused.set(document, { team, seq })
    tell(document, toEvent(await find(document), APP_ERRORS.no_credits.sentence))
  }

  /** Whether it was solved or asked for since, in another process perhaps. */
  const isDone = (standing: Standing | undefined, seq: number): boolean =>
    standing !== undefined && standing.seq >= seq

  /** Says nothing where the answer is the same: the editors were told. */
  async function askAgain(): Promise<void> {
    try {
      const standings = await list([...refused.keys()])
      for (const [document, { seq }] of [...refused.entries()])
        if (isDone(standings.get(document), seq)) refused.delete(document)
      for (const [team, of] of Map.groupBy(refused.entries(), ([, { team }]) => team)) {
        for (const documents of inPortions(of.map(([document]) => document))) {
          if ('error' in (await ask(team, documents))) break
          for (const document of documents) refused.delete(document)
        }
      }
    } catch (error) {
      onError(error)
    } finally {
      askingAgain = undefined
    }
  }
  const timer = setInterval(() => {
    if (refused.size > 0) askingAgain ??= askAgain()
  }, AGAIN_MS).unref()

  let isStopped = false

  function wait(document: DocumentKey, team: TeamKey, seq: number, forMs: number): void {
    const before = waiting.get(document)
    clearTimeout(before?.timer)
    const now = performance.now()
    const sinceMs = before?.sinceMs ?? now
    const timer = setTimeout(finish, Math.min(forMs, sinceMs + LONGEST_MS - now), document).unref()
    waiting.set(document, { team, seq, sinceMs, timer })
  }

  async function finish(document: DocumentKey): Promise<void> {
    const due = waiting.get(document)
    if (!due) return
    clearTimeout(due.timer)
    waiting.delete(document)
    try {
      if (!isDone(await find(document), due.seq)) await askFor(document, due.team, due.seq)
    } catch (error) {
      onError(error)
      // The edit is kept, so its solve is asked for once the database is back.
      if (findUnavailable(error) && !isStopped && !waiting.has(document))
        wait(document, due.team, due.seq, AGAIN_MS)
    }
  }

  return {
    async opened(document, team) {
      if (!(await find(document))) await askFor(document, team, 0)
    },
    edited(document, team, seq) {
      wait(document, team, seq, QUIET_MS)
    },
    finish,
    async stop() {
      isStopped = true
      clearInterval(timer)
      for (const { timer } of waiting.values()) clearTimeout(timer)
      await askingAgain
    },
  }
}
