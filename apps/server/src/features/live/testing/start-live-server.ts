import type { TestContext } from 'node:test'
import { type LiveDocument, type LiveEvents, openLive } from '@meadow/client/live'
import type { DocumentId, GraphContent, MemberRole } from '@meadow/contract'
import { setMember } from '../../../access/members.ts'
import { writeSessionCookie } from '../../../access/session-cookie.ts'
import { createSessionStore } from '../../../access/sessions.store.ts'
import { createUserStore } from '../../../access/users.store.ts'
import { readConfig } from '../../../config.ts'
import { createLog, type Log } from '../../../platform/log.ts'
import { startService } from '../../../service.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import type { TeamRecord } from '../../../team/teams.ts'
import { atEnd } from '../../../testing/at-end.ts'
import type { TestDatabase } from '../../../testing/databases.ts'
import { findFreePort } from '../../../testing/find-free-port.ts'
import { startServer } from '../../../testing/start-server.ts'
import { DEADLINE_MS } from '../../../testing/until.ts'

const SECRET = 'the-secret-of-the-live-tests-0123456789'
const HOUR_MS = 3600 * 1000

export interface LiveServerOptions {
  kind?: TestDatabase
  env?: Record<string, string>
  log?: Log
}

/** Starts a real server, with people in its team and live clients. */
export async function startLiveServer(t: TestContext, { kind, env = {}, log }: LiveServerOptions = {}) {
  const databaseUrl = kind && (await kind.createLocation(t)).databaseUrl
  const where = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
  // Tests solve by themselves where needed: worker processes take time to start and end.
  const settings = {
    MEADOW_SESSION_SECRET: SECRET,
    MEADOW_SOLVE_WORKERS: '0',
    MEADOW_STOP_NOTICE_SECONDS: '0',
    ...where,
    ...env,
  }
  // A fixed port, so that the server can be restarted at the same address.
  const port = { MEADOW_PORT: String(await findFreePort()) }
  const server = await startServer(t, { ...settings, ...port }, log)
  const { database, team, dataDir } = server
  const users = createUserStore(database)
  const sessions = createSessionStore(database, SECRET)

  async function person(name: string, role: MemberRole | undefined = 'member', of: TeamRecord = team) {
    const { id } = await users.createUser({ email: `${name}@example.org`, name })
    if (role) await changeTeam(database, of.key, (change) => setMember(change, id, role))
    const token = await sessions.createSession({
      user: id,
      expiresAt: Date.now() + HOUR_MS,
      userAgent: 'test',
    })
    return { id, name, cookie: writeSessionCookie(token, { secret: SECRET, isSecure: false }) }
  }

  async function open(documentId: DocumentId, cookie: string, address = server.address) {
    const live = await openLive({ address, documentId, cookie, timeoutMs: DEADLINE_MS })
    atEnd(t, () => live.close())
    return live
  }

  /** Starts another server on the same data. */
  async function startAnother(more: Record<string, string> = {}) {
    const config = readConfig({
      MEADOW_DATA_DIR: dataDir,
      MEADOW_PORT: '0',
      ...settings,
      ...more,
    })
    const service = await startService(config, log ?? createLog('silent'))
    atEnd(t, () => service.stop())
    return service
  }

  /** Stops the server, and starts another one at the same address. */
  async function restart() {
    await server.service.stop()
    return startAnother(port)
  }

  /** Reads a document through the API of any of the servers. */
  async function readAt(address: string, documentId: DocumentId, headers: Record<string, string> = {}) {
    const response = await fetch(`${address}/api/v1/documents/${documentId}`, {
      headers: { authorization: `Bearer ${server.secret}`, ...headers },
    })
    const text = await response.text()
    const { document } = (text ? JSON.parse(text) : {}) as { document: GraphContent }
    return { status: response.status, etag: response.headers.get('etag')!, text, document }
  }

  return { ...server, users, sessions, person, open, startAnother, restart, readAt, settings }
}

/** Resolves with the next event for which `isIt` is true; rejects when there is none in time. */
export function nextEvent<Name extends keyof LiveEvents>(
  live: LiveDocument,
  name: Name,
  isIt: (event: LiveEvents[Name]) => boolean = () => true,
): Promise<LiveEvents[Name]> {
  const { promise, resolve, reject } = Promise.withResolvers<LiveEvents[Name]>()
  const late = setTimeout(
    () => reject(new Error(`Waited ${DEADLINE_MS / 1000} s in vain for ${name}.`)),
    DEADLINE_MS,
  )
  const stop = live.on(name, (event) => {
    if (isIt(event)) resolve(event)
  })
  return promise.finally(() => {
    clearTimeout(late)
    stop()
  })
}

/** Resolves when `find` finds something, now or after a change; rejects when it does not in time. */
export async function untilRead<T>(live: LiveDocument, find: (live: LiveDocument) => T | undefined | false) {
  const now = find(live)
  if (now !== undefined && now !== false) return now
  let found: T | undefined | false
  await nextEvent(live, 'change', () => {
    found = find(live)
    return found !== undefined && found !== false
  })
  return found as T
}
