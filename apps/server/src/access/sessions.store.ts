import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { recordEvent } from '../audit/record-event.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { hasEnded, isWithin, timeOf } from '../platform/database/database-clock.ts'
import { lengthOf } from '../platform/database/time-columns.ts'
import { isStorable } from '../platform/public-ids.ts'
import { hasSecondFactor } from './required-factors.ts'
import { readSessionCookie } from './session-cookie.ts'

/** A signed-in user, and their session. */
export interface Person {
  userId: UserId
  name: string
  email: string
  sessionId: string
  /** When the session expires, in milliseconds since 1970. */
  expiresAt: number
  /** Whether they proved who they are within the last ten minutes: by signing in, or again in this session. */
  isFresh: boolean
  /** Whether the person has a second factor. Without one, they see nothing of a team that requires it. */
  hasSecondFactor: boolean
}

export interface NewSession {
  user: UserId
  /** When the session expires, in milliseconds since 1970. */
  expiresAt: number
  /** The user agent, which identifies the session in a list. */
  userAgent: string
  /** How the user signed in; undefined for a session that the operator makes. */
  by?: Exclude<SignInMethod, 'operator'>
  /** The address that the sign-in came from, if it is known. */
  address?: string
}

/** A session as its person sees it, with times in milliseconds since 1970. */
export interface OwnSession {
  id: string
  userAgent: string
  address: string | null
  createdAt: number
  /** When the session was last used, to the day. */
  usedAt: number
  expiresAt: number
}

/** How long a session is valid without being used. */
export const SESSION_IDLE_MS = 7 * 24 * 3600 * 1000

/** How long a session is valid at most, however often it is used. */
const SESSION_LONGEST_MS = 30 * 24 * 3600 * 1000

/** How long after proving who they are a person may do what needs a fresh sign-in. */
const FRESH_MS = lengthOf('session.provedAt')

/** How long after the last time a session is extended, so that not every request extends it. */
const EXTEND_AFTER_MS = 24 * 3600 * 1000

/** The sessions. */
export interface SessionStore {
  /** Creates a session and returns its token, which is only for a signed cookie. */
  createSession(session: NewSession): Promise<string>
  /** Ends all sessions of a user, except for the named one; resolves with the number of ended sessions. */
  endSessions(user: UserId, options?: { except: string }): Promise<number>
  /**
   * Ends the session of a request with this `Cookie` header. It is recorded if `isOpen`, which means that `findPerson`
   * finds it.
   */
  signOut(cookieHeader: string | undefined, isOpen: boolean): Promise<void>
  /** Ends a session of a user; resolves to false when they have no session with this id. */
  endSession(user: UserId, id: string): Promise<boolean>
  /** Lists the valid sessions of a user, the newest first. */
  listSessions(user: UserId): Promise<OwnSession[]>
  /**
   * Finds the signed-in user of a request with this `Cookie` header. It is called for every request, so that a revoked
   * session ends at once.
   */
  findPerson(cookieHeader: string | undefined): Promise<Person | undefined>
  /** Finds the user of a session that a second factor has to open. Until then `findPerson` does not find them. */
  findAwaiting(cookieHeader: string | undefined): Promise<Person | undefined>
  /** Opens a session: its person has given a second factor. */
  recordFactor(sessionId: string): Promise<void>
  /**
   * Extends the session of a request that uses it, when a day has passed since the last time, up to its absolute end.
   * Returns its token and new expiry; undefined when nothing changed.
   */
  extendSession(cookieHeader: string | undefined): Promise<{ token: string; expiresAt: number } | undefined>
  /** Records that the person of a session has just proved who they are. */
  recordProof(sessionId: string): Promise<void>
  /** Finds the ids among these whose sessions are still valid. */
  findValidSessions(ids: readonly string[]): Promise<Set<string>>
}

/**
 * Whether a session is over at `now` (milliseconds since 1970): its end has passed, or it began in the future, by a
 * clock that was ahead.
 */
