import type { InvitationId, TeamId, UserId } from '@meadow/contract'
import { type AuditAction, canMakeTokens, type MemberRole } from '@meadow/contract/terms'
import { readUserTarget } from '../audit/named-rows.ts'
import { recordEvent } from '../audit/record-event.ts'
import { currentContext } from '../audit/request-context.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { type Mail, queueLinkMail, queueMail, queueNotice, quoteName } from '../platform/mail/outbox.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import { raiseVersion } from '../team/raise-version.ts'
import type { TeamTransaction, TeamWrite } from '../team/team-transaction.ts'
import { revokeTokensOf } from './team-tokens.ts'
import { hashToken } from './tokens.ts'
import { findUserByEmail, insertUser, type UserRecord } from './users.store.ts'

/** What the audit log and the notice to the user say of a change in addition. */
interface Cause {
  details: Readonly<Record<string, string>>
  sentence: string
}

/** The cause of what rules about the OpenID provider change (0076). */
export const BY_PROVIDER: Cause = {
  details: { by: 'provider' },
  sentence:
    'The service that you sign in through decides it, with the groups and the address that it names for you.',
}

/**
 * Makes the user a member, or gives a member another role, by hand. Invitations stay valid only while their maker is an
 * owner, tokens only while their maker may make tokens (decision 38).
 */
export const setMember = (change: TeamWrite, user: UserId, role: MemberRole): Promise<void> =>
  setRole(change, user, role, role)

/**
 * Sets the role of a user. `ownRole` is what was given by hand, and is `role` or lower; null for nothing. Where it is not
 * `role`, the membership remembers that a rule gave that.
 */
export async function setRole(
  { write, team }: TeamWrite,
  user: UserId,
  role: MemberRole,
  ownRole: MemberRole | null,
  cause?: Cause,
): Promise<void> {
  const before = await findMembership(write, team, user)
  const from = before?.role
  const isProvided = role !== ownRole
  const columns = {
    role,
    by_provider: isProvided ? 1 : 0,
    own_role: isProvided ? ownRole : null,
  } as const
  await write
    .insertInto('membership')
    .values({ team_id: team, user_id: user, ...columns, created_at: timeOf(write) })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet(columns))
    .execute()
  const target = await readUserTarget(write, user)
  const record = (action: AuditAction, details: Record<string, string>) =>
    recordEvent(write, { action, team, target, details: { ...details, ...cause?.details } })
  if (!before) record('member.added', { role })
  // A role that a rule gave, and that is given by hand from now on, counts as changed too.
  else if (from !== role || (before.by_provider === 1 && !isProvided))
    record('member.role_changed', { from: before.role, to: role })
  if (role !== 'owner') await withdrawInvitationsOf({ write, team }, user)
  if (!canMakeTokens(role)) await revokeTokensOf(write, team, user, 'maker_role')
  if (from !== undefined && from !== role)
    await tell({ write, team }, user, (name) => ({
      subject: 'Your role in a team was changed',
      paragraphs: [`In the team ${name} you are ${role} now. You were ${from}.`, ...sentencesOf(cause)],
    }))
}

/** Removes a member, and revokes their open invitations and tokens; false when the user is not a member. */
export async function endMembership(
  { write, team }: TeamWrite,
  user: UserId,
  cause?: Cause,
): Promise<boolean> {
  await withdrawInvitationsOf({ write, team }, user)
  await revokeTokensOf(write, team, user, 'maker_left')
  const { numDeletedRows } = await write
    .deleteFrom('membership')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  const target = await readUserTarget(write, user)
  recordEvent(write, { action: 'member.removed', team, target, details: cause?.details })
  await tell({ write, team }, user, (name) => ({
    subject: 'You are no longer in a team',
    paragraphs: [
      `You were taken out of the team ${name}. API tokens that you created there have ended.`,
      ...sentencesOf(cause),
    ],
  }))
  return true
}

const sentencesOf = (cause: Cause | undefined): string[] => (cause ? [cause.sentence] : [])

