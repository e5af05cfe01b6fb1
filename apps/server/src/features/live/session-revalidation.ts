import { canEdit, LIVE_CLOSE, type MemberRole, type UserId } from '@meadow/contract'
import type { SessionStore } from '../../access/sessions.store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { DocumentSessions } from './document-sessions.ts'
import { CHANGED, GOING_AWAY, SIGNED_OUT } from './live-socket.ts'

/** The longest time for which a person whose session or membership has ended still receives edits. */
const REVALIDATE_EVERY_MS = 1000

export interface SessionRevalidationParts {
  documents: Pick<DocumentSessions, 'listClients' | 'unloadAbandoned'>
  database: Database
  sessions: Pick<SessionStore, 'findValidSessions'>
  onError(error: unknown): void
}

export interface SessionRevalidation {
  /** Revalidates at once: a person is known to have lost access. */
  runNow(): void
  stop(): void
}

/** Checks periodically that the clients of open documents may still have them open, and closes the other sockets. */
export function startSessionRevalidation(parts: SessionRevalidationParts): SessionRevalidation {
  const { documents, database, sessions, onError } = parts

  async function revalidate(): Promise<void> {
    const clients = documents.listClients()
    const ids = new Set(clients.map(({ socket }) => socket.person.sessionId))
    const [valid, roles] = await Promise.all([
      sessions.findValidSessions([...ids]),
      listRoles(
        database,
        clients.map(({ document, socket }) => ({ document, user: socket.person.userId })),
      ),
    ])
    for (const [at, { socket, isReadOnly }] of clients.entries()) {
      const role = roles[at]
      if (!valid.has(socket.person.sessionId)) socket.close(LIVE_CLOSE.signedOut, SIGNED_OUT)
      else if (role === 'gone') socket.close(LIVE_CLOSE.changed, GOING_AWAY)
      else if (role === undefined || canEdit(role) === isReadOnly) socket.close(LIVE_CLOSE.changed, CHANGED)
    }
  }

  let isRunning = false
  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    await revalidate().catch(onError)
    isRunning = false
  }

  const timer = setInterval(() => {
    documents.unloadAbandoned()
    void run()
  }, REVALIDATE_EVERY_MS).unref()
  return { runNow: () => void run(), stop: () => clearInterval(timer) }
}

/** `gone`: the document is in the bin or deleted; undefined: the user is no member of its team. */
type CurrentRole = MemberRole | 'gone' | undefined

/** The role of each user in the team of the document that they have open, in the same order. */
async function listRoles(
  { read }: Database,
  clients: readonly { document: DocumentKey; user: UserId }[],
): Promise<CurrentRole[]> {
  if (clients.length === 0) return []
  const users = [...new Set(clients.map(({ user }) => user))]
  const rows = await read
    .selectFrom('document')
    .leftJoin('membership', (join) =>
      join.onRef('membership.team_id', '=', 'document.team_id').on('membership.user_id', 'in', users),
    )
    .where('document.id', 'in', [...new Set(clients.map(({ document }) => document))])
    .where('document.bin_id', 'is', null)
    .select(['document.id as document', 'membership.user_id as user', 'membership.role'])
    .execute()
  const existing = new Set(rows.map(({ document }) => document))
  const roles = new Map(rows.map(({ document, user, role }) => [`${document} ${user}`, role ?? undefined]))
  return clients.map(({ document, user }) =>
    existing.has(document) ? roles.get(`${document} ${user}`) : 'gone',
  )
}
