import { type Connection, type Document, Hocuspocus, OutgoingMessage } from '@hocuspocus/server'
import { canEdit, LIVE_CLOSE, type LiveEvent, type UserId } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import { hasChanges } from '@meadow/document/live'
import { removeAwarenessStates } from 'y-protocols/awareness'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { DocumentDeletedError, EditForbiddenError, SessionEndedError } from '../../content/change-log.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { validateAwareness } from './awareness.ts'
import { type DocumentSession, type DocumentSessionParts, openDocumentSession } from './document-session.ts'
import { CHANGED, GOING_AWAY, type LiveContext, type LiveSocket, SIGNED_OUT } from './live-socket.ts'
import type { SharedPresence } from './shared-presence.ts'

export interface DocumentSessionsParts extends DocumentSessionParts {
  presence: Pick<SharedPresence, 'open' | 'close'>
  findDocument(context: LiveContext, id: string): Promise<DocumentAccess | undefined>
  onConnect(client: ClientConnection): void
  /** A document was edited, at `seq` of its log, such that a solve computes something else. */
  onComputedChange(document: DocumentKey, team: TeamKey, seq: number): void
  /** An edit was not stored because its sender may no longer edit the document; `reason` is for the log. */
  onForbidden(reason: string, document: DocumentKey, user: UserId): void
  /** The last client of the document in this process has disconnected. */
  onUnload(document: DocumentKey): Promise<void>
}

/** A client that has a document open. */
export interface ClientConnection {
  document: DocumentKey
  team: TeamKey
  socket: LiveSocket
  isReadOnly: boolean
  notify(event: LiveEvent): void
}

/** The documents that are open in this process, and their clients. */
export interface DocumentSessions {
  readonly hocuspocus: Hocuspocus<LiveContext>
  /** Sends an event to all clients of this process that have the document open. */
  notify(document: DocumentKey, event: LiveEvent): void
  /** Sends an event to pages only: agents, which may be of an earlier version, get events about solves alone. */
  notifyPages(document: DocumentKey, event: LiveEvent): void
  listClients(): ClientConnection[]
  /**
   * Closes documents without clients. Hocuspocus overlooks a document whose only client disconnects while it is being
   * authorized. To be called periodically.
   */
  unloadAbandoned(): void
  /** Resolves when no document is open. To be called when all sockets are closed. */
  unloadAll(): Promise<void>
}

type LiveConnection = Connection<LiveContext>

const TRY_AGAIN = { reason: 'The document cannot be opened at the moment. Try again shortly.' }
/** The most documents that can be open over one socket, since each takes memory. */
const MAX_DOCUMENTS = 32
const TOO_MANY = 'So many documents cannot be open over one connection. Close some of them.'
const VIEWERS_LOOK = 'Viewers of a team look at its documents, and cannot change them.'

/** The steps of the Yjs protocol that carry no update, and those that answer the server's request. */
const SYNC_STEP_1 = 0
const SYNC_STEP_2 = 1

