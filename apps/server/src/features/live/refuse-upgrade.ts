import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { COMMON_HEADERS, type ErrorResponse } from '../../http/http-error.ts'
import { readRequestId } from '../../http/request-log.ts'

/** Answers a request that wanted to become a socket as any other refused request is answered. */
export function refuseUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  { error, body }: ErrorResponse,
): void {
  const headers = {
    ...COMMON_HEADERS,
    ...error.headers,
    'x-request-id': readRequestId(request),
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
}
