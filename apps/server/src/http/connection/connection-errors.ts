import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiErrorCode } from '@meadow/contract'
import type { ConnectionError } from 'fastify'
import { carriesToken } from '../../access/tokens.ts'
import type { Log } from '../../platform/log.ts'
import { plainAddress } from '../../platform/networks.ts'
import { COMMON_HEADERS, HttpError, READ_ONLY, toErrorResponse } from '../http-error.ts'
import { type RequestLog, readRequestId } from '../request-log.ts'
import { headerLines, type SecurityHeaders } from '../responses/security-headers.ts'
import type { Connections } from './connections.ts'

const CODES: Record<string, ApiErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_INVALID_URL: 'address_not_readable',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timed_out',
}

export interface ConnectionErrorHandler {
  /** Responds to data that Node could not parse as a request, after the requests before it. */
  handleUnreadable(error: ConnectionError, socket: Socket): void
  /** Responds to CONNECT, which requests a tunnel, and for which Node makes no response object. */
  handleConnect(request: IncomingMessage, socket: Socket): void
}

/**
 * Creates a handler that sends error responses, with the same body as all others, for data that never becomes a
 * request.
 */
export function createConnectionErrorHandler(
  connections: Connections,
  {
    log,
    requestLog,
    securityHeaders,
  }: { log: Log; requestLog: Pick<RequestLog, 'count'>; securityHeaders: SecurityHeaders },
): ConnectionErrorHandler {
  const failed = new WeakSet<Socket>()

  function send(socket: Socket, error: HttpError, id: string): void {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    connections.endGently(socket, toText(error, { ...securityHeaders, 'x-request-id': id }))
    requestLog.count('none', error.status, 0, error.code)
    // The headers of the request were not read, so behind a proxy this is the address of the proxy.
    const address = plainAddress(socket.remoteAddress ?? '')
    log.info({ requestId: id, status: error.status, address, refusal: error.code }, 'request')
  }

  return {
    handleUnreadable(cause, socket) {
      // The parser reports an error for every chunk that still arrives.
      if (failed.has(socket)) return
      failed.add(socket)
      // The last request of a connection that is closing has its response, or gets it.
      if (connections.isClosing(socket)) return
      const error = toHttpError(cause)
      if (!error) socket.destroy()
      else connections.afterResponses(socket, () => send(socket, error, randomUUID()))
    },
    handleConnect(request, socket) {
      const error = carriesToken(request.headers.authorization)
        ? new HttpError('token_outside_the_api')
        : new HttpError('method_not_allowed', READ_ONLY)
      socket.on('error', () => socket.destroy())
      connections.afterResponses(socket, () => send(socket, error, readRequestId(request)))
    },
  }
}

/** Returns the error to respond with, or undefined when the connection itself failed. */
function toHttpError({ code, rawPacket, bytesParsed }: ConnectionError): HttpError | undefined {
  if (code === 'HPE_INVALID_METHOD' && isRequestLine(rawPacket, bytesParsed)) {
    return new HttpError('method_not_allowed', READ_ONLY)
  }
  if (code?.startsWith('HPE_') || (code && code in CODES))
    return new HttpError(CODES[code] ?? 'request_not_readable')
  return undefined
}

/** Whether the line at which the parser stopped is a request with a method that Node does not know. */
function isRequestLine(packet: ConnectionError['rawPacket'], at: number): boolean {
  // Fastify's type describes the JSON form of the buffer.
  const text = (packet as unknown as Buffer).toString('latin1')
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(text.slice(start))
}

function toText(error: HttpError, responseHeaders: SecurityHeaders): string {
  const { body } = toErrorResponse(error)
  const headers = {
    ...responseHeaders,
    ...COMMON_HEADERS,
    ...error.headers,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headerLines(headers)}\r\n${body}`
}
