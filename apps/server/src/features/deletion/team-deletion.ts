import type { TeamId, UserId } from '@meadow/contract'
import { writeTime } from '../../access/account-notices.ts'
import { type Actor, checkActor } from '../../access/current-roles.ts'
import { isMembershipOpen } from '../../access/required-factors.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { type Mail, queueNotice, quoteName } from '../../platform/mail/outbox.ts'
import { publishAccessChange } from '../../team/access-changes.ts'
import { raiseVersion } from '../../team/raise-version.ts'

/** How many days a deleted team can be restored, unless the operator says otherwise. */
export const GRACE_DAYS = 14
export const DAY_MS = 86_400_000

/** The deletion of a team. All times are milliseconds since 1970. */
export interface TeamDeletion {
  teamId: TeamId
  askedAt: number
  /** The team can be restored until this time, unless the purge has begun. */
  purgeAt: number
  begunAt: number | null
  /** Null until everything is purged. */
  endedAt: number | null
  /** The rows that were purged so far, by table. */
  counts: Readonly<Record<string, number>>
}

/** The team cannot be restored: it is not deleted, or its purge has begun. */
export class NotRestorableError extends Error {}

/**
 * Deletes a team: from the commit on nobody reaches it, its tokens are rejected, and its documents are closed. What it
 * stores is purged from `purgeAt` on. A team that is deleted already gets the earlier of the two times. Its owners get a
 * notice. Throws an `AccessEndedError` when `actor`, who asks for it, may not.
 */
export async function deleteTeam(
  database: Pick<Database, 'dialect' | 'publish'>,
  write: Write,
  team: TeamKey,
  purgeAt: number,
  actor?: Actor,
): Promise<TeamDeletion> {
  const deletedBefore = await raiseVersion(write, team)
  if (actor) await checkActor(database, write, actor)
  const askedAt = timeOf(write)
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
  const target = { kind: 'team', id: public_id, name }
  recordEvent(write, {
    action: 'team.deleted',
    team,
    target,
    details: { until: new Date(purgeAt).toISOString() },
  })
  const deletion = toDeletion(row)
  if (deletedBefore === null)
    await tellOwners(write, team, writeDeletionNotice(name, deletion, actor !== undefined))
  return deletion
}

function writeDeletionNotice(
  name: string,
  { askedAt, purgeAt }: TeamDeletion,
  isByOwner: boolean,
): Omit<Mail, 'to'> {
  const who = isByOwner ? 'An owner' : 'The operator of this service'
  const ask = isByOwner ? 'Any of its owners can restore it' : 'The operator can restore it'
  const until = purgeAt > askedAt ? `${ask} until ${writeTime(purgeAt)}; then it is removed for good.` : ''
  return {
    subject: 'A team of yours was deleted',
    paragraphs: [
      `${who} deleted the team ${quoteName(name)}. Nobody reaches its documents any more, and its API tokens are rejected.`,
      until || 'It cannot be restored.',
    ],
    ...(isByOwner && { link: { label: 'Look at deleted teams', path: '/account' } }),
  }
}

/** Sends a notice to every owner of a team. */
async function tellOwners(write: Write, team: TeamKey, notice: Omit<Mail, 'to'>): Promise<void> {
  const owners = await write
    .selectFrom('membership')
    .where('team_id', '=', team)
    .where('role', '=', 'owner')
    .select('user_id as user')
    .orderBy('user_id')
    .execute()
  for (const { user } of owners) await queueNotice(write, user, notice)
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
  recordEvent(write, { action: 'team.restored', team, target: { kind: 'team', id: public_id, name } })
  await tellOwners(write, team, {
    subject: 'A deleted team of yours was restored',
    paragraphs: [`The team ${quoteName(name)} is back as it was, with its members and API tokens.`],
    link: { label: 'Open the team', path: `/teams/${public_id}` },
  })
}

/** A deleted team, as its owners see it. */
export interface OwnedDeletion extends Pick<TeamDeletion, 'teamId' | 'askedAt' | 'purgeAt'> {
  team: TeamKey
  name: string
  /** An owner deleted it, not the operator: owners can restore it. */
  isByOwner: boolean
}

/** The deleted teams that a user owns, and whose purge has not begun; newest first. */
export async function listOwnedDeletions(read: Select, user: UserId): Promise<OwnedDeletion[]> {
  const rows = await read
    .selectFrom('team')
    .innerJoin('membership', 'membership.team_id', 'team.id')
    .innerJoin('team_deletion as deletion', 'deletion.public_id', 'team.public_id')
    .where('membership.user_id', '=', user)
    .where('membership.role', '=', 'owner')
    .where(isMembershipOpen())
    .where('deletion.begun_at', 'is', null)
    .where('team.deleted_at', 'is not', null)
    .orderBy('deletion.asked_at', 'desc')
    .select([
      'team.id as team',
      'team.public_id as teamId',
      'team.name',
      'deletion.asked_at as askedAt',
      'deletion.purge_at as purgeAt',
    ])
    .select(({ selectFrom }) =>
      // What the operator has deleted, an owner cannot bring back: the last who asked for it counts.
      selectFrom('audit_event as event')
        .whereRef('event.chain', '=', 'team.public_id')
        .where('event.action', '=', 'team.deleted')
        .orderBy('event.seq', 'desc')
        .limit(1)
        .select('event.actor_kind')
        .as('by'),
    )
    .execute()
  return rows.map(({ by, ...deletion }) => ({ ...deletion, isByOwner: by === 'user' }))
}

/** Lists all deletions, newest first. */
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
