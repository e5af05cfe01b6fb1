import type { MemberRole, UserId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** Somebody who has a document open. */
export interface VisitKey {
  document: DocumentKey
  user: UserId
}

/** What somebody may do with a document; `gone`: it is in the bin or deleted; undefined: they are no member. */
export type VisitRole = MemberRole | 'gone' | undefined

/** What each may do with the document they have open, in their order. */
export async function listRoles({ read }: Database, visits: readonly VisitKey[]): Promise<VisitRole[]> {
  if (visits.length === 0) return []
  const users = [...new Set(visits.map(({ user }) => user))]
  const rows = await read
    .selectFrom('document')
    .leftJoin('membership', (join) =>
      join.onRef('membership.team_id', '=', 'document.team_id').on('membership.user_id', 'in', users),
    )
    .where('document.id', 'in', [...new Set(visits.map(({ document }) => document))])
    .where('document.bin_id', 'is', null)
    .select(['document.id as document', 'membership.user_id as user', 'membership.role'])
    .execute()
  const there = new Set(rows.map(({ document }) => document))
  const roles = new Map(rows.map(({ document, user, role }) => [`${document} ${user}`, role ?? undefined]))
  return visits.map(({ document, user }) => (there.has(document) ? roles.get(`${document} ${user}`) : 'gone'))
}
