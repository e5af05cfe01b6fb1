import type { DocumentId } from '@meadow/contract'
import type { Select, Write } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import type { Claim, SolvableDocument } from './solve-record.ts'
import { RUNNING } from './solve-states.ts'

/** `SolveRecord`s. */
export const selectSolves = (read: Select) =>
  read
    .selectFrom('solve')
    .innerJoin('document', 'document.id', 'solve.document_id')
    .select([
      'solve.public_id as id',
      'document.public_id as documentId',
      'document.name as documentName',
      'solve.state',
      'solve.asked_at as askedAt',
      'solve.started_at as startedAt',
      'solve.ended_at as endedAt',
      'solve.duration_ms as durationMs',
      'solve.reason',
      'solve.credits',
    ])

const selectDocuments = (read: Select) =>
  read
    .selectFrom('document')
    .where('document.bin_id', 'is', null)
    .select(['document.id as key', 'document.public_id as id', 'document.name', 'document.team_id as team'])

/** Those of the documents that there are. */
export async function findSolvable(read: Select, ids: readonly string[]): Promise<SolvableDocument[]> {
  const known = ids.filter((id): id is DocumentId => isPublicId('doc', id))
  return known.length === 0 ? [] : selectDocuments(read).where('document.public_id', 'in', known).execute()
}

export function listSolvable(
  read: Select,
  team: TeamKey,
  after: DocumentKey | undefined,
  limit: number,
): Promise<SolvableDocument[]> {
  return selectDocuments(read)
    .where('document.team_id', '=', team)
    .where('document.id', '>', after ?? (0 as DocumentKey))
    .orderBy('document.id')
    .limit(limit)
    .execute()
}

/** The row of a claim, to be changed; none when the claim is lost. */
export const updateClaimed = (write: Write, { key, claimedBy }: Claim) =>
  write
    .updateTable('solve')
    .where('id', '=', key)
    .where('claimed_by', '=', claimedBy)
    .where('state', '=', RUNNING)
