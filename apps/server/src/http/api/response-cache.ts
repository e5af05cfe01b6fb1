import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { RequestLog } from '../../platform/log.ts'
import type { TeamActivity } from '../admission.ts'
import { pathOf } from '../connection/address.ts'
import type { Metrics } from '../metrics.ts'
import { readRequestId } from '../request-log.ts'
import type { JsonBody, Representation } from '../responses/response-body.ts'
import { describeRequest } from '../trace-requests.ts'

/**
 * Response bodies by team and address. An entry is valid while the team has the version that the body was made at:
 * every change of a team's folders, documents or tokens raises that version in the same transaction.
 */
export class ResponseCache {
  readonly #bodies: LRUCache<string, { body: JsonBody; teamVersion: number }> | undefined

  /** `maxBytes` of uncompressed JSON, counted twice to leave room for compressed forms; 0 caches nothing. */
  constructor(maxBytes: number) {
    if (maxBytes > 0) this.#bodies = new LRUCache(limitBytes(maxBytes))
  }

  find(key: string, teamVersion: number): JsonBody | undefined {
    const entry = this.#bodies?.get(key)
    return entry?.teamVersion === teamVersion ? entry.body : undefined
  }

  /** The cached body, if it has this tag, whatever else of the team has changed since. */
  findTagged(key: string, tag: string): JsonBody | undefined {
    const body = this.#bodies?.get(key)?.body
    return body?.tag === tag ? body : undefined
  }

  add(key: string, teamVersion: number, body: JsonBody): void {
    this.#bodies?.set(key, { body, teamVersion }, { size: 2 * body.size + key.length + 200 })
  }
}

/** A single response may not push out everything else. */
const limitBytes = (maxSize: number) => ({ maxSize, maxEntrySize: Math.ceil(maxSize / 4) })

/** A response that was sent, and what its checks depended on. */
export interface SentResponse {
  principal: TokenPrincipal
  /** The database's commit counter before the token was looked up and the response was made. */
  commitCounter: number
  route: string
  form: Representation
}

/** A response as it is sent again, without Fastify. */
interface RawResponse {
  commitCounter: number
  /** When the token expires. */
  validUntilMs: number
  route: string
  team: TeamId
  token: TokenId
  tag: string
  headers: string[]
  /** The body as a string of bytes: head and body then leave in one write. Undefined: only the 304 is cached. */
  latin1: string | undefined
  /** The part of the log line that is the same each time. */
  log: object
}

interface FastPathParts {
  metrics: Metrics
  log: RequestLog
  tokenUse: Pick<TokenUse, 'note'>
  activity: Pick<TeamActivity, 'note'>
}

const CACHE_HEADERS = ['cache-control', 'private, no-cache', 'vary', 'Authorization, Accept-Encoding']
/** Longer bodies are sent as bytes: joining them to their head would cost more than it saves. */
const MAX_LATIN1_BYTES = 64 * 1024
/** What an entry takes beside its body and key, roughly. */
const OVERHEAD_BYTES = 1500

/**
 * Whole responses by token, host name and address. As long as nothing at all was committed to the database, a response
 * is sent again without repeating any of its checks, and without entering Fastify. All other requests (other methods,
 * unusual conditions, a change of the data) take the ordinary path, which gives the same response.
 */
export class FastPathCache {
  readonly #responses: LRUCache<string, RawResponse> | undefined
  readonly #readCommitCounter: () => number | undefined
  readonly #parts: FastPathParts

  /** `maxBytes` 0 caches nothing. `readCommitCounter` returns undefined while commits cannot be distinguished. */
  constructor(maxBytes: number, readCommitCounter: () => number | undefined, parts: FastPathParts) {
    if (maxBytes > 0) this.#responses = new LRUCache(limitBytes(maxBytes))
    this.#readCommitCounter = readCommitCounter
    this.#parts = parts
  }

  /** To be called before anything is looked up for a request. */
  readCommitCounter(): number | undefined {
    return this.#responses && this.#readCommitCounter()
  }

  add(request: IncomingMessage, { principal, commitCounter, route, form }: SentResponse): void {
    if (!this.#responses || !isPlain(request)) return
    const key = keyOf(request)
    const response: RawResponse = {
      commitCounter,
      validUntilMs: principal.expiresAt ?? Number.POSITIVE_INFINITY,
      route,
      team: principal.teamId,
      token: principal.tokenId,
      tag: form.tag,
      headers: [
        ...['etag', form.tag, ...CACHE_HEADERS, 'content-type', 'application/json; charset=utf-8'],
        ...['content-length', String(form.bytes.length)],
        ...(form.encoding ? ['content-encoding', form.encoding] : []),
      ],
      latin1: toLatin1(form.bytes),
      log: {
        method: 'GET',
        route,
        path: pathOf(request.url!),
        team: principal.teamId,
        token: principal.tokenId,
      },
    }
    this.#responses.set(key, response, { size: (response.latin1?.length ?? 0) + key.length + OVERHEAD_BYTES })
  }

  /** Sends the cached response, if there is a valid one: true when the request was answered. */
  respond(request: IncomingMessage, response: ServerResponse): boolean {
    const cached = isPlain(request) ? this.#responses?.get(keyOf(request)) : undefined
    if (!cached || cached.commitCounter !== this.#readCommitCounter() || cached.validUntilMs <= Date.now())
      return false
    const condition = request.headers['if-none-match']
    if (condition === undefined ? cached.latin1 === undefined : condition !== cached.tag) return false
    const startedAt = performance.now()
    const id = readRequestId(request)
    const status = condition === undefined ? 200 : 304
    if (status === 200) {
      response.writeHead(200, ['x-request-id', id, ...cached.headers])
      response.end(cached.latin1, 'latin1')
    } else {
      response.writeHead(304, ['x-request-id', id, 'etag', cached.tag, ...CACHE_HEADERS])
      response.end()
    }
    const durationMs = performance.now() - startedAt
    const { metrics, log, tokenUse, activity } = this.#parts
    tokenUse.note(cached.token)
    activity.note(cached.team)
    metrics.observeRequest(cached.route, status, durationMs)
    describeRequest(request, { route: cached.route, requestId: id })
    log.line(id, status, durationMs, cached.log)
    return true
  }
}

function toLatin1(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_LATIN1_BYTES) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** A GET with a host and without a body. */
const isPlain = ({ method, headers }: IncomingMessage) =>
  method === 'GET' &&
  headers.host !== undefined &&
  headers.upgrade === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Everything that a response depends on, except the condition. Entries were added for requests with a valid address and
 * host, so that a request with an invalid one finds none.
 */
const keyOf = ({ url, headers }: IncomingMessage) =>
  `${headers.authorization}\n${headers.host}\n${headers['accept-encoding']}\n${url}`
