import { LIVE_CLOSE } from '@meadow/contract'
import type { Peer } from 'crossws'
import type { Person } from '../../access/sessions.store.ts'
import { createEarlyEdits } from './early-edits.ts'

/** Why a socket is closed over which a document cannot be edited any more, or not as before: sentences. */
export const SIGNED_OUT = 'Your session has ended. Sign in again.'
export const CHANGED = 'What you may do with this document has changed. Open it again.'
export const GONE = 'This document was deleted. It may be in the bin of its team.'

/** The part of the socket beneath that is used here. */
type RawSocket = Pick<Peer, 'bufferedAmount' | 'send' | 'close' | 'terminate' | 'websocket'>

/** What a close frame has room for, in UTF-8. */
const MAX_REASON_BYTES = 123

const OPEN = 1
const CLOSED = 3

/** The socket of somebody who is signed in, as Hocuspocus sees it. */
export class LiveSocket {
  readonly person: Person
  /** The names of those that are open over it. */
  readonly documents = new Set<string>()
  readonly early = createEarlyEdits()
  readonly #raw: RawSocket
  readonly #maxWaitingBytes: number
  #isOver = false

  /** A reader for whom more than `maxWaitingBytes` wait is not going to catch up, and is cut off. */
  constructor(raw: RawSocket, person: Person, maxWaitingBytes: number) {
    this.#raw = raw
    this.#maxWaitingBytes = maxWaitingBytes
    this.person = person
  }

  get readyState(): number {
    return this.#raw.websocket.readyState ?? CLOSED
  }

  /** True once it was closed from here: what still arrives is not looked at. */
  get isOver(): boolean {
    return this.#isOver || this.readyState !== OPEN
  }

  /** What was sent, and the other side has not taken yet. */
  get waitingBytes(): number {
    return this.#raw.bufferedAmount
  }

  send(data: unknown): void {
    if (this.waitingBytes > this.#maxWaitingBytes) this.#raw.terminate()
    else if (this.readyState === OPEN) this.#raw.send(data)
  }

  close(code: number = LIVE_CLOSE.tryAgain, reason = ''): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#raw.close(code, shorten(reason))
  }

  /** Without waiting for the other side. */
  terminate(): void {
    this.#isOver = true
    this.#raw.terminate()
  }
}

function shorten(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= MAX_REASON_BYTES) return reason
  // A character that was cut in half becomes a replacement, which has no place in a sentence.
  return bytes
    .subarray(0, MAX_REASON_BYTES - 3)
    .toString()
    .replace(/\uFFFD+$/, '')
    .concat('…')
}
