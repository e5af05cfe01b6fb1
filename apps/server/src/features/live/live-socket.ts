import { LIVE_CLOSE } from '@meadow/contract'
import type { Peer } from 'crossws'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import type { Person } from '../../access/sessions.store.ts'

/** Close reasons, as sentences for the person whose socket is closed. */
export const SIGNED_OUT = 'Your session has ended. Sign in again.'
export const CHANGED = 'What you may do with this document has changed. Open it again.'
export const GOING_AWAY = 'This document was deleted. It may be in the bin of its team.'

/** The part of the underlying socket that is used here. */
type RawSocket = Pick<Peer, 'bufferedAmount' | 'send' | 'close' | 'terminate' | 'websocket'>

/** The limit of a close frame, in bytes of UTF-8. */
const MAX_REASON_BYTES = 123

const OPEN = 1
const CLOSED = 3

/** The socket of a signed-in person, as Hocuspocus sees it. */
export class LiveSocket {
  readonly person: Person
  /** Whether it was opened by a program, and not by a page of the web app. */
  readonly isAgent: boolean
  /** The names of the documents that are open over this socket. */
  readonly documents = new Set<string>()
  readonly bufferedUpdates = createBufferedUpdates()
  readonly #raw: RawSocket
  readonly #maxWaitingBytes: number
  #isClosing = false

  /** A client for which more than `maxWaitingBytes` of output wait will not catch up, so its socket is terminated. */
  constructor(raw: RawSocket, person: Person, isAgent: boolean, maxWaitingBytes: number) {
    this.#raw = raw
    this.#maxWaitingBytes = maxWaitingBytes
    this.person = person
    this.isAgent = isAgent
  }

  get readyState(): number {
    return this.#raw.websocket.readyState ?? CLOSED
  }

  /** True as soon as the server has closed the socket: messages that still arrive are ignored. */
  get isClosing(): boolean {
    return this.#isClosing || this.readyState !== OPEN
  }

  /** Bytes that were sent and that the client has not read yet. */
  get waitingBytes(): number {
    return this.#raw.bufferedAmount
  }

  send(data: unknown): void {
    if (this.waitingBytes > this.#maxWaitingBytes) this.#raw.terminate()
    else if (this.readyState === OPEN) this.#raw.send(data)
  }

  close(code: number = LIVE_CLOSE.tryAgain, reason = ''): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#raw.close(code, truncate(reason))
  }

  /** Closes the connection without a closing handshake. */
  terminate(): void {
    this.#isClosing = true
    this.#raw.terminate()
  }
}

/** What Hocuspocus keeps for each connection of a socket to a document. */
export interface LiveContext {
  socket: LiveSocket
  /** The host name that the socket was opened under. */
  host: string
  /** Set once the connection is authorized. */
  access?: DocumentAccess
  /** The Yjs client under which this connection shows its presence. */
  presenceClient?: number
  /** The message that is being handled is an update that was buffered. */
  isBuffered?: boolean
}

function truncate(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= MAX_REASON_BYTES) return reason
  return (
    bytes
      .subarray(0, MAX_REASON_BYTES - 3)
      .toString()
      // A character that was cut in half is decoded as replacement characters.
      .replace(/\uFFFD+$/, '')
      .concat('…')
  )
}

/**
 * Updates that build on others which the server does not have yet. A client that was offline may send its latest
 * updates before its reply to the server's sync step 1, and that reply contains what they build on. Documents are
 * named by their ids.
 */
export interface BufferedUpdates {
  /** The client starts to sync, so the server sends its sync step 1 in return and will receive a reply. */
  expectResponse(document: string): void
  /** Buffers an update until the reply is there; false when no reply is expected or the buffer is full. */
  buffer(document: string, update: Uint8Array): boolean
  /** The reply has arrived. Returns the updates that were buffered for it, in order. */
  takeAll(document: string): Uint8Array[]
  /** Drops the updates of a document that was closed. */
  forget(document: string): void
}

/** How much is buffered for all documents of a socket: many hours of offline editing. */
const MAX_BUFFERED_BYTES = 2 ** 20
/** More documents than can be open over a socket, because a client may name any. */
const MAX_EXPECTED = 64

function createBufferedUpdates(): BufferedUpdates {
  const buffered = new Map<string, Uint8Array[]>()
  let bufferedBytes = 0

  function takeAll(document: string): Uint8Array[] {
    const updates = buffered.get(document) ?? []
    buffered.delete(document)
    for (const { length } of updates) bufferedBytes -= length
    return updates
  }

  return {
    expectResponse(document) {
      if (!buffered.has(document) && buffered.size < MAX_EXPECTED) buffered.set(document, [])
    },
    buffer(document, update) {
      const updates = buffered.get(document)
      if (!updates || bufferedBytes + update.length > MAX_BUFFERED_BYTES) return false
      bufferedBytes += update.length
      // A copy: the update is a view of its message, which may be far larger.
      updates.push(update.slice())
      return true
    },
    takeAll,
    forget: takeAll,
  }
}
