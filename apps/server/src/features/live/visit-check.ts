import { canEdit, LIVE_CLOSE } from '@meadow/contract'
import type { SessionStore } from '../../access/sessions.store.ts'
import type { Database } from '../../platform/database/database.ts'
import { CHANGED, GONE, SIGNED_OUT } from './live-socket.ts'
import type { Rooms } from './rooms.ts'
import { listRoles } from './visits.store.ts'

/** So long somebody whose session or membership ended may still receive what others edit. */
const CHECK_EVERY_MS = 1000

export interface VisitCheckParts {
  rooms: Pick<Rooms, 'listVisits' | 'sweep'>
  database: Database
  sessions: Pick<SessionStore, 'findGoodSessions'>
  onError(error: unknown): void
}

export interface VisitCheck {
  /** Looks at once: somebody is known to have lost what they could do. */
  checkNow(): void
  stop(): void
}

/** Looks now and then whether those who have documents open still may, and closes what they may not. */
export function startVisitCheck({ rooms, database, sessions, onError }: VisitCheckParts): VisitCheck {
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
      else if (role === 'gone') socket.close(LIVE_CLOSE.changed, GONE)
      else if (role === undefined || canEdit(role) === isReadOnly) socket.close(LIVE_CLOSE.changed, CHANGED)
    }
  }

  let isChecking = false
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    await checkAll().catch(onError)
    isChecking = false
  }

  const timer = setInterval(() => {
    rooms.sweep()
    void check()
  }, CHECK_EVERY_MS).unref()
  return { checkNow: () => void check(), stop: () => clearInterval(timer) }
}
