import type { Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'

/**
 * Raises the version of a team that a transaction changes. Call it first: on PostgreSQL it takes the lock that changes
 * of one team wait for. Throws when there is no such team.
 */
export async function raiseVersion(write: Write, team: TeamKey): Promise<void> {
  const raised = await write
    .updateTable('team')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', team)
    .executeTakeFirst()
  if (raised.numUpdatedRows === 0n) throw new Error(`There is no team ${team}.`)
}