export function createDocumentSessions(parts: DocumentSessionsParts): DocumentSessions {
  const sessions = new Map<Document, DocumentSession>()
  const open = new Map<DocumentKey, Document>()
  let abandonedBefore = new Set<Document>()
  let onEmpty = () => {}

  const hocuspocus: Hocuspocus<LiveContext> = new Hocuspocus<LiveContext>({
    quiet: true,
    maxPendingDocuments: 20,
    maxUnauthenticatedQueueSize: 16 * 2 ** 20,

    async onAuthenticate({ context, documentName, connectionConfig, request, socketId }) {
      const { socket } = context
      const access = await parts.findDocument(context, documentName).catch((error) => {
        // The socket is closed rather than denied, because a client does not retry after a denial.
        parts.onError(error)
        socket.close(LIVE_CLOSE.tryAgain, TRY_AGAIN.reason)
        throw TRY_AGAIN
      })
      if (!access?.role) throw { reason: APP_ERRORS.document_not_found.sentence }
      if (socket.documents.size >= MAX_DOCUMENTS) throw { reason: TOO_MANY }
      socket.documents.add(documentName)
      connectionConfig.readOnly = !canEdit(access.role)
      const authorized = { ...context, access }
      try {
        // Hocuspocus would load the document later and would not notify the client when that fails.
        await hocuspocus.createDocument(documentName, request, socketId, connectionConfig, authorized)
      } catch {
        socket.close(LIVE_CLOSE.tryAgain, TRY_AGAIN.reason)
        throw TRY_AGAIN
      }
      return { access }
    },

    async onLoadDocument({ context, document }) {
      const { document: key, team } = context.access!
      try {
        const onComputedChange = (seq: number) => parts.onComputedChange(key, team, seq)
        const session = await openDocumentSession(parts, { document: key, team }, document, onComputedChange)
        sessions.set(document, session)
        open.set(key, document)
        parts.presence.open(key, document)
      } catch (error) {
        document.destroy()
        parts.onError(error, key)
        throw TRY_AGAIN
      }
    },

    async connected({ connection, documentName }) {
      // The document may have been unloaded since it was created.
      if (hocuspocus.documents.get(documentName) !== connection.document)
        return disconnect(connection, LIVE_CLOSE.tryAgain, TRY_AGAIN.reason)
      parts.onConnect(toClientConnection(connection))
    },

    async onDisconnect({ context, document, documentName }) {
      // Hocuspocus does not remove a client that was connected before.
      if (context.presenceClient !== undefined)
        removeAwarenessStates(document.awareness, [context.presenceClient], null)
      context.socket.documents.delete(documentName)
      context.socket.bufferedUpdates.forget(documentName)
    },

    async beforeSync({ connection, context, documentName, type, payload }) {
      if (type === SYNC_STEP_1) return
      const { socket } = context
      const buffered = type === SYNC_STEP_2 ? socket.bufferedUpdates.takeAll(documentName) : []
      if (socket.isClosing) connection.readOnly = true
      else if (connection.readOnly) {
        if (hasChanges(connection.document, payload)) reject(connection, VIEWERS_LOOK)
      } else await receive(connection, payload)
      for (const update of buffered) {
        if (socket.isClosing) return
        await receive(connection, update)
        if (!connection.readOnly) socket.send(createAcknowledgement(documentName))
      }
    },

    async afterHandleMessage({ connection, context }) {
      if (!context.isBuffered) return
      context.isBuffered = false
      connection.readOnly = context.socket.isClosing
    },

    async beforeHandleAwareness({ states, context, document }) {
      if (!context) states.clear()
      else {
        // A message may arrive while the document is being unloaded; its presence then is nobody's.
        const ownsClient: DocumentSession['ownsClient'] = (client, user) =>
          sessions.get(document)?.ownsClient(client, user) ?? false
        validateAwareness(states, context, document, ownsClient)
      }
    },

    async beforeUnloadDocument({ document }) {
      const session = sessions.get(document)
      if (!session) return
      await parts.onUnload(session.document)
      await session.compact()
    },

    async afterUnloadDocument() {
      for (const [doc, session] of sessions) {
        if (!doc.isDestroyed) continue
        sessions.delete(doc)
        if (open.get(session.document) === doc) open.delete(session.document)
        parts.presence.close(session.document, doc)
        session.close()
      }
      if (hocuspocus.documents.size === 0) onEmpty()
    },
  })

  /**
   * Stores an edit before Hocuspocus acknowledges it and sends it to the other clients. While the connection is
   * read-only, Hocuspocus does neither.
   */
  async function receive(connection: LiveConnection, update: Uint8Array): Promise<void> {
    const { context } = connection
    const { person, isAgent } = context.socket
    const { userId: user, sessionId: session } = person
    try {
      const rejection = await sessions.get(connection.document)!.receive(update, { user, session, isAgent })
      if (!rejection) return
      const isBuffered =
        rejection.code === 'behind' && context.socket.bufferedUpdates.buffer(connection.document.name, update)
      if (!isBuffered) return reject(connection, rejection.sentence)
      context.isBuffered = true
      connection.readOnly = true
    } catch (error) {
      const close = findClose(error)
      if (close) {
        const reason = `an edit was refused: ${(error as Error).message}`
        parts.onForbidden(reason, context.access!.document, user)
        return disconnect(connection, close.code, close.sentence)
      }
      parts.onError(error, context.access!.document)
      disconnect(connection, LIVE_CLOSE.tryAgain, 'The edit could not be kept. Try again shortly.')
    }
  }

  return {
    hocuspocus,
    notify: (document, event) => open.get(document)?.broadcastStateless(JSON.stringify(event)),
    notifyPages(document, event) {
      for (const connection of open.get(document)?.connections.keys() ?? [])
        if (!(connection as LiveConnection).context.socket.isAgent)
          connection.sendStateless(JSON.stringify(event))
    },
    listClients: () =>
      [...open.values()].flatMap(({ connections }) =>
        [...connections.keys()].map((connection) => toClientConnection(connection as LiveConnection)),
      ),
    unloadAbandoned() {
      const abandoned = [...hocuspocus.documents.values()].filter(({ connections }) => connections.size === 0)
      // A document is not unloaded at once, because a client may be about to connect.
      for (const document of abandoned)
        if (abandonedBefore.has(document)) void hocuspocus.unloadDocument(document)
      abandonedBefore = new Set(abandoned)
    },
    async unloadAll() {
      await Promise.allSettled(hocuspocus.loadingDocuments.values())
      for (const document of hocuspocus.documents.values()) void hocuspocus.unloadDocument(document)
      if (hocuspocus.documents.size === 0) return
      await new Promise<void>((resolve) => {
        onEmpty = resolve
      })
    },
  }
}

function toClientConnection(connection: LiveConnection): ClientConnection {
  const { context, readOnly } = connection
  const { document, team } = context.access!
  return {
    document,
    team,
    socket: context.socket,
    isReadOnly: readOnly,
    notify: (event) => connection.sendStateless(JSON.stringify(event)),
  }
}

/** Returns how to close a socket whose person may no longer edit the document; undefined for errors of the server. */
function findClose(error: unknown): { code: number; sentence: string } | undefined {
  if (error instanceof SessionEndedError) return { code: LIVE_CLOSE.signedOut, sentence: SIGNED_OUT }
  if (error instanceof EditForbiddenError) return { code: LIVE_CLOSE.changed, sentence: CHANGED }
  if (error instanceof DocumentDeletedError) return { code: LIVE_CLOSE.changed, sentence: GOING_AWAY }
  return undefined
}

const createAcknowledgement = (document: string): Uint8Array =>
  new OutgoingMessage(document).writeSyncStatus(true).toUint8Array()

const reject = (connection: LiveConnection, sentence: string): void =>
  disconnect(connection, LIVE_CLOSE.refused, sentence)

/** Closes the socket. Read-only, because messages that have already arrived must not be applied either. */
function disconnect(connection: LiveConnection, code: number, sentence: string): void {
  connection.readOnly = true
  connection.context.socket.close(code, sentence)
}
