import type { TeamId } from '@meadow/contract'
import { publishAccessChange } from '../../access/access-changes.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'

/** For how long a deleted team can be restored, unless the operator says otherwise. */
export const GRACE_DAYS = 14
export const DAY_MS = 86_400_000

/** The deletion of a team. All times are milliseconds since 1970. */
export interface TeamDeletion {
  teamId: TeamId
  askedAt: number
  /** Until then it can be restored, unless the purge has begun. */
  purgeAt: number
  begunAt: number | null
  /** Null until everything is purged. */
  endedAt: number | null
  /** The rows that were purged so far, by table. */
  counts: Readonly<Record<string, number>>
}

/** The team cannot be restored: it is not deleted, or its purge has begun. */
class NotRestorableError extends Error {}

/**
 * Deletes a team: from the commit on nobody reaches it, its tokens are rejected, and its documents are closed. What it
 * stores is purged from `purgeAt` on. A team that is deleted already gets the earlier of the two times.
 */
export async function deleteTeam(
  database: Pick<Database, 'publish'>,
  write: Write,
  team: TeamKey,
  purgeAt: number,
): Promise<TeamDeletion> {
  await raiseVersion(write, team)
  const askedAt = Date.now()
  const { public_id, name } = await write
    .updateTable('team')
    .set(({ fn, val }) => ({ deleted_at: fn.coalesce('deleted_at', val(askedAt)) }))
    .where('id', '=', team)
    .returning(['public_id', 'name'])
    .executeTakeFirstOrThrow()
  // Solves that run end by themselves; those that wait are not made.
  await write.deleteFrom('solve').where('team_id', '=', team).where('state', '=', 'queued').execute()
  const row = await write
    .insertInto('team_deletion')
    .values({ public_id, asked_at: askedAt, purge_at: purgeAt, begun_at: null, ended_at: null })
    .onConflict((conflict) =>
      conflict.column('public_id').doUpdateSet(({ eb }) => ({
        purge_at: eb
          .case()
          .when('team_deletion.purge_at', '>', purgeAt)
          .then(purgeAt)
          .else(eb.ref('team_deletion.purge_at'))
          .end(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishAccessChange(database, write)
  const thing = { kind: 'team', id: public_id, name }
  recordEvent(write, {
    action: 'team.deleted',
    team,
    thing,
    details: { until: new Date(purgeAt).toISOString() },
  })
  return toDeletion(row)
}

/** Makes a deleted team what it was. Throws a {@link NotRestorableError}. */
export async function restoreTeam(write: Write, team: TeamKey): Promise<void> {
  if ((await raiseVersion(write, team)) === null) throw new NotRestorableError('The team is not deleted.')
  const { public_id, name } = await write
    .updateTable('team')
    .set({ deleted_at: null })
    .where('id', '=', team)
    .returning(['public_id', 'name'])
    .executeTakeFirstOrThrow()
  const { numDeletedRows } = await write
    .deleteFrom('team_deletion')
    .where('public_id', '=', public_id)
    .where('begun_at', 'is', null)
    .executeTakeFirst()
  if (numDeletedRows === 0n)
    throw new NotRestorableError('The purge of the team has begun: it can only come back from a backup.')
  recordEvent(write, { action: 'team.restored', team, thing: { kind: 'team', id: public_id, name } })
}

/** Newest first. */
export async function listDeletions({ read }: Pick<Database, 'read'>): Promise<TeamDeletion[]> {
  const rows = await read.selectFrom('team_deletion').selectAll().orderBy('asked_at', 'desc').execute()
  return rows.map(toDeletion)
}

export async function findDeletion(
  { read }: Pick<Database, 'read'>,
  id: TeamId,
): Promise<TeamDeletion | undefined> {
  const row = await read
    .selectFrom('team_deletion')
    .where('public_id', '=', id)
    .selectAll()
    .executeTakeFirst()
  return row && toDeletion(row)
}

const toDeletion = (row: {
  public_id: TeamId
  asked_at: number
  purge_at: number
  begun_at: number | null
  ended_at: number | null
  counts: string
}): TeamDeletion => ({
  teamId: row.public_id,
  askedAt: row.asked_at,
  purgeAt: row.purge_at,
  begunAt: row.begun_at,
  endedAt: row.ended_at,
  counts: JSON.parse(row.counts),
})
