import type { TeamId, UserId } from '@meadow/contract'
import { findUserByEmail, insertUser, type UserRecord } from '../access/users.store.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { raiseVersion } from '../team-writes/raise-version.ts'
import { createMemberChanges } from './member-changes.ts'

/** A user in the place of an account with the same address that nobody had confirmed. */
export interface ReplacedUser {
  user: UserRecord
  /** The account that is gone, with the teams that it was a member of; undefined when there was none. */
  replaced: { id: UserId; teams: LeftTeam[] } | undefined
}

export interface LeftTeam {
  id: TeamId
  name: string
  /** Whether it has an owner still. */
  hasOwner: boolean
}

/**
 * Makes a user whom the operator vouches for, and removes an unconfirmed account with that address before, in one
 * transaction: its sessions, password, linked accounts, roles, invitations and API tokens all end, so that nothing that
 * whoever made it left behind gives access to the new account. Throws an `EmailTakenError` when the account that is there
 * is confirmed.
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

/** Removes a user with everything that lets them in; returns the teams that they were a member of. */
async function removeUser(write: Write, user: UserId): Promise<LeftTeam[]> {
  const teams = await write
    .selectFrom('team')
    .innerJoin('membership', 'membership.team_id', 'team.id')
    .where('membership.user_id', '=', user)
    .select(['team.id as key', 'team.public_id as id', 'team.name'])
    // Always in this order, so that two transactions do not wait for each other.
    .orderBy('team.id')
    .execute()
  const left: LeftTeam[] = []
  for (const { key, ...team } of teams) {
    await raiseVersion(write, key)
    const members = createMemberChanges(write, key)
    await members.removeMember(user)
    left.push({ ...team, hasOwner: await members.hasOwner() })
  }
  // With it go its sessions, its password and its linked accounts.
  await write.deleteFrom('user').where('id', '=', user).execute()
  return left
}
