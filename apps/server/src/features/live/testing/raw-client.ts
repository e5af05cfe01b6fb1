import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { LIVE_PATH } from '@meadow/contract'
import * as encoding from 'lib0/encoding'
import { atEnd } from '../../../testing/at-end.ts'

/** A socket that can send any message, unlike the real client. */
export interface RawClient {
  send(bytes: Uint8Array | string): void
  /** Sends the authentication for a document. */
  authenticate(documentId: string): void
  /** The same, and waits for the response. */
  open(documentId: string): Promise<Uint8Array>
  /** Closes one document but not the socket; waits until the server has closed it too. */
  close(documentId: string): Promise<void>
  disconnect(): void
  /** Resolves with the close code and reason. */
  closed: Promise<{ code: number; reason: string }>
  /** All messages so far. */
  received: Uint8Array[]
  /** Resolves with the next message, or the next one with this beginning; rejects when the socket is closed before. */
  next(beginning?: Uint8Array): Promise<Uint8Array>
}

/** `headers`: an origin, for example, as a page has. */
export async function connectRaw(
  t: TestContext,
  address: string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<RawClient> {
  const socket = new WebSocket(address.replace('http', 'ws') + LIVE_PATH, {
    headers: { cookie, ...headers },
  } as never)
  socket.binaryType = 'arraybuffer'
  atEnd(t, () => socket.close())
  const received: Uint8Array[] = []
  const arrivals = new EventTarget()
  socket.addEventListener('message', ({ data }) => {
    received.push(new Uint8Array(data as ArrayBuffer))
    arrivals.dispatchEvent(new Event('message'))
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
  })
  await Promise.race([once(socket, 'open'), closed])
  const next = async (beginning: Uint8Array = new Uint8Array()) => {
    const ended = closed.then(({ code }) => Promise.reject(new Error(`It was closed with ${code}.`)))
    for (let at = received.length; ; at++) {
      while (received.length === at) await Promise.race([once(arrivals, 'message'), ended])
      if (Buffer.from(received[at]!).subarray(0, beginning.length).equals(beginning)) return received[at]!
    }
  }
  const send = (bytes: Uint8Array | string) => socket.send(bytes as never)
  return {
    send,
    closed,
    received,
    next,
    authenticate: (documentId) => send(authFrame(documentId)),
    async open(documentId) {
      const response = next(frame(documentId, number(AUTH)))
      send(authFrame(documentId))
      return response
    },
    async close(documentId) {
      const closing = frame(documentId, number(CLOSE))
      const closed = next(closing)
      send(closing)
      await closed
    },
    disconnect: () => socket.close(),
  }
}

/** Message types of Hocuspocus. */
const AUTH = 2
const CLOSE = 7

const frame = (documentId: string, ...parts: ((encoder: encoding.Encoder) => void)[]): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, documentId)
  for (const part of parts) part(encoder)
  return encoding.toUint8Array(encoder)
}

const number = (value: number) => (encoder: encoding.Encoder) => encoding.writeVarUint(encoder, value)
const bytes = (value: Uint8Array) => (encoder: encoding.Encoder) =>
  encoding.writeVarUint8Array(encoder, value)
const text = (value: string) => (encoder: encoding.Encoder) => encoding.writeVarString(encoder, value)

export const authFrame = (documentId: string) => frame(documentId, number(AUTH), number(0), text(''))
/** Sync step 1: requests everything that the sender does not have. */
export const requestFrame = (documentId: string, stateVector: Uint8Array) =>
  frame(documentId, number(0), number(0), bytes(stateVector))
/** Sync step 2: the reply to the server's request. */
export const responseFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(0), number(1), bytes(update))
export const updateFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(0), number(2), bytes(update))
export const awarenessFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(1), bytes(update))
export const statelessFrame = (documentId: string, payload: string) =>
  frame(documentId, number(5), text(payload))
