import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import { isLimited, LIMITED_SCOPE_HEADERS } from '../../access/resource-scope.ts'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamActivity } from '../admission.ts'
import { clientAddressOf, type FindClientAddress, pathOf } from '../connection/address.ts'
import { KEEP_ALIVE_SECONDS } from '../connection/connections.ts'
import { bytesOfRequest, type RepeatedRequests } from '../connection/repeated-requests.ts'
import { type RepeatedResponse, type RequestLog, readOwnRequestId, serializeFacts } from '../request-log.ts'
import type { JsonBody, Representation } from '../responses/response-body.ts'
import { headerLines, type SecurityHeaders } from '../responses/security-headers.ts'

/** A response that is sent, and what its checks depended on. */
export interface SentResponse {
  principal: TokenPrincipal
  route: string
  tag: string
  /** The form of the body that is sent; undefined for a 304, which has no body. */
  form: Representation | undefined
}

/** A response as it is sent again to the bytes of its request. */
interface KeptResponse extends RepeatedResponse {
  commitCounter: number
  /** When the token expires, in milliseconds since 1970. */
  validUntilMs: number
  status: 200 | 304
  team: TeamId
  token: TokenId
  /** The sender's address, the `X-Forwarded-For` of the request, and the client's address that follows from both. */
  sender: string | undefined
  forwardedFor: string | undefined
  address: string
  /** Whether the token works from a client's address; undefined when it works from any. */
  allowsAddress: TokenPrincipal['allowsAddress']
  /** The `X-Request-Id` of the request, if it has one. */
  requestId: string | undefined
  /** The headers between the request id and the date. */
  headers: string
  /** The body as a string of bytes: head and body then leave in one write. */
  body: string
}

export interface ResponseCacheOptions {
  /** The maximum size of all that is cached, in bytes; 0 caches nothing. */
  maxBytes: number
  /** Whether requests are answered by their bytes too. */
  keepsResponses: boolean
}

interface CacheParts {
  readCommitCounter: Database['readCommitCounter']
  securityHeaders: SecurityHeaders
  requestLog: Pick<RequestLog, 'noteRepeated'>
  tokenUse: Pick<TokenUse, 'note' | 'count'>
  findClientAddress: FindClientAddress
  activity: Pick<TeamActivity, 'note'>
}

const LIMITED_SCOPE_LINES = Object.entries(LIMITED_SCOPE_HEADERS).map(([name, value]) => `${name}: ${value}`)

/** Longer bodies are sent as bytes: joining them to their head would cost more than it saves. */
const MAX_BODY_BYTES = 64 * 1024
/** Approximately what a kept response takes in addition to its body and its request. */
const OVERHEAD_BYTES = 1500

/**
 * The responses of the API. What is cached is valid as long as nothing has changed that it was made of, which is checked
 * in two ways.
 *
 * - By the bytes of a request: while nothing at all was committed to the database, the whole response is sent again
 *   without repeating any of its checks (the fast path).
 * - By resource scope and address, after token, team, scope and quotas were checked: while the team has the version that the
 *   body was made at, the body is sent to all requests that it answers. Every change of a team's folders, documents or tokens
 *   raises that version in the same transaction.
 *
 * The two have limits of their own, since requests of which no two have the same bytes would otherwise push out all
 * bodies.
 */
export class ResponseCache implements RepeatedRequests {
  readonly #bodies: LRUCache<string, { body: JsonBody; teamVersion: number }> | undefined
  readonly #responses: LRUCache<string, KeptResponse> | undefined
  readonly #parts: CacheParts
  readonly #securityLines: string

  constructor({ maxBytes, keepsResponses }: ResponseCacheOptions, parts: CacheParts) {
    const bytesForResponses = keepsResponses ? Math.floor(maxBytes / 2) : 0
    this.#bodies = createCache(maxBytes - bytesForResponses)
    this.#responses = createCache(bytesForResponses)
    this.#parts = parts
    this.#securityLines = headerLines(parts.securityHeaders)
  }

  /** Returns whether a body of this size is small enough to be cached. */
  takes(bytes: number): boolean {
    return this.#bodies !== undefined && 2 * bytes < this.#bodies.maxEntrySize
  }

  findBody(key: string, teamVersion: number): JsonBody | undefined {
    const entry = this.#bodies?.get(key)
    return entry?.teamVersion === teamVersion ? entry.body : undefined
  }

  /** Returns the cached body if it has this tag, even when other data of the team has changed since. */
  findTagged(key: string, tag: string): JsonBody | undefined {
    const body = this.#bodies?.get(key)?.body
    return body?.tag === tag ? body : undefined
  }

