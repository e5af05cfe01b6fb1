import { canEdit, LIVE_CLOSE, type MemberRole, type UserId } from '@meadow/contract'
import { isMembershipOpen } from '../../access/required-factors.ts'
import type { SessionStore } from '../../access/sessions.store.ts'
import type { Database, Dialect } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { ACCESS_CHANGED } from '../../team/access-changes.ts'
import type { DocumentSessions } from './document-sessions.ts'
import { CHANGED, GOING_AWAY, SIGNED_OUT } from './live-socket.ts'

/** Notifications of the database may get lost. */
const REVALIDATE_EVERY_MS = 1000
/**
 * The least time between two checks: on PostgreSQL, which says when somebody has lost access, and on SQLite, which says
 * no more than that anything was committed.
 */
const PAUSE_MS: Record<Dialect, number> = { sqlite: 250, postgres: 50 }

export interface SessionRevalidationParts {
  documents: Pick<DocumentSessions, 'listClients' | 'unloadAbandoned'>
  database: Database
  sessions: Pick<SessionStore, 'findValidSessions'>
  onError(error: unknown): void
}

export interface SessionRevalidation {
  /** Revalidates at once: a person is known to have lost access. */
  runNow(): void
  stop(): Promise<void>
}

/**
 * Checks that the clients of open documents may still have them open, and closes the other sockets: when somebody may have
 * lost access, through any process, and periodically.
 */
export function startSessionRevalidation(parts: SessionRevalidationParts): SessionRevalidation {
  const { documents, database, sessions, onError } = parts

  async function revalidate(): Promise<void> {
    const clients = documents.listClients()
    if (clients.length === 0) return
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

  const schedule = createPacedRun(() => revalidate().catch(onError), PAUSE_MS[database.dialect])
  const subscription = database.subscribe((message) => {
    if (message === undefined || message === ACCESS_CHANGED) schedule.run()
  })
  const timer = setInterval(() => {
    documents.unloadAbandoned()
    schedule.run()
  }, REVALIDATE_EVERY_MS).unref()
  return {
    runNow: schedule.run,
    async stop() {
      clearInterval(timer)
      schedule.stop()
      await subscription.close()
    },
  }
}

/** Runs `work` when asked to, and again if it is asked to meanwhile; `pauseMs` after its end at the earliest. */
function createPacedRun(work: () => Promise<void>, pauseMs: number): { run(): void; stop(): void } {
  let isBusy = false
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    isAskedAgain = isBusy
    if (isBusy) return
    isBusy = true
    void work().finally(() => {
      timer = setTimeout(() => {
        isBusy = false
        if (isAskedAgain) run()
      }, pauseMs).unref()
    })
  }
  return { run, stop: () => clearTimeout(timer) }
}

/** `gone`: the document is in the bin or deleted, or its team is; undefined: the user is no member of its team. */
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
      join
        .onRef('membership.team_id', '=', 'document.team_id')
        .on('membership.user_id', 'in', users)
        .on(isMembershipOpen()),
    )
    .innerJoin('team', (join) =>
      join.onRef('team.id', '=', 'document.team_id').on('team.deleted_at', 'is', null),
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
