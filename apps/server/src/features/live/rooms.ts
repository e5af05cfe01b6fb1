import { type Connection, type Document, Hocuspocus, OutgoingMessage } from '@hocuspocus/server'
import { canEdit, LIVE_CLOSE, type LiveEvent, type UserId } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import { hasChanges } from '@meadow/document/live'
import type * as Y from 'yjs'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { DocumentDeletedError, EditForbiddenError, SessionEndedError } from '../../content/change-log.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { CHANGED, GONE, type LiveSocket, SIGNED_OUT } from './live-socket.ts'
import { readPresence } from './presence.ts'
import { openRoom, type Room, type RoomParts } from './room.ts'

/** What is known of a connection to a document. */
export interface LiveContext {
  socket: LiveSocket
  /** The host name that the socket came to. */
  host: string
  /** Once it is let in. */
  place?: DocumentAccess
  /** The Yjs client that shows where this person is. */
  presenceClient?: number
  /** The message that is being handled is an edit that is kept for later. */
  isEarly?: boolean
}

export interface RoomsParts extends RoomParts {
  findDocument(context: LiveContext, id: string): Promise<DocumentAccess | undefined>
  /** Somebody has come to a document. */
  onJoin(visitor: Visitor): void
  /** A document was edited, at `seq` of its log, such that a solve gives something else. */
  onComputing(document: DocumentKey, team: TeamKey, seq: number): void
  /** An edit was not kept since its sender may not edit the document any more, or it is gone; `reason` is for the log. */
  onForbidden(reason: string, document: DocumentKey, user: UserId): void
  /** Nobody has the document open here any more. */
  onLeft(document: DocumentKey): Promise<void>
}

/** Somebody who has a document open. */
export interface Visitor {
  document: DocumentKey
  team: TeamKey
  isEditor: boolean
  tell(event: LiveEvent): void
}

export interface Visit {
  document: DocumentKey
  socket: LiveSocket
  isReadOnly: boolean
}

/** The documents that are open in this process, and who has them open. */
export interface Rooms {
  readonly hocuspocus: Hocuspocus<LiveContext>
  /** Tells everybody who has the document open here. */
  tell(document: DocumentKey, event: LiveEvent): void
  /** Everybody who has something open, for looking whether they still may. */
  listVisits(): Visit[]
  /**
   * Closes documents that nobody has open and nobody is about to open: somebody went away in the moment in which they
   * were let in, which Hocuspocus overlooks. To be called now and then.
   */
  sweep(): void
  /** Resolves when no document is open any more: to be called when every socket is closed. */
  empty(): Promise<void>
}

const SORRY = { reason: 'The document cannot be opened at the moment. Try again shortly.' }
/** Over one socket; each takes memory. */
const MAX_DOCUMENTS = 32
const TOO_MANY = 'So many documents cannot be open over one connection. Close some of them.'
const VIEWERS_LOOK = 'Viewers of a team look at its documents, and cannot change them.'

