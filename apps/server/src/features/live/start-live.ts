import type { FastifyInstance } from 'fastify'
import type { ResourceAccess } from '../../access/resource-access.store.ts'
import type { SessionStore } from '../../access/sessions.store.ts'
import { createChangeLog } from '../../content/change-log.ts'
import { openChangeNotifications } from '../../content/change-notifications.ts'
import { createContentStore } from '../../content/content.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import { type LiveServerParts,mountLiveServer } from './live-server.ts'
import { createRooms,type Visitor } from './rooms.ts'
import { type AskForSolves,createSolveAsking } from './solve-asking.ts'
import { openSolveWatch,toEvent } from './solve-watch.ts'
import { startVisitCheck } from './visit-check.ts'

export interface LiveParts extends Pick<LiveServerParts, 'admit' | 'limits' | 'metrics' | 'ownOrigin'> {
  database: Database
  blobs: BlobStore
  contents: DocumentContents
  sessions: SessionStore
  places: ResourceAccess
  ask: AskForSolves
  log: Log
}

/** Live editing at `/live`, until the server closes. */
export function startLive(app: FastifyInstance, parts: LiveParts): void {
  const { database, blobs, contents, sessions, places, log } = parts
  const content = { store: createContentStore(database), blobs }
  const onError = (error: unknown) => log.error({ err: error }, 'live editing failed')
  const heads = openChangeNotifications(database, onError)
  const changes = createChangeLog(database)
  const tell: typeof rooms.tell = (document, event) => rooms.tell(document, event)
  const solves = openSolveWatch({ database, tell, onError })
  const asking = createSolveAsking({ ...solves, ask: parts.ask, tell, onError })
  const unfollows = new Map<DocumentKey, () => void>()

  async function join({ document, team, isEditor, tell }: Visitor): Promise<void> {
    unfollows.set(document, solves.follow(document))
    try {
      tell(toEvent(await solves.find(document)))
      if (isEditor) await asking.opened(document, team)
    } catch (error) {
      onError(error)
    }
  }

  const rooms = createRooms({
    content,
    contents,
    changes,
    heads,
    findDocument: ({ socket, host }, id) => places.findDocument({ user: socket.person.userId, host }, id),
    onJoin: (visitor) => void join(visitor),
    onComputing: asking.edited,
    async onLeft(document) {
      unfollows.get(document)?.()
      unfollows.delete(document)
      await asking.finish(document)
    },
    onForbidden(reason, document, user) {
      log.info({ document, user }, reason)
      // They may have more open, over other sockets.
      visits.checkNow()
    },
    onError: (error, document) => log.error({ err: error, document }, 'a document could not be edited'),
  })
  const server = mountLiveServer(app, { ...parts, hocuspocus: rooms.hocuspocus, onError })
  const visits = startVisitCheck({ rooms, database, sessions, onError })

  // At once, and not when all answers have left: whoever edits goes on at another server.
  const closed = new Promise<void>((resolve) => {
    app.stopping.addEventListener('abort', () => resolve(close()), { once: true })
  })
  app.addHook('preClose', () => closed)

  async function close(): Promise<void> {
    visits.stop()
    await server.close()
    await rooms.empty()
    await asking.stop()
    await changes.settle()
    await Promise.all([heads.close(), solves.close()])
  }
}
