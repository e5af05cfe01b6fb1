import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createRequestLog, type Log, serializeFacts } from '../platform/log.ts'
import { pathOf } from './connection/address.ts'
import type { Metrics } from './metrics.ts'
import { describeRequest } from './trace-requests.ts'

const ACCEPTED_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** Returns the caller's own `X-Request-Id` if it is short and plain enough for a log, else a new one (decision 10). */
export const readRequestId = (request: IncomingMessage): string => readOwnRequestId(request) ?? randomUUID()

export function readOwnRequestId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : undefined
}

/** nginx's status for a client that disconnected before it had a response. */
export const CLIENT_CLOSED_REQUEST = 499

/** A request that was answered. */
export interface AnsweredRequest {
  request: IncomingMessage
  id: string
  /** The pattern of the request's route. */
  route: string
  status: number
  durationMs: number
  /** The address of the client, or an empty string. */
  address: string
  /** Whether the path grants access by itself, so that it is not logged. */
  isSecret?: boolean | undefined
  /** The team and the API token, or the person, that the request was answered for. */
  team?: string | undefined
  token?: string | undefined
  user?: string | undefined
  errorCode?: string | undefined
}

/** Logs and counts a request that was answered. */
export type NoteRequest = (answered: AnsweredRequest) => void

export function createRequestNotes(log: Log, metrics: Metrics): NoteRequest {
  const { line } = createRequestLog(log)
  return ({ request, id, route, status, durationMs, address, isSecret, team, token, user, errorCode }) => {
    metrics.observeRequest(route, status, durationMs)
    if (errorCode !== undefined) metrics.observeError(errorCode)
    const trace = describeRequest(request, { route, requestId: id, errorCode })
    // The path of a failed request may hold anything, such as a pasted token.
    const path = status < 400 && !isSecret ? pathOf(request.url!) : undefined
    const { method } = request
    line(
      id,
      status,
      durationMs,
      address,
      serializeFacts({ method, route, path, team, token, user, refusal: errorCode, trace }),
    )
  }
}
