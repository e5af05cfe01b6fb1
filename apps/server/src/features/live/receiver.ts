import { type Hocuspocus, MessageType, OutgoingMessage } from '@hocuspocus/server'
import { LIVE_CLOSE, MAX_PRESENCE_BYTES } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import * as decoding from 'lib0/decoding'
import { TokenBucket } from '../../platform/concurrency/token-bucket.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { createAwarenessThrottle } from './awareness.ts'
import type { LiveSocket } from './live-socket.ts'

/** Receives the messages of a socket. */
export interface Receiver {
  receive(data: unknown): void
  close(event: { code: number; reason: string }): void
}

/** The return type of Hocuspocus for a socket, which the package does not export. */
type HocuspocusConnection = ReturnType<Hocuspocus['handleConnection']>

const NOT_READABLE = 'That message could not be read: the client is not one for this server.'
const TOO_MUCH = 'Too much was sent in a short time. Load the document again, and go on more slowly.'

/**
 * Checks each message before Hocuspocus handles it: a message that cannot be read, or that exceeds one of `limits`,
 * closes the socket. Awareness messages are throttled and sync requests are queued.
 */
export function openReceiver(
  socket: LiveSocket,
  connection: HocuspocusConnection,
  limits: readonly InputLimit[],
): Receiver {
  const awareness = createAwarenessThrottle(handle)
  const syncRequests = createSyncRequestQueue(socket, handle)

  function handle(message: Uint8Array): void {
    if (!socket.isClosing) connection.handleMessage(message)
  }

  return {
    receive(data) {
      if (socket.isClosing) return
      const frame = data instanceof Uint8Array ? findFrame(data) : undefined
      if (!frame) return socket.close(LIVE_CLOSE.refused, NOT_READABLE)
      const message = data as Uint8Array
      const { document, kind } = frame
      const cost = { bytes: message.length, readsDocument: kind === 'syncRequest' || kind === 'syncReply' }
      if (!limits.every((limit) => limit.spend(cost))) return socket.close(LIVE_CLOSE.refused, TOO_MUCH)
      // Hocuspocus keeps documents in plain objects by their names, so that `__proto__` must not reach it.
      if (!isPublicId('doc', document)) {
        if (kind === 'auth') socket.send(createDenial(document))
      } else if (kind === 'awareness') awareness.push(document, message)
      else if (kind === 'syncRequest') {
        socket.bufferedUpdates.expectResponse(document)
        syncRequests.push(document, message)
      } else {
        if (kind === 'close') for (const queue of [awareness, syncRequests]) queue.forget(document)
        handle(message)
      }
    },
    close(event) {
      awareness.stop()
      syncRequests.stop()
      connection.handleClose(event)
    },
  }
}

const createDenial = (document: string): Uint8Array =>
  new OutgoingMessage(document).writePermissionDenied(APP_ERRORS.document_not_found.sentence).toUint8Array()

/** Limits the messages and bytes that a socket or a person may send. */
export interface InputLimit {
  /** Counts a message; returns false when it exceeds the limit. */
  spend(message: { bytes: number; readsDocument: boolean }): boolean
}

/** A client that connects again after a long time sends as much at once as it may send in this many seconds. */
const BURST_SECONDS = { messages: 20, bytes: 16 }

/** A message that is answered from the whole document costs the server as much as this many small edits. */
const DOCUMENT_READ_COST = 50

export function createInputLimit(messagesPerSecond: number, megabytesPerSecond: number): InputLimit {
  const bytesPerSecond = megabytesPerSecond * 2 ** 20
  const messages = new TokenBucket({
    burst: BURST_SECONDS.messages * messagesPerSecond,
    perSecond: messagesPerSecond,
  })
  const bytes = new TokenBucket({ burst: BURST_SECONDS.bytes * bytesPerSecond, perSecond: bytesPerSecond })
  return {
    spend: (message) =>
      messages.spend(message.readsDocument ? DOCUMENT_READ_COST : 1) && bytes.spend(message.bytes),
  }
}

/** A message of the protocol of Hocuspocus around that of Yjs, as far as it is read here. */
interface Frame {
  document: string
  /** `syncRequest` requests all that the sender does not have; `syncReply` is the reply to the server's request. */
  kind: 'auth' | 'awareness' | 'queryAwareness' | 'close' | 'syncRequest' | 'syncReply' | 'update'
}

