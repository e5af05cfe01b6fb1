import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { LIVE_PATH } from '@meadow/contract'
import * as encoding from 'lib0/encoding'
import { atEnd } from '../../../testing/at-end.ts'

/** A socket that sends whatever a test wants, as no client of ours would. */
export interface RawClient {
  send(bytes: Uint8Array | string): void
  /** Asks to be let in to a document. */
  knock(documentId: string): void
  /** Closes one document, and keeps the socket. */
  close(documentId: string): void
  leave(): void
  /** The same, and waits until that is answered. */
  enter(documentId: string): Promise<void>
  /** With the code and the reason. */
  closed: Promise<{ code: number; reason: string }>
  /** Every message so far. */
  received: Uint8Array[]
  /** Resolves with the next message; rejects when it is closed before. */
  next(): Promise<Uint8Array>
}

export async function connectRaw(t: TestContext, address: string, cookie: string): Promise<RawClient> {
  const socket = new WebSocket(address.replace('http', 'ws') + LIVE_PATH, { headers: { cookie } } as never)
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
  const next = async () => {
    const count = received.length
    const ended = closed.then(({ code }) => Promise.reject(new Error(`It was closed with ${code}.`)))
    while (received.length === count) await Promise.race([once(arrivals, 'message'), ended])
    return received[count]!
  }
  const send = (bytes: Uint8Array | string) => socket.send(bytes as never)
  return {
    send,
    closed,
    received,
    next,
    knock: (documentId) => send(authFrame(documentId)),
    close: (documentId) => send(frame(documentId, number(7))),
    leave: () => socket.close(),
    async enter(documentId) {
      const answered = next()
      send(authFrame(documentId))
      await answered
    },
  }
}

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

export const authFrame = (documentId: string) => frame(documentId, number(2), number(0), text(''))
/** Asks for all that the sender does not have. */
export const askFrame = (documentId: string, stateVector: Uint8Array) =>
  frame(documentId, number(0), number(0), bytes(stateVector))
/** Answers the same question of the server. */
export const answerFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(0), number(1), bytes(update))
export const updateFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(0), number(2), bytes(update))
export const awarenessFrame = (documentId: string, update: Uint8Array) =>
  frame(documentId, number(1), bytes(update))
export const statelessFrame = (documentId: string, payload: string) =>
  frame(documentId, number(5), text(payload))