/** Withdraws a user's invitations, so that a former owner cannot join again with a saved link. */
async function withdrawInvitationsOf({ write, team }: TeamWrite, user: UserId): Promise<void> {
  await write.deleteFrom('invitation').where('team_id', '=', team).where('created_by', '=', user).execute()
}

/** Tells a user of a change that another person made. */
async function tell(
  { write, team }: TeamWrite,
  user: UserId,
  describe: (team: string) => Omit<Mail, 'to'>,
): Promise<void> {
  if (currentContext().actor.id === user) return
  const { name } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select('name')
    .executeTakeFirstOrThrow()
  await queueNotice(write, user, describe(quoteName(name)))
}

export async function hasOwner({ write, team }: TeamWrite): Promise<boolean> {
  const owner = await write
    .selectFrom('membership')
    .where('team_id', '=', team)
    .where('role', '=', 'owner')
    .select('user_id')
    .executeTakeFirst()
  return owner !== undefined
}

/** The membership of a user in this transaction; undefined for users who are no member. */
export const findMembership = (write: Write, team: TeamKey, user: UserId) =>
  write
    .selectFrom('membership')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .select(['role', 'by_provider', 'own_role'])
    .executeTakeFirst()

export interface NewInvitation {
  role: MemberRole
  note: string
  /** What `createInvitationSecret` made. Only its hash is stored. */
  secret: string
  /** The address that a link is mailed to, with a secret that is made when it is sent. */
  email?: string | undefined
  createdBy: UserId
  /** Milliseconds since 1970, as is `expiresAt`. */
  createdAt: number
  expiresAt: number
}

export async function addInvitation(
  { write, team, record }: TeamTransaction,
  { role, note, secret, email, createdBy, createdAt, expiresAt }: NewInvitation,
): Promise<InvitationId> {
  const { id } = await write
    .insertInto('invitation')
    .values({
      public_id: createPublicId('inv'),
      team_id: team,
      role,
      note,
      hash: hashToken(secret),
      created_at: createdAt,
      created_by: createdBy,
      expires_at: expiresAt,
      email: email ?? null,
    })
    .returning('public_id as id')
    .executeTakeFirstOrThrow()
  const target = { kind: 'invitation', id, name: note }
  record({ action: 'invitation.created', target, details: { role } })
  if (email !== undefined) await queueLinkMail(write, { kind: 'invitation', to: email, about: id, expiresAt })
  return id
}

/** Withdraws an invitation; false when there is no such invitation. */
export async function removeInvitation(
  { write, team, record }: TeamTransaction,
  id: string,
): Promise<boolean> {
  if (!isPublicId('inv', id)) return false
  const withdrawn = await write
    .deleteFrom('invitation')
    .where('team_id', '=', team)
    .where('public_id', '=', id)
    .returning('note')
    .executeTakeFirst()
  if (!withdrawn) return false
  const target = { kind: 'invitation', id, name: withdrawn.note }
  record({ action: 'invitation.withdrawn', target })
  return true
}

/** Deletes the invitations that nobody had accepted by their end, as of `now` (milliseconds since 1970). */
export async function deleteEndedInvitations(
  { transaction }: Pick<Database, 'transaction'>,
  now: number,
): Promise<void> {
  await transaction((write) => write.deleteFrom('invitation').where('expires_at', '<=', now).execute())
}

/** A user who replaces an unconfirmed account with the same address. */
export interface ReplacedUser {
  user: UserRecord
  /** The removed account and the teams that it was a member of; undefined when there was none. */
  replaced: { id: UserId; teams: LeftTeam[] } | undefined
}

export interface LeftTeam {
  id: TeamId
  name: string
  /** What the user was in it. */
  role: MemberRole
  /** Whether its deletion was asked for. */
  isDeleted: boolean
  /** Whether it still has an owner. */
  hasOwner: boolean
}

/**
 * Makes a user whose address the operator has confirmed, and removes an unconfirmed account with that address first, in
 * one transaction: its sessions, password, linked accounts, roles, invitations and API tokens are all removed, so that
 * none of them gives access to the new account. Throws an `EmailTakenError` when a confirmed account has the address.
 */
