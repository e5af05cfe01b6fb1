import { type Expression, sql } from 'kysely'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'

/** States as SQL has them. Written out, not as parameters: only so do databases see that a partial index serves. */
export const QUEUED = sql.lit('queued' as const)
export const RUNNING = sql.lit('running' as const)

/** Whether a solve of this document runs. */
export const isRunning = (document: Expression<DocumentKey>) =>
  sql<boolean>`exists (select 1 from solve as running where state = ${RUNNING} and document_id = ${document})`

/** What the running solves of this team may cost at most, together. */
export const reservedBy = (team: Expression<TeamKey>) =>
  sql<number>`(select coalesce(sum(credits), 0) from solve as spending where state = ${RUNNING} and team_id = ${team})`
