import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { RefusalCode } from '@meadow/contract'
import type { ConnectionError } from 'fastify'
import { refuse } from './refusal.ts'
import { toAnswer } from './to-answer.ts'

/** Answers what Node could not read as a request, in the shape of every other refusal. */
export function refuseUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code: RefusalCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timed_out'
        : 'request_not_readable'
  const { refusal, body } = toAnswer(refuse(code))
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
