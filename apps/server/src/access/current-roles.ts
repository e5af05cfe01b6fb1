import type { MemberRole, UserId } from '@meadow/contract'
import { hasRole } from '@meadow/contract/terms'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../team/team-transaction.ts'
import { isMembershipOpen } from './required-factors.ts'
import { hasSessionEnded } from './sessions.store.ts'

/** A user who writes to a team, in one of their sessions. */
export interface Writer {
  user: UserId
  /** The id of the session, not its token. */
  session: string
  team: TeamKey
}

/** A writer, and the role that the write needs. */
export interface Actor extends Writer {
  needs: MemberRole
}

/** The current role of a writer; `signed_out` when the session has ended, undefined when the user is not a member. */
export type CurrentRole = MemberRole | 'signed_out' | undefined

/**
 * The error when the access of a user ended, or their role became insufficient, between the check of the request and
 * the transaction that writes for it. `code` is the code of the `HttpError` to respond with.
 */
export class AccessEndedError extends Error {
  readonly code: 'not_signed_in' | 'role_missing'
  constructor(code: AccessEndedError['code']) {
    super(`The user may not write to the team any more: ${code}.`)
    this.code = code
  }
}

/**
 * Reads the sessions and roles of all writers in one query and locks them until `write` ends: a transaction that ends a
 * session or a membership commits before this reads, or after `write`. Changes of members wait for the lock of the team
 * (`raiseVersion`), which the transaction has to hold already. Ending a session takes no such lock, so on PostgreSQL
 * the sessions are locked here; on SQLite only one transaction writes. A session that is being deleted at this moment
 * counts as ended: waiting for it could deadlock with a transaction that deletes several sessions of one user.
 */
export async function lockCurrentRoles(
  { dialect }: Pick<Database, 'dialect'>,
  write: Write,
  writers: readonly Writer[],
  now: number,
): Promise<(writer: Writer) => CurrentRole> {
  if (writers.length === 0) return () => undefined
  const rows = await write
    .selectFrom('session')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.user_id', '=', 'session.userId')
        .on('membership.team_id', 'in', [...new Set(writers.map(({ team }) => team))])
        .on(isMembershipOpen()),
    )
    .leftJoin('team', (join) =>
      join.onRef('team.id', '=', 'membership.team_id').on('team.deleted_at', 'is', null),
    )
    .where('session.id', 'in', [...new Set(writers.map(({ session }) => session))])
    .select([
      'session.id',
      'session.userId',
      'session.createdAt',
      'session.expiresAt',
      'team.id as team',
      'membership.role',
    ])
    .$if(dialect === 'postgres', (query) => query.forKeyShare('session').skipLocked())
    .execute()
  const sessions = new Map<string, UserId>()
  const roles = new Map<string, MemberRole>()
  for (const { id, userId, createdAt, expiresAt, team, role } of rows) {
    if (!hasSessionEnded({ createdAt, expiresAt }, now)) sessions.set(id, userId)
    if (team !== null && role !== null) roles.set(`${userId} ${team}`, role)
  }
  return ({ user, session, team }) =>
    sessions.get(session) === user ? roles.get(`${user} ${team}`) : 'signed_out'
}

/** Throws an {@link AccessEndedError} when the actor may not write any more. Locks as {@link lockCurrentRoles} does. */
export async function checkActor(
  database: Pick<Database, 'dialect'>,
  write: Write,
  actor: Actor,
): Promise<void> {
  const role = (await lockCurrentRoles(database, write, [actor], timeOf(write)))(actor)
  if (role === 'signed_out') throw new AccessEndedError('not_signed_in')
  if (role === undefined || !hasRole(role, actor.needs)) throw new AccessEndedError('role_missing')
}

/**
 * Does what {@link changeTeam} does, for a request of a user. Throws an {@link AccessEndedError}, and changes nothing, when
 * the user's session, membership or role is no longer sufficient.
 */
export const changeTeamFor = <T>(
  database: Database,
  actor: Actor,
  work: (change: TeamTransaction) => Promise<T>,
): Promise<T> => changeTeam(database, actor.team, work, (write) => checkActor(database, write, actor))
