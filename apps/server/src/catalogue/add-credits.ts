import type { Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'

/** `TeamChange.addCredits`. */
export async function addCredits(write: Write, team: TeamKey, count: number): Promise<number> {
  const { credits } = await write
    .updateTable('team')
    .set(({ eb }) => ({ credits: eb('credits', '+', count) }))
    .where('id', '=', team)
    .returning('credits')
    .executeTakeFirstOrThrow()
  return credits
}
