import type { MemberRole, UserId } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { setMember } from '../access/members.ts'
import { hashPassword } from '../access/password-hashes.ts'
import { setPassword } from '../access/passwords.ts'
import { openSessionSecret, writeSessionCookie } from '../access/session-cookie.ts'
import { createSessionStore } from '../access/sessions.store.ts'
import { createUserStore } from '../access/users.store.ts'
import type { Log } from '../platform/log.ts'
import { changeTeam } from '../team/team-transaction.ts'
import type { TeamRecord } from '../team/teams.ts'
import type { TestScope } from './at-end.ts'
import type { TestDatabase } from './databases.ts'
import { startServer, type TestResponse } from './start-server.ts'

const DAY_MS = 24 * 3600 * 1000

export const PASSWORD = 'correct horse battery'
/** Made once: it takes a while on purpose. */
const passwordHash = hashPassword(PASSWORD)

/** A browser, signed in or not. */
export interface Browser {
  /** Sends a request to the web app's endpoints; `path` is relative to their prefix. Stores the cookies that it receives. */
  request(method: string, path: string, body?: unknown, init?: RequestInit): Promise<TestResponse>
  get(path: string, init?: RequestInit): Promise<TestResponse>
  /** What is sent as `Cookie`; empty when signed out. */
  cookie: string
}

export interface Signed extends Browser {
  userId: UserId
  email: string
}

/** A server with the web app, and what tests of it need. */
export type WebApp = Awaited<ReturnType<typeof startWebApp>>

/** A real server with people who are signed in to it. On the database of this kind; on SQLite without one. */
export async function startWebApp(
  t: TestScope,
  kind?: TestDatabase,
  env: Record<string, string> = {},
  log?: Log,
) {
  const location = await kind?.createLocation(t)
  const databaseUrl = location?.databaseUrl && { DATABASE_URL: location.databaseUrl }
  const server = await startServer(t, { ...databaseUrl, ...env }, log)
  const { database, request } = server
  const users = createUserStore(database)
  const sessionSecret = await openSessionSecret(server.dataDir, env?.MEADOW_SESSION_SECRET)
  const sessions = createSessionStore(database, sessionSecret)
  let people = 0

  function open(cookie = ''): Browser {
    const cookies = new Map<string, string>()
    if (cookie) cookies.set(...(cookie.split('=', 2) as [string, string]))
    const browser: Browser = {
      get cookie() {
        return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      },
      async request(method, path, body, init = {}) {
        const headers = new Headers(init.headers)
        if (browser.cookie && !headers.has('cookie')) headers.set('cookie', browser.cookie)
        if (body !== undefined && !headers.has('content-type'))
          headers.set('content-type', 'application/json')
        const isJson = headers.get('content-type') === 'application/json'
        const response = await request(APP_PREFIX + path, {
          method,
          ...init,
          headers,
          ...(body !== undefined && {
            body: (isJson ? JSON.stringify(body) : body) as NonNullable<RequestInit['body']>,
          }),
        })
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
          if (/max-age=0/i.test(line)) cookies.delete(name!)
          else cookies.set(name!, value!)
        }
        return response
      },
      get: (path, init) => browser.request('GET', path, undefined, init),
    }
    return browser
  }

  /** An account with `PASSWORD`. */
  async function createPerson(name: string): Promise<{ id: UserId; email: string }> {
    const email = `${name.toLowerCase()}${++people}@example.org`
    const { id } = await users.createUser({ name, email })
    const hash = await passwordHash
    await database.transaction((write) => setPassword(write, id, hash))
    return { id, email }
  }

  /** A new person without a password who is signed in, with a role in the team where one is given. */
  async function signIn(name: string, role?: MemberRole, team: TeamRecord = server.team): Promise<Signed> {
    const email = `${name.toLowerCase()}${++people}@example.org`
    const { id } = await users.createUser({ name, email })
    if (role) await changeTeam(database, team.key, (change) => setMember(change, id, role))
    const token = await sessions.createSession({
      user: id,
      expiresAt: Date.now() + DAY_MS,
      userAgent: 'test',
    })
    return Object.assign(open(writeSessionCookie(token, { secret: sessionSecret, isSecure: false })), {
      userId: id,
      email,
    })
  }

  return { ...server, databaseUrl: location?.databaseUrl, users, open, createPerson, signIn }
}
