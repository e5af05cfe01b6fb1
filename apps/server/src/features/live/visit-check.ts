import { canEdit, LIVE_CLOSE } from '@meadow/contract'
import type { SessionStore } from '../../access/sessions.store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Rooms } from './rooms.ts'
import { listRoles } from './visits.store.ts'

/** So long somebody whose session or membership ended may still have a document open. */
const CHECK_EVERY_MS = 1000

const SIGNED_OUT = 'Your session has ended. Sign in again.'
const CHANGED = 'What you may do with this document has changed. Open it again.'

export interface VisitCheckParts {
  rooms: Pick<Rooms, 'listVisits' | 'sweep'>
  database: Database
  sessions: Pick<SessionStore, 'findGoodSessions'>
  onError(error: unknown): void
}

/** Looks now and then whether those who have documents open still may, and closes what they may not. */
export function startVisitCheck({ rooms, database, sessions, onError }: VisitCheckParts): { stop(): void } {
  async function checkAll(): Promise<void> {
    const visits = rooms.listVisits()
    const ids = new Set(visits.map(({ socket }) => socket.person.sessionId))
    const [good, roles] = await Promise.all([
      sessions.findGoodSessions([...ids]),
      listRoles(
        database,
        visits.map(({ document, socket }) => ({ document, user: socket.person.userId })),
      ),
    ])
    for (const [at, { socket, isReadOnly }] of visits.entries()) {
      const role = roles[at]
      if (!good.has(socket.person.sessionId)) socket.close(LIVE_CLOSE.signedOut, SIGNED_OUT)
      else if (role === undefined || canEdit(role) === isReadOnly) socket.close(LIVE_CLOSE.changed, CHANGED)
    }
  }

  let isChecking = false
  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    rooms.sweep()
    await checkAll().catch(onError)
    isChecking = false
  }, CHECK_EVERY_MS).unref()
  return { stop: () => clearInterval(timer) }
}
