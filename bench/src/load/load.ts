import { connect } from 'node:net'
import { type ResponseHead, ResponseReader } from './response-reader.ts'

/** A server, and the requests for it as the bytes that go over the wire. */
export interface Target {
  host: string
  port: number
  /** Sent in turn, over and over, by all connections together. */
  requests: readonly Buffer[]
}

export interface LoadOptions {
  /** Kept-alive connections, each with one request under way at a time. */
  connections: number
  /** No request is begun after so long, */
  durationMs: number
  /** nor after so many. */
  maxRequests?: number
}

export interface Answered extends ResponseHead {
  /** The request's place among `target.requests`. */
  request: number
  latencyMs: number
}

export interface LoadResult {
  perSecond: number
  answers: Answered[]
}

/** All connections read into this one: nothing is kept of what they bring. */
const RECEIVED = Buffer.allocUnsafe(256 * 1024)

/** Keeps a server busy for a while and tells what it answered. Throws when a connection breaks. */
export async function load(target: Target, options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs, maxRequests = Number.POSITIVE_INFINITY } = options
  const answers: Answered[] = []
  let sent = 0
  let startedAt: number | undefined
  const nextRequest = () => {
    const now = performance.now()
    startedAt ??= now
    return now - startedAt < durationMs && sent < maxRequests ? sent++ % target.requests.length : undefined
  }
  await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(target, nextRequest, (answer) => {
        answers.push(answer)
      }),
    ),
  )
  return { perSecond: (answers.length / (performance.now() - startedAt!)) * 1000, answers }
}

/** Sends one request after the other over one connection until there is no next one. */
function keepBusy(
  { host, port, requests }: Target,
  nextRequest: () => number | undefined,
  onAnswer: (answer: Answered) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let request = 0
    let sentAt = 0
    const sendNext = () => {
      const next = nextRequest()
      if (next === undefined) {
        resolve()
        socket.destroy()
        return
      }
      request = next
      sentAt = performance.now()
      socket.write(requests[request]!)
    }
    const reader = new ResponseReader(({ status, bodyBytes }) => {
      onAnswer({ request, status, bodyBytes, latencyMs: performance.now() - sentAt })
      sendNext()
    })
    const read = (length: number, buffer: Uint8Array) => {
      try {
        reader.push(buffer.subarray(0, length) as Buffer)
      } catch (error) {
        socket.destroy(error as Error)
      }
      return true
    }
    const socket = connect({ host, port, noDelay: true, onread: { buffer: RECEIVED, callback: read } })
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection in the middle of a round.')))
  })
}
