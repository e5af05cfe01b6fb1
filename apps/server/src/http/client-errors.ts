import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiErrorCode } from '@meadow/contract'
import type { ConnectionError } from 'fastify'
import type { Log } from '../platform/log.ts'
import { carriesToken } from './authenticate.ts'
import type { Connections } from './connections.ts'
import { COMMON_HEADERS, READ_ONLY, toErrorResponse } from './error-response.ts'
import { HttpError } from './http-error.ts'
import type { Metrics } from './metrics.ts'
import { requestId } from './request-id.ts'

/** So long a client may go on sending what nobody reads any more. */
const LINGER_MS = 2000

const CAUSES: Record<string, ApiErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_INVALID_URL: 'address_not_readable',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timed_out',
}

export interface ConnectionRefusals {
  /** Answers what Node could not read as a request, after the requests before it. */
  refuseUnreadable(error: ConnectionError, socket: Socket): void
  /** Answers CONNECT, which asks for a tunnel: it has no address here, and no response object in Node. */
  refuseTunnel(request: IncomingMessage, socket: Socket): void
}

/** Refusals, in the shape of every other one, for what never becomes a request. */
export function createConnectionRefusals(
  connections: Connections,
  { log, metrics }: { log: Log; metrics: Metrics },
): ConnectionRefusals {
  const refused = new WeakSet<Socket>()

  function send(socket: Socket, refusal: HttpError, id: string): void {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    endGently(socket, toText(refusal, id))
    metrics.observeRequest('none', refusal.status, 0)
    metrics.observeRefusal(refusal.code)
    log.info({ requestId: id, status: refusal.status, refusal: refusal.code }, 'request')
  }

  return {
    refuseUnreadable(error, socket) {
      // The parser goes on to complain of every piece that still arrives.
      if (refused.has(socket)) return
      refused.add(socket)
      // The rest of a connection whose last request has its answer, or gets it.
      if (connections.isOver(socket)) return
      const refusal = findRefusal(error)
      if (!refusal) socket.destroy()
      else if (connections.isAnswered(socket)) endGently(socket, '')
      else connections.afterAnswers(socket, () => send(socket, refusal, randomUUID()))
    },
    refuseTunnel(request, socket) {
      const refusal = carriesToken(request.headers.authorization)
        ? new HttpError('token_outside_the_api')
        : new HttpError('method_not_allowed', READ_ONLY)
      socket.on('error', () => socket.destroy())
      connections.afterAnswers(socket, () => send(socket, refusal, requestId(request)))
    },
  }
}

/** Undefined when it is the connection that failed, so that nobody is left to answer. */
function findRefusal({ code, rawPacket, bytesParsed }: ConnectionError): HttpError | undefined {
  if (code === 'HPE_INVALID_METHOD' && isRequestLine(rawPacket, bytesParsed)) {
    return new HttpError('method_not_allowed', READ_ONLY)
  }
  if (code?.startsWith('HPE_') || (code && code in CAUSES))
    return new HttpError(CAUSES[code] ?? 'request_not_readable')
  return undefined
}

/** Whether the line at which the parser stopped is a request with a method that Node does not know. */
function isRequestLine(packet: ConnectionError['rawPacket'], at: number): boolean {
  // Fastify's type tells how it looks as JSON.
  const text = (packet as unknown as Buffer).toString('latin1')
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(text.slice(start))
}

function toText(refusal: HttpError, id: string): string {
  const { body } = toErrorResponse(refusal)
  const headers = {
    ...COMMON_HEADERS,
    ...refusal.headers,
    'x-request-id': id,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`
}

/** Says no more, but takes what still comes: to close with bytes unread would reset the connection, answer and all. */
function endGently(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(linger))
}
