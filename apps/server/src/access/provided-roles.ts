import type { TeamId, UserId } from '@meadow/contract'
import { hasRole, type MemberRole } from '@meadow/contract/terms'
import { sql } from 'kysely'
import { currentContext, runIn } from '../audit/request-context.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { raiseVersion } from '../team/raise-version.ts'
import { BY_PROVIDER, endMembership, findMembership, setRole } from './members.ts'

/** The roles that rules give a user now, by team. */
export type ProvidedRoles = ReadonlyMap<TeamId, MemberRole>

/** Any number, but the same in every process: with the user's id, what PostgreSQL locks while their roles change. */
const LOCK = 612_743_003

/**
 * Brings the memberships of a user in line with the roles that rules about the OpenID provider give them, in one
 * transaction (0076): a membership that a rule gave and none gives any more ends, or becomes what was given by hand. A role
 * that was given by hand is raised, and never lowered. A team whose deletion was asked for gets no member, and one that
 * does not exist is passed over. Returns the teams where the user stays the last owner, although no rule says so.
 */
export async function setProvidedRoles(
  database: Pick<Database, 'dialect' | 'read' | 'transaction'>,
  user: UserId,
  roles: ProvidedRoles,
): Promise<TeamId[]> {
  // Most sign-ins change nothing, and then no other writer has to wait.
  const teams = await listTeams(database.read, user, roles)
  if (teams.every(({ id, membership }) => !decide(membership, roles.get(id)))) return []
  // The rules do it, and not the user: they get notices.
  const context = { ...currentContext(), actor: { kind: 'service' } as const }
  return runIn(context, () =>
    database.transaction(async (write) => {
      // Otherwise two sign-ins at once would not see what the other one gives.
      if (database.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}, hashtext(${user}))`.execute(write)
      const owned: TeamId[] = []
      for (const team of await listTeams(write, user, roles))
        if (await change(write, user, team, roles.get(team.id))) owned.push(team.id)
      return owned
    }),
  )
}

/** Whether the user stays an owner against the rules. */
async function change(
  write: Write,
  user: UserId,
  { key, membership }: TeamOfUser,
  given: MemberRole | undefined,
): Promise<boolean> {
  if (!decide(membership, given)) return false
  const deletedAt = await raiseVersion(write, key)
  // Read again with the lock of the team.
  const current = await findMembership(write, key, user)
  const decision = decide(current, given)
  if (!decision) return false
  const { role, ownRole } = decision
  const isRaised = role !== undefined && !(current && hasRole(current.role, role))
  if (deletedAt !== null && isRaised) return false
  if (current?.role === 'owner' && !(await hasOtherOwner(write, key, user))) return true
  const locked = { write, team: key }
  if (role === undefined) await endMembership(locked, user, BY_PROVIDER)
  else await setRole(locked, user, role, ownRole, BY_PROVIDER)
  return false
}

type Membership = NonNullable<Awaited<ReturnType<typeof findMembership>>>

/** What a membership has to become. Without a role it ends. */
type Decision = { role: MemberRole; ownRole: MemberRole | null } | { role: undefined; ownRole: null }

/** Decides what a membership has to become; undefined when nothing has to change. */
function decide(current: Membership | undefined, given: MemberRole | undefined): Decision | undefined {
  const own = current?.by_provider === 1 ? current.own_role : (current?.role ?? null)
  const isProvided = given !== undefined && !(own !== null && hasRole(own, given))
  const role = isProvided ? given : (own ?? undefined)
  // The role that was given by hand is then the same too: every change by hand makes the whole role one by hand.
  if (role === current?.role) return undefined
  return role === undefined ? { role, ownRole: null } : { role, ownRole: own }
}

interface TeamOfUser {
  key: TeamKey
  id: TeamId
  membership: Membership | undefined
}

/** The teams that rules name, and those where one gave the user a role, in the order in which teams are locked. */
async function listTeams(read: Select, user: UserId, roles: ProvidedRoles): Promise<TeamOfUser[]> {
  const rows = await read
    .selectFrom('team')
    .leftJoin('membership', (join) =>
      join.onRef('membership.team_id', '=', 'team.id').on('membership.user_id', '=', user),
    )
    .where(({ eb, or, selectFrom }) =>
      or([
        ...(roles.size > 0 ? [eb('team.public_id', 'in', [...roles.keys()])] : []),
        eb(
          'team.id',
          'in',
          selectFrom('membership as provided')
            .where('provided.user_id', '=', user)
            .where('provided.by_provider', '=', 1)
            .select('provided.team_id'),
        ),
      ]),
    )
    .select(['team.id as key', 'team.public_id as id', 'membership.role', 'by_provider', 'own_role'])
    .orderBy('team.id')
    .execute()
  return rows.map(({ key, id, role, by_provider, own_role }) => ({
    key,
    id,
    membership: role === null || by_provider === null ? undefined : { role, by_provider, own_role },
  }))
}

async function hasOtherOwner(write: Write, team: TeamKey, user: UserId): Promise<boolean> {
  const other = await write
    .selectFrom('membership')
    .where('team_id', '=', team)
    .where('role', '=', 'owner')
    .where('user_id', '!=', user)
    .select('user_id')
    .executeTakeFirst()
  return other !== undefined
}
