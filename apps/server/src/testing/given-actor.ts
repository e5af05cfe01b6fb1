import type { MemberRole } from '@meadow/contract'
import type { Actor } from '../access/current-roles.ts'
import { setMember } from '../access/members.ts'
import { createSessionStore } from '../access/sessions.store.ts'
import { createUserStore } from '../access/users.store.ts'
import type { Database } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { changeTeam } from '../team/team-transaction.ts'

const HOUR_MS = 3600 * 1000

export interface GivenActor {
  name: string
  /** Null: of no member. */
  role: MemberRole | null
  /** Milliseconds since 1970: when the session ends. */
  expiresAt?: number
}

/** A new user who is signed in, with a role in the team where one is given, and who writes to it. */
export async function givenActor(
  database: Database,
  team: TeamKey,
  { name, role, expiresAt = Date.now() + HOUR_MS }: GivenActor,
): Promise<Actor> {
  const { id: user } = await createUserStore(database).createUser({ email: `${name}@example.org`, name })
  if (role) await changeTeam(database, team, (change) => setMember(change, user, role))
  // No test reads a cookie here.
  const sessions = createSessionStore(database, '')
  const token = await sessions.createSession({ user, expiresAt, userAgent: 'test' })
  const { id: session } = await database.read
    .selectFrom('session')
    .where('token', '=', token)
    .select('id')
    .executeTakeFirstOrThrow()
  return { user, session, team, needs: role ?? 'viewer' }
}
