import type { SolutionId, SolveEvent } from '@meadow/contract'
import { subscribeToSolves } from '../../content/solve-notifications.ts'
import type { Database, Subscription } from '../../platform/database/database.ts'
import type { DocumentKey, SolveState } from '../../platform/database/tables.ts'

/** The most recent solve of a document. */
export interface SolveStatus {
  state: SolveState
  solutionId: SolutionId
  /** The position in the document's log that the solve was requested for, or made of. */
  seq: number
  /** Why it failed. */
  reason: string | null
}

export interface SolveStatusWatchParts {
  database: Database
  notify(document: DocumentKey, event: SolveEvent): void
  onError(error: unknown): void
}

/** Notifies the clients of open documents of their solves, whichever process requests or makes them. */
export interface SolveStatusWatch {
  /** Notifies of changes from now on. Returns a function that ends this. */
  follow(document: DocumentKey): () => void
  /** The event for a new client of a document that is followed: it will be notified of every change after this event. */
  announce(document: DocumentKey): Promise<SolveEvent>
  /** Reads the status from the database; undefined when the document was never solved. */
  find(document: DocumentKey): Promise<SolveStatus | undefined>
  /** Reads the status of many documents; those that were never solved are not in the map. */
  list(documents: readonly DocumentKey[]): Promise<ReadonlyMap<DocumentKey, SolveStatus>>
  close(): Promise<void>
}

/** The least time between two queries for open documents, which is longer for many documents. */
const MIN_PAUSE_MS = 40
const PAUSE_MS_PER_DOCUMENT = 0.5
/** After how long a query that failed is repeated. */
const RETRY_MS = 500

export function openSolveStatusWatch({ database, notify, onError }: SolveStatusWatchParts): SolveStatusWatch {
  /** The last event that was sent, by document; undefined when none was sent yet. */
  const followed = new Map<DocumentKey, string | undefined>()
  /** Followed documents whose solves may have changed since the last query. */
  const changed = new Set<DocumentKey>()
  let scheduled: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let polling = Promise.resolve()

  /** Notifies the clients of a followed document if its status differs from the last one that was read. */
  function record(document: DocumentKey, event: SolveEvent): void {
    if (!followed.has(document)) return
    const text = JSON.stringify(event)
    const before = followed.get(document)
    followed.set(document, text)
    if (before !== undefined && before !== text) notify(document, event)
  }

  async function poll(): Promise<void> {
    const documents = [...changed]
    changed.clear()
    try {
      const statuses = await listStatuses(database, documents)
      for (const document of documents) record(document, toSolveEvent(statuses.get(document)))
    } catch (error) {
      onError(error)
      clearTimeout(retry)
      retry = setTimeout(schedulePoll, RETRY_MS, documents).unref()
    }
  }

  function schedulePoll(documents: Iterable<DocumentKey>): void {
    for (const document of documents) if (followed.has(document)) changed.add(document)
    if (changed.size === 0) return
    const pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_MS_PER_DOCUMENT * changed.size)
    scheduled ??= setTimeout(() => {
      scheduled = undefined
      polling = polling.then(poll)
    }, pauseMs).unref()
  }

  let subscription: Subscription | undefined

  return {
    follow(document) {
      subscription ??= subscribeToSolves(database, (news) => schedulePoll(news?.documents ?? followed.keys()))
      if (!followed.has(document)) followed.set(document, undefined)
      schedulePoll([document])
      return () => followed.delete(document)
    },
    async announce(document) {
      const event = toSolveEvent((await listStatuses(database, [document])).get(document))
      // A solve may end before the first poll, or between the last one and this query: other clients learn of it now.
      record(document, event)
      return event
    },
    find: async (document) => (await listStatuses(database, [document])).get(document),
    list: (documents) => listStatuses(database, documents),
    async close() {
      followed.clear()
      clearTimeout(scheduled)
      clearTimeout(retry)
      await subscription?.close()
      await polling
    },
  }
}

/** The event that notifies clients of a status. */
export const toSolveEvent = (
  status: SolveStatus | undefined,
  reason = status?.reason ?? null,
): SolveEvent => ({
  type: 'solve',
  state: status?.state ?? 'never',
  solutionId: status?.solutionId ?? null,
  reason,
})

async function listStatuses(
  { read }: Database,
  documents: readonly DocumentKey[],
): Promise<Map<DocumentKey, SolveStatus>> {
  if (documents.length === 0) return new Map()
  const rows = await read
    .selectFrom('solve')
    .where('id', 'in', (of) =>
      of
        .selectFrom('solve')
        .where('document_id', 'in', documents)
        .groupBy('document_id')
        .select(({ fn }) => fn.max('id').as('id')),
    )
    .select(['document_id as document', 'state', 'public_id as solutionId', 'seq', 'reason'])
    .execute()
  return new Map(rows.map(({ document, ...status }) => [document, status]))
}
