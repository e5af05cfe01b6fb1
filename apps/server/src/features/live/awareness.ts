import type { Document } from '@hocuspocus/server'
import { type CanvasPoint, MAX_PRESENCE_BYTES, type Presence, type UserId } from '@meadow/contract'
import type { Person } from '../../access/sessions.store.ts'
import type { LiveContext } from './live-socket.ts'

/** Limits how often awareness messages are passed on; of several messages in a pause only the last one counts. */
export interface AwarenessThrottle {
  push(document: string, message: Uint8Array): void
  /** Drops the waiting message of a document that was closed. */
  forget(document: string): void
  stop(): void
}

/** Every message is sent to all who have the document open, so that the pause after a large one is longer. */
const MIN_PAUSE_MS = 30
const BYTES_PER_MS = 512

export function createAwarenessThrottle(handle: (message: Uint8Array) => void): AwarenessThrottle {
  /** The pauses that are running, by document, with the last message that came meanwhile. */
  const pauses = new Map<string, { timer: NodeJS.Timeout; waiting: Uint8Array | undefined }>()

  function handleAndPause(document: string, message: Uint8Array): void {
    handle(message)
    const timer = setTimeout(endPause, MIN_PAUSE_MS + message.length / BYTES_PER_MS, document).unref()
    pauses.set(document, { timer, waiting: undefined })
  }

  function endPause(document: string): void {
    const { waiting } = pauses.get(document)!
    pauses.delete(document)
    if (waiting) handleAndPause(document, waiting)
  }

  return {
    push(document, message) {
      const pause = pauses.get(document)
      if (pause) pause.waiting = message
      else handleAndPause(document, message)
    },
    forget(document) {
      clearTimeout(pauses.get(document)?.timer)
      pauses.delete(document)
    },
    stop() {
      for (const { timer } of pauses.values()) clearTimeout(timer)
      pauses.clear()
    },
  }
}

/**
 * Replaces the awareness states that a client sent with the one state that is passed on: its presence in the known
 * form, under its user's name. No state remains when it is invalid or uses the Yjs client of another user.
 */
export function validateAwareness(
  states: Map<number, unknown>,
  context: LiveContext,
  document: Document,
  ownsClient: (client: number, user: UserId) => boolean,
): void {
  const own = findOwnState(states, context)
  states.clear()
  if (!own) return
  const { person } = context.socket
  const presence = readPresence(own.state, person)
  const isOwner =
    ownsClient(own.client, person.userId) && !isUsedByAnother(document, own.client, person.userId)
  if (presence && isOwner) states.set(own.client, presence)
}

/**
 * The state of the Yjs client that this connection showed first; it may show no other. Hocuspocus puts a client of its
 * own in front, which has no state to show and would be passed on to everyone.
 */
function findOwnState(
  states: Map<number, unknown>,
  context: LiveContext,
): { client: number; state: unknown } | undefined {
  const [, ...sent] = states
  const [client, state] = sent.find(([client]) => client === context.presenceClient) ?? sent[0] ?? []
  if (client === undefined) return undefined
  context.presenceClient ??= client
  return client === context.presenceClient ? { client, state } : undefined
}

/**
 * Whether the client belongs to another person who has the document open, in any process, and may not have edited it
 * yet.
 */
const isUsedByAnother = ({ awareness }: Document, client: number, user: UserId): boolean => {
  const shown = awareness.getStates().get(client) as Presence | undefined
  return shown !== undefined && shown.user?.id !== user
}

const MAX_SELECTED = 2000

function readPresence(input: unknown, { userId, name }: Person): Presence | undefined {
  if (!isRecord(input) || JSON.stringify(input).length > MAX_PRESENCE_BYTES) return undefined
  const { cursor, selection, drag, restored } = input
  return {
    user: { id: userId, name },
    cursor: isPoint(cursor) ? { x: cursor.x, y: cursor.y } : null,
    selection: Array.isArray(selection) ? selection.filter(isText).slice(0, MAX_SELECTED) : [],
    drag: isRecord(drag) ? readDrag(drag) : null,
    ...(isRestored(restored) && { restored: { versionAt: restored.versionAt, at: restored.at } }),
  }
}

const readDrag = (drag: Record<string, unknown>): Record<string, CanvasPoint> =>
  Object.fromEntries(
    Object.entries(drag).flatMap(([id, point]) => (isPoint(point) ? [[id, { x: point.x, y: point.y }]] : [])),
  )

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isRestored = (value: unknown): value is NonNullable<Presence['restored']> =>
  isRecord(value) && isTime(value.versionAt) && isTime(value.at)

const isTime = (value: unknown): value is string =>
  isText(value) && value.length <= 30 && !Number.isNaN(Date.parse(value))

const isPoint = (value: unknown): value is CanvasPoint =>
  isRecord(value) && Number.isFinite(value.x) && Number.isFinite(value.y)