export function createRooms(parts: RoomsParts): Rooms {
  const rooms = new Map<Y.Doc, Room>()
  const open = new Map<DocumentKey, Document>()
  let leftBefore = new Set<Document>()
  let onEmpty = () => {}

  const hocuspocus: Hocuspocus<LiveContext> = new Hocuspocus<LiveContext>({
    quiet: true,
    maxPendingDocuments: 20,
    maxUnauthenticatedQueueSize: 16 * 2 ** 20,

    async onAuthenticate({ context, documentName, connectionConfig, request, socketId }) {
      const { socket } = context
      const place = await parts.findDocument(context, documentName).catch((error) => {
        // Not a denial, after which a client would not come back.
        parts.onError(error)
        socket.close(LIVE_CLOSE.tryAgain, SORRY.reason)
        throw SORRY
      })
      if (!place?.role) throw { reason: APP_ERRORS.document_not_found.sentence }
      if (socket.documents.size >= MAX_DOCUMENTS) throw { reason: TOO_MANY }
      socket.documents.add(documentName)
      connectionConfig.readOnly = !canEdit(place.role)
      const known = { ...context, place }
      try {
        // Here, and not when Hocuspocus does it: a client that is told nothing but that would wait for ever.
        await hocuspocus.createDocument(documentName, request, socketId, connectionConfig, known)
      } catch {
        socket.close(LIVE_CLOSE.tryAgain, SORRY.reason)
        throw SORRY
      }
      return { place }
    },

    async onLoadDocument({ context, document }) {
      const { document: key, team } = context.place!
      try {
        const onComputing = (seq: number) => parts.onComputing(key, team, seq)
        rooms.set(document, await openRoom(parts, { document: key, team }, document, onComputing))
        open.set(key, document)
      } catch (error) {
        document.destroy()
        parts.onError(error, key)
        throw SORRY
      }
    },

    async connected({ connection, context, documentName }) {
      // It may have been unloaded in the moment between.
      if (hocuspocus.documents.get(documentName) !== connection.document)
        return drop(connection, context, LIVE_CLOSE.tryAgain, SORRY.reason)
      const { document, team } = context.place!
      parts.onJoin({
        document,
        team,
        isEditor: !connection.readOnly,
        tell: (event) => connection.sendStateless(JSON.stringify(event)),
      })
    },

    async onDisconnect({ context, documentName }) {
      context.socket.documents.delete(documentName)
      context.socket.early.forget(documentName)
    },

    async beforeSync({ connection, context, documentName, type, payload }) {
      if (type === ASKS) return
      const early = type === ANSWERS ? context.socket.early.answered(documentName) : []
      if (context.socket.isOver) connection.readOnly = true
      else if (connection.readOnly) {
        if (hasChanges(connection.document, payload)) refuse(connection, context, VIEWERS_LOOK)
      } else await receive(connection, context, payload)
      for (const update of early) {
        if (context.socket.isOver) return
        await receive(connection, context, update)
        if (!connection.readOnly) context.socket.send(createAcknowledgement(documentName))
      }
    },

    async afterHandleMessage({ connection, context }) {
      if (!context.isEarly) return
      context.isEarly = false
      connection.readOnly = context.socket.isOver
    },

    async beforeHandleAwareness({ states, context, document }) {
      const ours = context && findPresence(states, context)
      states.clear()
      if (!ours) return
      const { person } = context.socket
      const presence = readPresence(ours.state, person)
      const mayBe =
        rooms.get(document)!.mayBe(ours.client, person.userId) &&
        !isShownByAnother(document, ours.client, person.userId)
      if (presence && mayBe) states.set(ours.client, presence)
    },

    async beforeUnloadDocument({ document }) {
      const room = rooms.get(document)
      if (!room) return
      await parts.onLeft(room.document)
      await room.fold()
    },

    async afterUnloadDocument() {
      for (const [doc, room] of rooms) {
        if (!doc.isDestroyed) continue
        rooms.delete(doc)
        if (open.get(room.document) === doc) open.delete(room.document)
        room.close()
      }
      if (hocuspocus.documents.size === 0) onEmpty()
    },
  })

  async function receive(
    connection: Connection<LiveContext>,
    context: LiveContext,
    update: Uint8Array,
  ): Promise<void> {
    const room = rooms.get(connection.document)
    const { userId: user, sessionId: session } = context.socket.person
    try {
      const refusal = await room!.receive(update, { user, session })
      if (!refusal) return
      const isEarly = refusal.code === 'behind' && context.socket.early.keep(connection.document.name, update)
      if (!isEarly) return refuse(connection, context, refusal.sentence)
      // Hocuspocus neither applies it nor takes it for safe.
      context.isEarly = true
      connection.readOnly = true
    } catch (error) {
      const end = findEnd(error)
      if (end) {
        parts.onForbidden(end.reason, context.place!.document, user)
        return drop(connection, context, end.code, end.sentence)
      }
      parts.onError(error, context.place!.document)
      drop(connection, context, LIVE_CLOSE.tryAgain, 'The edit could not be kept. Try again shortly.')
    }
  }

  return {
    hocuspocus,
    tell: (document, event) => open.get(document)?.broadcastStateless(JSON.stringify(event)),
    listVisits: () =>
      [...open].flatMap(([document, { connections }]) =>
        [...connections.keys()].map(({ context, readOnly }) => ({
          document,
          socket: (context as LiveContext).socket,
          isReadOnly: readOnly,
        })),
      ),
    sweep() {
      const left = [...hocuspocus.documents.values()].filter(({ connections }) => connections.size === 0)
      for (const document of left) if (leftBefore.has(document)) void hocuspocus.unloadDocument(document)
      leftBefore = new Set(left)
    },
    async empty() {
      await Promise.allSettled(hocuspocus.loadingDocuments.values())
      for (const document of hocuspocus.documents.values()) void hocuspocus.unloadDocument(document)
      if (hocuspocus.documents.size === 0) return
      await new Promise<void>((resolve) => {
        onEmpty = resolve
      })
    },
  }
}

/** The steps of Yjs' protocol that bring nothing, and all that the server asked for. */
const ASKS = 0
const ANSWERS = 1

/** How a connection ends over which nothing can be edited any more; undefined for a failure on our side. */
function findEnd(error: unknown): { code: number; sentence: string; reason: string } | undefined {
  const end = (code: number, sentence: string) => ({
    code,
    sentence,
    reason: `an edit was refused: ${(error as Error).message}`,
  })
  if (error instanceof SessionEndedError) return end(LIVE_CLOSE.signedOut, SIGNED_OUT)
  if (error instanceof EditForbiddenError) return end(LIVE_CLOSE.changed, CHANGED)
  if (error instanceof DocumentDeletedError) return end(LIVE_CLOSE.changed, GONE)
  return undefined
}

const createAcknowledgement = (document: string): Uint8Array =>
  new OutgoingMessage(document).writeSyncStatus(true).toUint8Array()

const refuse = (connection: Connection<LiveContext>, context: LiveContext, sentence: string): void =>
  drop(connection, context, LIVE_CLOSE.refused, sentence)

/** From here on nothing of the connection is applied, what is on its way already included: a throw would do less. */
function drop(
  connection: Connection<LiveContext>,
  { socket }: LiveContext,
  code: number,
  sentence: string,
): void {
  connection.readOnly = true
  socket.close(code, sentence)
}

/** Whether a client stands for somebody else who has the document open, who may have edited nothing yet. */
const isShownByAnother = ({ connections }: Document, client: number, user: UserId): boolean =>
  [...connections].some(
    ([{ context }, { clients }]) =>
      clients.has(client) && (context as LiveContext).socket.person.userId !== user,
  )

/**
 * What a client shows of itself: it has one number, for good. In front Hocuspocus puts a client of its own, which has
 * nothing to show and would be passed on to everybody.
 */
function findPresence(
  states: Map<number, unknown>,
  context: LiveContext,
): { client: number; state: unknown } | undefined {
  const [, ...shown] = states
  const [client, state] = shown.find(([client]) => client === context.presenceClient) ?? shown[0] ?? []
  if (client === undefined) return undefined
  context.presenceClient ??= client
  return client === context.presenceClient ? { client, state } : undefined
}