export function hasSessionEnded(
  { createdAt, expiresAt }: Record<'createdAt' | 'expiresAt', string | Date | number>,
  now: number,
): boolean {
  const [begin, end] = [createdAt, expiresAt].map((time) => new Date(time).getTime()) as [number, number]
  return hasEnded(end, end - begin, now)
}

/** Creates the token that the cookie of a session carries. */
export const createSessionToken = (): string => randomBytes(24).toString('base64url')

export function createSessionStore(
  database: Database,
  secret: string,
  now: () => number = () => timeOf(database.read),
): SessionStore {
  const { read } = database
  const readSession = database.prepare((read, { token }: { token: string }) =>
    read
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .where('session.token', '=', token)
      .select([
        'user.id as userId',
        'user.name',
        'user.email',
        'session.id as sessionId',
        'session.expiresAt',
        'session.createdAt',
        'session.provedAt',
        'session.factorAt',
      ])
      .select(hasSecondFactor('user.id').as('hasSecondFactor')),
  )

  /** Finds the person of a valid session, however it was made, and whether a second factor has to open it. */
  async function findSession(cookieHeader: string | undefined) {
    const token = readSessionCookie(cookieHeader, secret)
    const row = token === undefined ? undefined : await readSession.first({ token })
    if (!row) return undefined
    const { createdAt, provedAt, factorAt, ...rest } = row
    const expiresAt = new Date(row.expiresAt).getTime()
    const beganAt = new Date(createdAt).getTime()
    if (hasSessionEnded({ createdAt, expiresAt: row.expiresAt }, now())) return undefined
    // A flag is a number on SQLite and a boolean on PostgreSQL.
    const hasSecondFactor = Boolean(row.hasSecondFactor)
    const person: Person = {
      ...rest,
      hasSecondFactor,
      expiresAt,
      isFresh: [beganAt, provedAt ?? 0].some((at) => isWithin(at, FRESH_MS, now())),
    }
    return { person, isAwaiting: hasSecondFactor && factorAt === null }
  }

  const update = (id: string, changes: Partial<Record<'provedAt' | 'factorAt', number>>) =>
    database.transaction(async (write) => {
      await write.updateTable('session').set(changes).where('id', '=', id).execute()
    })

  return {
    async createSession({ user, expiresAt, userAgent, address, by }) {
      const token = createSessionToken()
      const id = randomBytes(24).toString('base64url')
      const at = new Date(now()).toISOString()
      await database.transaction(async (write) => {
        await write
          .insertInto('session')
          .values({
            id,
            token,
            userId: user,
            expiresAt: new Date(expiresAt).toISOString(),
            createdAt: at,
            updatedAt: at,
            // A socket for both families has IPv4 addresses in this form.
            ipAddress: address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null,
            userAgent,
            provedAt: null,
            // The operator vouches for the person.
            factorAt: by === undefined ? now() : null,
          })
          .execute()
        await recordSignIn(write, { id, userId: user }, by ?? 'operator')
      })
      return token
    },
    endSessions: (user, options) =>
      database.transaction(async (write) => {
        const { numDeletedRows } = await write
          .deleteFrom('session')
          .where('userId', '=', user)
          .$if(options !== undefined, (query) => query.where('id', '!=', options!.except))
          .executeTakeFirst()
        const count = Number(numDeletedRows)
        if (count > 0) await recordEnded(write, user, count)
        return count
      }),
    async signOut(cookieHeader, isOpen) {
      const token = readSessionCookie(cookieHeader, secret)
      if (token === undefined) return
      await database.transaction(async (write) => {
        await write.deleteFrom('session').where('token', '=', token).execute()
        if (isOpen) recordEvent(write, { action: 'sign_out' })
      })
    },
    endSession: async (user, id) =>
      isStorable(id) &&
      database.transaction(async (write) => {
        const { numDeletedRows } = await write
          .deleteFrom('session')
          .where('userId', '=', user)
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await recordEnded(write, user, 1)
        return true
      }),
    async listSessions(user) {
      const rows = await read
        .selectFrom('session')
        .where('userId', '=', user)
        .select(['id', 'userAgent', 'ipAddress', 'createdAt', 'updatedAt', 'expiresAt'])
        .orderBy('createdAt', 'desc')
        .execute()
      return rows
        .map(({ id, userAgent, ipAddress, ...times }) => ({
          id,
          userAgent: userAgent ?? '',
          address: ipAddress || null,
          createdAt: new Date(times.createdAt).getTime(),
          usedAt: new Date(times.updatedAt).getTime(),
          expiresAt: new Date(times.expiresAt).getTime(),
        }))
        .filter((session) => !hasSessionEnded(session, now()))
    },
    async findPerson(cookieHeader) {
      const found = await findSession(cookieHeader)
      return found && !found.isAwaiting ? found.person : undefined
    },
    async findAwaiting(cookieHeader) {
      const found = await findSession(cookieHeader)
      return found?.isAwaiting ? found.person : undefined
    },
    recordFactor: (sessionId) => update(sessionId, { factorAt: now(), provedAt: now() }),
    async extendSession(cookieHeader) {
      const token = readSessionCookie(cookieHeader, secret)
      const row = token === undefined ? undefined : await readSession.first({ token })
      if (!row) return undefined
      const old = new Date(row.expiresAt).getTime()
      const idleEnd = now() + SESSION_IDLE_MS
      const expiresAt = Math.min(idleEnd, new Date(row.createdAt).getTime() + SESSION_LONGEST_MS)
      if (old > idleEnd - EXTEND_AFTER_MS || expiresAt <= old || hasSessionEnded(row, now())) return undefined
      await database.transaction((write) =>
        write
          .updateTable('session')
          .set({ expiresAt: new Date(expiresAt).toISOString(), updatedAt: new Date(now()).toISOString() })
          .where('id', '=', row.sessionId)
          .execute(),
      )
      return { token: token!, expiresAt }
    },
    recordProof: (sessionId) => update(sessionId, { provedAt: now() }),
    async findValidSessions(ids) {
      if (ids.length === 0) return new Set()
      const rows = await read
        .selectFrom('session')
        .where('id', 'in', ids)
        .select(['id', 'createdAt', 'expiresAt'])
        .execute()
      const valid = rows.filter((session) => !hasSessionEnded(session, now()))
      return new Set(valid.map(({ id }) => id))
    },
  }
}

