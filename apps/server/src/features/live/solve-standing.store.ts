import type { SolutionId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, SolveState } from '../../platform/database/tables.ts'

/** The most recent solve of a document. */
export interface Standing {
  state: SolveState
  solutionId: SolutionId
  /** The place in the document's log that it was asked for at, or solved. */
  seq: number
  /** Why it failed. */
  reason: string | null
}

/** How the documents stand; one that was never solved is not among them. */
export async function listStandings(
  { read }: Database,
  documents: readonly DocumentKey[],
): Promise<Map<DocumentKey, Standing>> {
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
  return new Map(rows.map(({ document, ...standing }) => [document, standing]))
}
