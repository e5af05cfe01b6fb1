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
  await noteCredits(write, team, count)
  return credits
}

/** Tells the team's people where credits came from. */
export async function noteCredits(write: Write, team: TeamKey, count: number): Promise<void> {
  if (count === 0) return
  await write.insertInto('credit_entry').values({ team_id: team, at: Date.now(), credits: count }).execute()
}
