import type { SolveEvent } from '@meadow/contract'
import type { Database, Subscription } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { listStandings, type Standing } from './solve-standing.store.ts'

/** At most so often the solves of open documents are looked up, and of many less often. */
const LOOK_AFTER_MS = 40
const LOOK_AFTER_MS_EACH = 0.5
/** And at least: PostgreSQL says nothing of solves. */
const LOOK_EVERY_MS = 500

export interface SolveWatchParts {
  database: Database
  tell(document: DocumentKey, event: SolveEvent): void
  onError(error: unknown): void
}

/** Tells those who have a document open how its solve stands, whoever asked for it and wherever it is solved. */
export interface SolveWatch {
  /** Tells what changes from here on. Returns what ends it. */
  follow(document: DocumentKey): () => void
  /** As it is in the database now. */
  find(document: DocumentKey): Promise<Standing | undefined>
  /** The same of many; one that was never solved is not among them. */
  list(documents: readonly DocumentKey[]): Promise<ReadonlyMap<DocumentKey, Standing>>
  close(): Promise<void>
}

export function openSolveWatch({ database, tell, onError }: SolveWatchParts): SolveWatch {
  /** What was told last, by document; undefined: nothing yet. */
  const followed = new Map<DocumentKey, string | undefined>()
  let soon: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const documents = [...followed.keys()]
    try {
      const standings = await listStandings(database, documents)
      for (const document of documents) {
        if (!followed.has(document)) continue
        const event = toEvent(standings.get(document))
        const text = JSON.stringify(event)
        const before = followed.get(document)
        followed.set(document, text)
        if (before !== undefined && before !== text) tell(document, event)
      }
    } catch (error) {
      onError(error)
    }
  }

  function lookSoon(): void {
    if (followed.size === 0) return
    const afterMs = Math.max(LOOK_AFTER_MS, LOOK_AFTER_MS_EACH * followed.size)
    soon ??= setTimeout(() => {
      soon = undefined
      looking = looking.then(look)
    }, afterMs).unref()
  }

  let watch: Subscription | undefined
  const timer = setInterval(lookSoon, LOOK_EVERY_MS).unref()

  return {
    follow(document) {
      watch ??= database.subscribe((said) => said === undefined && lookSoon())
      if (!followed.has(document)) followed.set(document, undefined)
      lookSoon()
      return () => followed.delete(document)
    },
    find: async (document) => (await listStandings(database, [document])).get(document),
    list: (documents) => listStandings(database, documents),
    async close() {
      followed.clear()
      clearInterval(timer)
      clearTimeout(soon)
      await watch?.close()
      await looking
    },
  }
}

/** How a document stands, as its editors are told. */
export const toEvent = (standing: Standing | undefined, reason = standing?.reason ?? null): SolveEvent => ({
  type: 'solve',
  state: standing?.state ?? 'never',
  solutionId: standing?.solutionId ?? null,
  reason,
})