/** The name of a document is its id. */
const MAX_NAME_LENGTH = 200

const SYNC_STEP_1 = 0
const SYNC_STEP_2 = 1
const SYNC_UPDATE = 2

const AUTH_TOKEN = 0

function findFrame(bytes: Uint8Array): Frame | undefined {
  try {
    return readFrame(bytes)
  } catch {
    return undefined
  }
}

/** Throws when the message cannot be read, or when it is one that clients have no reason to send. */
function readFrame(bytes: Uint8Array): Frame {
  const decoder = decoding.createDecoder(bytes)
  const document = decoding.readVarString(decoder)
  if (document.length > MAX_NAME_LENGTH) throw new Error('name')
  const type = decoding.readVarUint(decoder)
  switch (type) {
    case MessageType.Sync:
    case MessageType.SyncReply:
      return { document, kind: readSync(decoder) }
    case MessageType.Awareness:
      checkAwareness(decoding.readVarUint8Array(decoder))
      return { document, kind: 'awareness' }
    case MessageType.Auth:
      if (decoding.readVarUint(decoder) !== AUTH_TOKEN) throw new Error('auth')
      decoding.readVarString(decoder)
      return { document, kind: 'auth' }
    case MessageType.QueryAwareness:
      return { document, kind: 'queryAwareness' }
    case MessageType.CLOSE:
      return { document, kind: 'close' }
  }
  throw new Error('type')
}

function readSync(decoder: decoding.Decoder): Frame['kind'] {
  const step = decoding.readVarUint(decoder)
  const payload = decoding.readVarUint8Array(decoder)
  if (step === SYNC_STEP_1) {
    checkStateVector(payload)
    return 'syncRequest'
  }
  if (step === SYNC_STEP_2) return 'syncReply'
  if (step === SYNC_UPDATE) return 'update'
  throw new Error('step')
}

/** A list of clients with their clocks and states, each state JSON that can be parsed and written. */
function checkAwareness(bytes: Uint8Array): void {
  if (bytes.length > 2 * MAX_PRESENCE_BYTES) throw new Error('size')
  const decoder = decoding.createDecoder(bytes)
  const count = decoding.readVarUint(decoder)
  for (let i = 0; i < count; i++) {
    decoding.readVarUint(decoder)
    decoding.readVarUint(decoder)
    JSON.stringify(JSON.parse(decoding.readVarString(decoder)))
  }
}

/** A list of clients with their clocks, exactly as long as its count says. */
function checkStateVector(bytes: Uint8Array): void {
  const decoder = decoding.createDecoder(bytes)
  const count = decoding.readVarUint(decoder)
  for (let i = 0; i < count; i++) {
    decoding.readVarUint(decoder)
    decoding.readVarUint(decoder)
  }
  if (decoding.hasContent(decoder)) throw new Error('rest')
}

/** A sync request may be answered with a whole document: each is handled after the client has read the last response. */
interface SyncRequestQueue {
  push(document: string, message: Uint8Array): void
  /** Drops the requests for a document that was closed. */
  forget(document: string): void
  stop(): void
}

/** A request is handled while less output than this waits for the client: more than most documents need. */
const MAX_WAITING_BYTES = 8 * 2 ** 20
/** The pause between two responses, so that other clients are served too. */
const PAUSE_MS = 2
/** The pause before the waiting output is measured again. */
const RETRY_MS = 50

function createSyncRequestQueue(
  socket: { readonly waitingBytes: number },
  handle: (message: Uint8Array) => void,
): SyncRequestQueue {
  let waiting: { document: string; message: Uint8Array }[] = []
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    timer = undefined
    const hasRoom = socket.waitingBytes <= MAX_WAITING_BYTES
    const first = hasRoom ? waiting.shift() : waiting[0]
    if (!first) return
    if (hasRoom) handle(first.message)
    timer = setTimeout(next, hasRoom ? PAUSE_MS : RETRY_MS).unref()
  }

  return {
    push(document, message) {
      waiting.push({ document, message })
      if (!timer) next()
    },
    forget(document) {
      waiting = waiting.filter((one) => one.document !== document)
    },
    stop() {
      clearTimeout(timer)
      waiting = []
    },
  }
}