/** Deletes the sessions that had ended by `now` (milliseconds since 1970). */
export async function deleteEndedSessions(
  { transaction }: Pick<Database, 'transaction'>,
  now: number,
): Promise<void> {
  await transaction((write) =>
    write.deleteFrom('session').where('expiresAt', '<=', new Date(now).toISOString()).execute(),
  )
}

/** How a user signed in; `operator` means that the operator made the session. */
export type SignInMethod = 'password' | 'oidc' | 'invitation' | 'operator'

/** Records that a session began, in the transaction that makes it. */
async function recordSignIn(
  write: Write,
  { id, userId }: { id: string; userId: UserId },
  by: SignInMethod,
): Promise<void> {
  const name = await findEmail(write, userId)
  recordEvent(write, {
    action: 'sign_in.succeeded',
    ...(by !== 'operator' && { actor: { kind: 'user', id: userId, name } }),
    session: id,
    target: { kind: 'user', id: userId, name },
    details: { by },
  })
}

async function recordEnded(write: Write, user: UserId, count: number): Promise<void> {
  const target = { kind: 'user', id: user, name: await findEmail(write, user) }
  recordEvent(write, { action: 'session.ended', target, details: { count } })
}

async function findEmail(write: Write, user: UserId): Promise<string | undefined> {
  return (await write.selectFrom('user').where('id', '=', user).select('email').executeTakeFirst())?.email
}