export const replaceUnconfirmedUser = (
  database: Database,
  { email, name }: { email: string; name: string },
): Promise<ReplacedUser> =>
  database.transaction(async (write) => {
    const old = await findUserByEmail(write, email)
    const replaced =
      old && !old.isConfirmed ? { id: old.id, teams: await removeUser(write, old.id) } : undefined
    return { user: await insertUser(write, { email, name, isEmailVerified: true }), replaced }
  })

/** The user is the last owner of these teams. */
export class LastOwnerError extends Error {
  readonly teams: readonly Pick<LeftTeam, 'id' | 'name'>[]
  constructor(teams: LastOwnerError['teams']) {
    super(`The user is the last owner of ${teams.map(({ id }) => id).join(', ')}.`)
    this.teams = teams
  }
}

/** The teams that would be left without an owner if the user was deleted, by name. */
export const listSoleOwnerships = (read: Select, user: UserId): Promise<Pick<LeftTeam, 'id' | 'name'>[]> =>
  read
    .selectFrom('team')
    .innerJoin('membership', 'membership.team_id', 'team.id')
    .where('membership.user_id', '=', user)
    .where('membership.role', '=', 'owner')
    .where('team.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership as other')
            .whereRef('other.team_id', '=', 'team.id')
            .where('other.user_id', '<>', user)
            .where('other.role', '=', 'owner')
            .select('other.user_id'),
        ),
      ),
    )
    .orderBy('team.name')
    .select(['team.public_id as id', 'team.name'])
    .execute()

/**
 * Deletes a user with everything that gives access: sessions, password, second factors, roles, invitations and API tokens.
 * What they made stays with its team. Throws a {@link LastOwnerError}, and changes nothing, when a team would lose its
 * last owner; teams whose deletion was asked for do not count.
 */
export const deleteUser = (
  database: Pick<Database, 'transaction'>,
  { id: user, email }: Pick<UserRecord, 'id' | 'email'>,
): Promise<LeftTeam[]> =>
  database.transaction(async (write) => {
    const found = await write
      .selectFrom('user')
      .where('id', '=', user)
      .select('emailVerified')
      .executeTakeFirst()
    const left = await removeUser(write, user)
    const ownerless = left.filter(
      ({ role, hasOwner, isDeleted }) => role === 'owner' && !hasOwner && !isDeleted,
    )
    if (ownerless.length > 0) throw new LastOwnerError(ownerless)
    await write.deleteFrom('mail').where('recipient', '=', email).execute()
    if (found?.emailVerified)
      await queueMail(write, {
        to: email,
        subject: 'Your account was deleted',
        paragraphs: [
          'Your Meadow account was deleted, with your sessions and API tokens. What you made stays with your teams.',
          'If you did not ask for this, tell the operator of this service.',
        ],
      })
    return left
  })

/** Removes a user with everything that gives access; returns the teams that they were a member of. */
async function removeUser(write: Write, user: UserId): Promise<LeftTeam[]> {
  const teams = await write
    .selectFrom('team')
    .innerJoin('membership', 'membership.team_id', 'team.id')
    .where('membership.user_id', '=', user)
    .select(['team.id as key', 'team.public_id as id', 'team.name', 'team.deleted_at', 'membership.role'])
    // Always in this order, so that two transactions cannot deadlock.
    .orderBy('team.id')
    .execute()
  const left: LeftTeam[] = []
  for (const { key, deleted_at, ...team } of teams) {
    await raiseVersion(write, key)
    const change = { write, team: key }
    await endMembership(change, user)
    left.push({ ...team, isDeleted: deleted_at !== null, hasOwner: await hasOwner(change) })
  }
  recordEvent(write, { action: 'user.deleted', target: await readUserTarget(write, user) })
  // Its sessions, password and linked accounts are deleted with it.
  await write.deleteFrom('user').where('id', '=', user).execute()
  return left
}
