import type { MemberRole, UserId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** Somebody who has a document open. */
export interface VisitKey {
  document: DocumentKey
  user: UserId
}

/** What each may do with the document they have open, in their order; undefined: nothing any more. */
export async function listRoles(
  { read }: Database,
  visits: readonly VisitKey[],
): Promise<(MemberRole | undefined)[]> {
  if (visits.length === 0) return []
  const rows = await read
    .selectFrom('document')
    .innerJoin('membership', 'membership.team_id', 'document.team_id')
    .where('document.id', 'in', [...new Set(visits.map(({ document }) => document))])
    .where('membership.user_id', 'in', [...new Set(visits.map(({ user }) => user))])
    .where('document.bin_id', 'is', null)
    .select(['document.id as document', 'membership.user_id as user', 'membership.role'])
    .execute()
  const roles = new Map(rows.map((row) => [keyOf(row), row.role]))
  return visits.map((visit) => roles.get(keyOf(visit)))
}

const keyOf = ({ document, user }: VisitKey): string => `${document} ${user}`
