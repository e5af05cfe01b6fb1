import type { MemberRole, TeamId, UserId } from '@meadow/contract'
import { recordEvent } from '../audit/record-event.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'

export interface UserRecord {
  id: UserId
  name: string
  /** The e-mail address in lower case. */
  email: string
  /**
   * Whether a mailed link, the operator or an OpenID provider has confirmed that the address belongs to the user. With
   * an invitation, people type any address; such an address alone gives no role (decision 40).
   */
  isConfirmed: boolean
  /** When the user was created, in milliseconds since 1970. */
  createdAt: number
}

/** A user of a team. */
export interface MemberRecord extends UserRecord {
  role: MemberRole
  /** Whether rules about the OpenID provider gave the role. */
  isRoleFromProvider: boolean
}

export interface MembershipRecord {
  teamId: TeamId
  teamName: string
  role: MemberRole
}

/** The error when another user has the e-mail address. */
export class EmailTakenError extends Error {
  constructor(email: string) {
    super(`There is a user with the e-mail address "${email}" already.`)
  }
}

/** The users. `members.ts` changes their roles in teams. */
export interface UserStore {
  /** Creates a user with a confirmed address. Throws an {@link EmailTakenError}. */
  createUser(user: { email: string; name: string }): Promise<UserRecord>
  /** Finds a user by e-mail address, in any case. */
  findUser(email: string): Promise<UserRecord | undefined>
  /** Lists all users, ordered by e-mail address. */
  listUsers(): Promise<UserRecord[]>
  /** Lists the members of a team, ordered by e-mail address. */
  listMembers(team: TeamKey): Promise<MemberRecord[]>
  /** Lists the teams of a user, ordered by name. */
  listMemberships(user: UserId): Promise<MembershipRecord[]>
}

export function createUserStore(database: Database): UserStore {
  const { read } = database
  return {
    createUser: ({ email, name }) =>
      database.transaction((write) => insertUser(write, { email, name, isEmailVerified: true })),
    findUser: (email) => findUserByEmail(read, email),
    async listUsers() {
      return (await selectUsers(read).execute()).map(readUser)
    },
    async listMembers(team) {
      const members = selectUsers(read)
        .innerJoin('membership', 'membership.user_id', 'user.id')
        .where('membership.team_id', '=', team)
        .select(['membership.role', 'membership.by_provider'])
      return (await members.execute()).map((row) => ({
        ...readUser(row),
        role: row.role,
        isRoleFromProvider: row.by_provider === 1,
      }))
    },
    listMemberships: (user) =>
      read
        .selectFrom('membership')
        .innerJoin('team', 'team.id', 'membership.team_id')
        .where('membership.user_id', '=', user)
        .orderBy('team.name')
        .select(['team.public_id as teamId', 'team.name as teamName', 'membership.role'])
        .execute(),
  }
}

export interface NewUser {
  email: string
  name: string
  /** Whether the address is confirmed, so that it can be linked to an account elsewhere. */
  isEmailVerified: boolean
}

/** Inserts a user. Throws an {@link EmailTakenError}. */
export async function insertUser(
  write: Write,
  { email, name, isEmailVerified }: NewUser,
): Promise<UserRecord> {
  const address = foldEmail(email)
  const now = new Date().toISOString()
  const user = { id: createPublicId('usr'), name, email: address, createdAt: now, updatedAt: now }
  const { numInsertedOrUpdatedRows } = await write
    .insertInto('user')
    .values({ ...user, emailVerified: isEmailVerified ? 1 : 0 })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new EmailTakenError(address)
  const details = { isConfirmed: isEmailVerified }
  recordEvent(write, {
    action: 'user.created',
    target: { kind: 'user', id: user.id, name: address },
    details,
  })
  return readUser({ ...user, emailVerified: isEmailVerified })
}

/** Records that the address of a user is confirmed. */
export async function confirmAddressOf(write: Write, user: UserId): Promise<void> {
  const account = await write
    .selectFrom('user')
    .where('id', '=', user)
    .select(['email', 'emailVerified'])
    .executeTakeFirst()
  if (!account || account.emailVerified) return
  const updatedAt = new Date().toISOString()
  await write.updateTable('user').set({ emailVerified: 1, updatedAt }).where('id', '=', user).execute()
  const target = { kind: 'user', id: user, name: account.email }
  recordEvent(write, { action: 'address.confirmed', target })
}

/** Finds the user with this e-mail address, in any case. */
export async function findUserByEmail(read: Select, email: string): Promise<UserRecord | undefined> {
  const user = await selectUsers(read).where('email', '=', foldEmail(email)).executeTakeFirst()
  return user && readUser(user)
}

/** Converts an address to lower case, in which addresses are stored and looked up. */
const foldEmail = (email: string): string => email.toLowerCase()

const selectUsers = (read: Select) =>
  read
    .selectFrom('user')
    .select(['user.id', 'user.name', 'user.email', 'user.emailVerified', 'user.createdAt'])
    .orderBy('user.email')

/** Reads a user. A flag is a number on SQLite and a boolean on PostgreSQL. */
const readUser = ({
  id,
  name,
  email,
  emailVerified,
  createdAt,
}: Pick<UserRecord, 'id' | 'name' | 'email'> & {
  emailVerified: unknown
  createdAt: string | Date
}): UserRecord => ({
  id,
  name,
  email,
  isConfirmed: Boolean(emailVerified),
  createdAt: new Date(createdAt).getTime(),
})

export const MAX_EMAIL_LENGTH = 254

/** A local part, an @, and a host name with a dot. */
const EMAIL = /^[a-z0-9_'+-]+(\.[a-z0-9_'+-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i

/** Reads an e-mail address as it is stored, in lower case; undefined when the text is not an address. */
export function readEmailAddress(text: string): string | undefined {
  const email = text.trim()
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email.toLowerCase() : undefined
}
