import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { requestId } from '../../http/request-id.ts'
import { COMMON_HEADERS, type FailedAnswer } from '../../http/to-answer.ts'

/** Answers a request that wanted to become a socket as any other refused request is answered. */
export function refuseUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  { refusal, body }: FailedAnswer,
): void {
  const headers = {
    ...COMMON_HEADERS,
    ...refusal.headers,
    'x-request-id': requestId(request),
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
}