  /** Caches a body. Its JSON is counted twice, to leave room for compressed forms. */
  addBody(key: string, teamVersion: number, body: JsonBody): void {
    this.#bodies?.set(key, { body, teamVersion }, { size: 2 * body.size + key.length + 200 })
  }

  /** Keeps a response for requests with the same bytes. */
  keep(request: IncomingMessage, { principal, route, tag, form }: SentResponse): void {
    const { commitCounter } = principal
    if (
      !this.#responses ||
      commitCounter === undefined ||
      (form && form.bytes.length > MAX_BODY_BYTES) ||
      !isPlain(request)
    )
      return
    const key = bytesOfRequest(request)
    // The key is what grants access: it has to be the request itself, with its token.
    if (!key?.startsWith('GET ') || !key.includes(request.headers.authorization!)) return
    const headers = [
      ...(isLimited(principal.resourceScope) ? LIMITED_SCOPE_LINES : []),
      `etag: ${tag}`,
      'cache-control: private, no-cache',
      'vary: Authorization, Accept-Encoding',
      ...(form
        ? ['content-type: application/json; charset=utf-8', `content-length: ${form.bytes.length}`]
        : []),
      ...(form?.encoding ? [`content-encoding: ${form.encoding}`] : []),
    ]
    const { teamId: team, tokenId: token } = principal
    const response: KeptResponse = {
      ...{ commitCounter, route, team, token },
      validUntilMs: principal.expiresAt ?? Number.POSITIVE_INFINITY,
      status: form ? 200 : 304,
      sender: request.socket.remoteAddress,
      forwardedFor: request.headers['x-forwarded-for'] as string | undefined,
      address: clientAddressOf(request, this.#parts.findClientAddress),
      allowsAddress: principal.allowsAddress,
      requestId: readOwnRequestId(request),
      headers: this.#securityLines + headers.join('\r\n'),
      body: form?.text ?? '',
      facts: serializeFacts({ method: 'GET', route, path: pathOf(request.url!), team, token }),
    }
    this.#responses.set(key, response, { size: response.body.length + key.length + OVERHEAD_BYTES })
  }

  respond(request: string, socket: Socket): boolean | Promise<boolean> {
    const response = this.#responses?.get(request)
    if (!response) return false
    const counter = this.#parts.readCommitCounter()
    if (!(counter instanceof Promise)) return this.#send(response, counter, socket)
    return counter.then((counter) => this.#send(response, counter, socket))
  }

  /** Sends the response if it is still valid; returns whether it was sent. */
  #send(response: KeptResponse, commitCounter: number | undefined, socket: Socket): boolean {
    if (response.commitCounter !== commitCounter || !socket.writable) return false
    const nowMs = Date.now()
    if (response.validUntilMs <= nowMs) return false
    const address = this.#findAddress(response, socket.remoteAddress)
    if (address !== response.address && response.allowsAddress?.(address) === false) return false
    const startedAt = performance.now()
    const { status, headers, body, requestId = randomUUID() } = response
    const statusLine = status === 200 ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 304 Not Modified'
    socket.write(
      `${statusLine}\r\nx-request-id: ${requestId}\r\n${headers}\r\nDate: ${formatDate(nowMs)}\r\n${CLOSING_HEADERS}\r\n\r\n${body}`,
      'latin1',
    )
    const durationMs = performance.now() - startedAt
    const { requestLog, tokenUse, activity } = this.#parts
    tokenUse.note(response.token, address)
    tokenUse.count(response.token, response.route)
    activity.note(response.team)
    requestLog.noteRepeated(requestId, response, durationMs, address)
    return true
  }

  /** Returns the address of the client that repeats the request, on this connection or another one. */
  #findAddress({ sender, forwardedFor, address }: KeptResponse, by: string | undefined): string {
    return by === sender ? address : this.#parts.findClientAddress(by, forwardedFor)
  }
}

/** Creates a cache with sizes in bytes, of which one entry takes a quarter at most; undefined for a cache of 0 bytes. */
const createCache = <Value extends object>(maxSize: number): LRUCache<string, Value> | undefined =>
  maxSize > 0 ? new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 4) }) : undefined

/** What Node writes at the end of the head of a response. */
const CLOSING_HEADERS = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}`

let dateSecond = 0
let date = ''

/** Formats the value of a `Date` header. */
function formatDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(nowMs).toUTCString()
  }
  return date
}

/** Whether a request is a GET with a host and without a body, whose connection stays open. */
const isPlain = ({ method, headers, httpVersion }: IncomingMessage) =>
  method === 'GET' &&
  headers.host !== undefined &&
  headers.upgrade === undefined &&
  headers.expect === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  (headers.connection === undefined
    ? httpVersion === '1.1'
    : headers.connection.toLowerCase() === 'keep-alive')
