import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const SANE = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** The caller's own `X-Request-Id` when it is short and plain enough for a log, else a new one (decision 10). */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}
