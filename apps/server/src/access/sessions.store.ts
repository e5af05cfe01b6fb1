import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import type { Database } from '../platform/database/database.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Who is signed in. */
export interface Person {
  userId: UserId
  name: string
  email: string
  sessionId: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface NewSession {
  user: UserId
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Tells sessions apart in a list. */
  userAgent: string
}

/** Sessions: they are those of better-auth (0015). */
export interface SessionStore {
  /** A new session's token, which belongs into a signed cookie and nowhere else. */
  createSession(session: NewSession): Promise<string>
  /** Ends all sessions of a user; returns how many there were. */
  endSessions(user: UserId): Promise<number>
  /**
   * Who sent a request with this `Cookie` header, or undefined: nobody who is signed in now. For sockets and pages
   * alike. Looked up each time, so that a session which was ended is over at once.
   */
  findPerson(cookieHeader: string | undefined): Promise<Person | undefined>
  /** Those of the sessions, by id, that are still good. */
  findValidSessions(ids: readonly string[]): Promise<Set<string>>
}

export function createSessionStore(
  database: Database,
  secret: string,
  now: () => number = Date.now,
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
      ]),
  )
  return {
    async createSession({ user, expiresAt, userAgent }) {
      const token = randomBytes(24).toString('base64url')
      const at = new Date(now()).toISOString()
      await database.transaction((write) =>
        write
          .insertInto('session')
          .values({
            id: randomBytes(24).toString('base64url'),
            token,
            userId: user,
            expiresAt: new Date(expiresAt).toISOString(),
            createdAt: at,
            updatedAt: at,
            ipAddress: null,
            userAgent,
          })
          .execute(),
      )
      return token
    },
    async endSessions(user) {
      const { numDeletedRows } = await database.transaction((write) =>
        write.deleteFrom('session').where('userId', '=', user).executeTakeFirst(),
      )
      return Number(numDeletedRows)
    },
    async findPerson(cookieHeader) {
      const token = readSessionCookie(cookieHeader, secret)
      const row = token === undefined ? undefined : await readSession.first({ token })
      if (!row) return undefined
      const expiresAt = new Date(row.expiresAt).getTime()
      return expiresAt > now() ? { ...row, expiresAt } : undefined
    },
    async findValidSessions(ids) {
      if (ids.length === 0) return new Set()
      const rows = await read
        .selectFrom('session')
        .where('id', 'in', ids)
        .select(['id', 'expiresAt'])
        .execute()
      const good = rows.filter(({ expiresAt }) => new Date(expiresAt).getTime() > now())
      return new Set(good.map(({ id }) => id))
    },
  }
}
