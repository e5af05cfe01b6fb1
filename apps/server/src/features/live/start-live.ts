import type { CommentsEvent, ViewsEvent } from '@meadow/contract'
import type { FastifyInstance } from 'fastify'
import type { ResourceAccess } from '../../access/resource-access.store.ts'
import type { SessionStore } from '../../access/sessions.store.ts'
import { createChangeLog } from '../../content/change-log.ts'
import { openChangeNotifications } from '../../content/change-notifications.ts'
import { createContentStore } from '../../content/content.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { type Beside, listRevisions, subscribeToRevisions } from '../../content/revisions.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import { type ClientConnection, createDocumentSessions } from './document-sessions.ts'
import { type LiveServerParts, mountLiveServer } from './live-server.ts'
import { openPolledDocuments } from './polled-documents.ts'
import { startSessionRevalidation } from './session-revalidation.ts'
import { openSharedPresence } from './shared-presence.ts'
import { createSolveRequests, type RequestSolves } from './solve-requests.ts'
import { openSolveStatusWatch } from './solve-status.ts'

export interface LiveParts extends Pick<LiveServerParts, 'admit' | 'limits' | 'metrics' | 'ownOrigin'> {
  database: Database
  blobs: BlobStore
  contents: DocumentContents
  sessions: SessionStore
  resourceAccess: ResourceAccess
  requestSolves: RequestSolves
  log: Log
  /** The id of this process among those on the database. */
  processId: string
}

/** Live editing at `/live`, until the server closes. Wiring only. */
export function startLive(app: FastifyInstance, parts: LiveParts): void {
  const { database, blobs, contents, sessions, resourceAccess, log } = parts
  const onError = (error: unknown) => log.error({ err: error }, 'live editing failed')
  const notifications = openChangeNotifications(database, onError)
  const changes = createChangeLog(database)
  const notify: typeof documents.notify = (document, event) => documents.notify(document, event)
  const solveStatus = openSolveStatusWatch({ database, notify, onError })
  /** Tells pages of what is beside the document. */
  const watch = (type: Beside) =>
    openPolledDocuments<CommentsEvent | ViewsEvent>({
      subscribe: (onChanged) =>
        subscribeToRevisions(database, type, (document) =>
          onChanged(document === undefined ? undefined : [document]),
        ),
      async read(documents) {
        const revisions = await listRevisions(database, type, documents)
        return (document) => ({ type, revision: revisions.get(document) ?? 0 })
      },
      notify: (document, event) => documents.notifyPages(document, event),
      onError,
    })
  const beside = [watch('comments'), watch('views')]
  const solveRequests = createSolveRequests({
    ...solveStatus,
    requestSolves: parts.requestSolves,
    notify,
    onError,
  })
  const unfollows = new Map<DocumentKey, readonly (() => void)[]>()

  async function follow({ document, team, socket, isReadOnly, notify }: ClientConnection): Promise<void> {
    unfollows.set(
      document,
      [solveStatus, ...beside].map((watched) => watched.follow(document)),
    )
    try {
      notify(await solveStatus.announce(document))
      if (!socket.isAgent) for (const watched of beside) notify(await watched.announce(document))
      if (!isReadOnly) await solveRequests.opened(document, team)
    } catch (error) {
      onError(error)
    }
  }

  const presence = openSharedPresence({ database, processId: parts.processId })
  const documents = createDocumentSessions({
    presence,
    content: { database, store: createContentStore(database), blobs, history: contents.history },
    contents,
    changes,
    notifications,
    findDocument: ({ socket, host }, id) =>
      resourceAccess.findDocument({ user: socket.person.userId, host }, id),
    onConnect: (client) => void follow(client),
    onComputedChange: solveRequests.edited,
    async onUnload(document) {
      for (const unfollow of unfollows.get(document) ?? []) unfollow()
      unfollows.delete(document)
      await solveRequests.flush(document)
    },
    onForbidden(reason, document, user) {
      log.info({ document, user }, reason)
      // The person may have other sockets and documents open.
      revalidation.runNow()
    },
    onError: (error, document) => log.error({ err: error, document }, 'a document could not be edited'),
  })
  const server = mountLiveServer(app, { ...parts, hocuspocus: documents.hocuspocus, onError })
  const revalidation = startSessionRevalidation({ documents, database, sessions, onError })

  // Sockets are closed as soon as the server stops, before its last responses: editors go on at another server.
  const closed = new Promise<void>((resolve) => {
    app.stopping.addEventListener('abort', () => resolve(close()), { once: true })
  })
  app.addHook('preClose', () => closed)

  async function close(): Promise<void> {
    await revalidation.stop()
    await server.close()
    await documents.unloadAll()
    await solveRequests.stop()
    await changes.settle()
    await Promise.all([
      ...[notifications, solveStatus, ...beside].map((watched) => watched.close()),
      presence.stop(),
    ])
  }
}
