import type { SolutionId, SolveEvent } from '@meadow/contract'
import { subscribeToSolves } from '../../content/solve-notifications.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, SolveState } from '../../platform/database/tables.ts'
import { openPolledDocuments, type PolledDocuments } from './polled-documents.ts'

/** The most recent solve of a document. */
export interface SolveStatus {
  state: SolveState
  solutionId: SolutionId
  /** The position in the document's log that the solve was requested for, or made of. */
  seq: number
  /** Why the solve failed. */
  reason: string | null
}

export interface SolveStatusWatchParts {
  database: Database
  notify(document: DocumentKey, event: SolveEvent): void
  onError(error: unknown): void
}

/** Notifies the clients of open documents of their solves, whichever process requests or makes them. */
export interface SolveStatusWatch extends PolledDocuments<SolveEvent> {
  /** Reads the status from the database; undefined when the document was never solved. */
  find(document: DocumentKey): Promise<SolveStatus | undefined>
  /** Reads the status of many documents; those that were never solved are not in the map. */
  list(documents: readonly DocumentKey[]): Promise<ReadonlyMap<DocumentKey, SolveStatus>>
}

export function openSolveStatusWatch({ database, notify, onError }: SolveStatusWatchParts): SolveStatusWatch {
  const polled = openPolledDocuments<SolveEvent>({
    subscribe: (onChanged) => subscribeToSolves(database, (news) => onChanged(news?.documents)),
    async read(documents) {
      const statuses = await listStatuses(database, documents)
      return (document) => toSolveEvent(statuses.get(document))
    },
    notify,
    onError,
  })
  return {
    ...polled,
    find: async (document) => (await listStatuses(database, [document])).get(document),
    list: (documents) => listStatuses(database, documents),
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
