import { connect } from 'node:net'
import { type ResponseHead, ResponseReader } from './response-reader.ts'

/** A server, and the requests for it as the bytes that go over the wire. */
export interface Target {
  host: string
  port: number
  /** The requests, which all connections together send in turn. */
  requests: readonly Buffer[]
}

export interface LoadOptions {
  /** The number of keep-alive connections, each with one request at a time. */
  connections: number
  /** The time in milliseconds after which no request is started. */
  durationMs: number
  /** The number of requests after which no further one is started. */
  maxRequests?: number
}

export interface LoadResponse extends ResponseHead {
  /** The index of the request in `target.requests`. */
  request: number
  latencyMs: number
}

export interface LoadResult {
  perSecond: number
  responses: LoadResponse[]
}

/** The receive buffer of all connections: response bodies are not stored. */
const RECEIVED = Buffer.allocUnsafe(256 * 1024)

/** Sends requests over several connections for a while. Rejects when a connection breaks. */
export async function load(target: Target, options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs, maxRequests = Number.POSITIVE_INFINITY } = options
  const responses: LoadResponse[] = []
  let sent = 0
  let startedAt: number | undefined
  const nextRequest = () => {
    const now = performance.now()
    startedAt ??= now
    return now - startedAt < durationMs && sent < maxRequests ? sent++ % target.requests.length : undefined
  }
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendRequests(target, nextRequest, (response) => {
        responses.push(response)
      }),
    ),
  )
  return { perSecond: (responses.length / (performance.now() - startedAt!)) * 1000, responses }
}

/** Sends requests over one connection, one at a time, until there is no next one. */
function sendRequests(
  { host, port, requests }: Target,
  nextRequest: () => number | undefined,
  onResponse: (response: LoadResponse) => void,
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
      onResponse({ request, status, bodyBytes, latencyMs: performance.now() - sentAt })
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
    socket.on('close', () => reject(new Error('The server closed a connection during a round.')))
  })
}
