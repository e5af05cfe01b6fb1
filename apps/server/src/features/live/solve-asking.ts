import type { SolveEvent } from '@meadow/contract'
import { APP_REFUSALS } from '@meadow/contract/web'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import type { Standing } from './solve-standing.store.ts'
import { toEvent } from './solve-watch.ts'

/** After so long without a further edit a solve is asked for, and after so long in any case. */
const QUIET_MS = 700
const LONGEST_MS = 4000

/** Asks for solves; the refusal tells that the team has no credits. */
export type AskForSolves = (
  team: TeamKey,
  documents: readonly DocumentKey[],
) => Promise<{ refusal: 'no_credits' } | object>

export interface SolveAskingParts {
  ask: AskForSolves
  find(document: DocumentKey): Promise<Standing | undefined>
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
}

interface Waiting {
  team: TeamKey
  seq: number
  sinceMs: number
  timer: NodeJS.Timeout
}

export function createSolveAsking({ ask, find, tell, onError }: SolveAskingParts): SolveAsking {
  const waiting = new Map<DocumentKey, Waiting>()

  async function askFor(document: DocumentKey, team: TeamKey): Promise<void> {
    const asked = await ask(team, [document])
    if ('refusal' in asked) tell(document, toEvent(await find(document), APP_REFUSALS.no_credits.sentence))
  }

  async function finish(document: DocumentKey): Promise<void> {
    const due = waiting.get(document)
    if (!due) return
    clearTimeout(due.timer)
    waiting.delete(document)
    try {
      // Another process may have seen the edit too, and have asked.
      const standing = await find(document)
      if (!standing || standing.seq < due.seq) await askFor(document, due.team)
    } catch (error) {
      onError(error)
    }
  }

  return {
    async opened(document, team) {
      if (!(await find(document))) await askFor(document, team)
    },
    edited(document, team, seq) {
      const before = waiting.get(document)
      clearTimeout(before?.timer)
      const now = performance.now()
      const sinceMs = before?.sinceMs ?? now
      const timer = setTimeout(finish, Math.min(QUIET_MS, sinceMs + LONGEST_MS - now), document).unref()
      waiting.set(document, { team, seq, sinceMs, timer })
    },
    finish,
  }
}
