import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import { isLimited, keyOfScope, LIMITED_SCOPE_HEADERS } from '../../access/resource-scope.ts'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Limits, SMALL_RESPONSE_BYTES } from '../admission.ts'
import { type FindClientAddress, pathOf } from '../connection/address.ts'
import { KEEP_ALIVE_SECONDS } from '../connection/connections.ts'
import type { RepeatedRequests } from '../connection/repeated-requests.ts'
import { type RepeatedResponse, type RequestLog, serializeFacts } from '../request-log.ts'
import type { JsonBody, Representation } from '../responses/response-body.ts'
import { headerLines, type SecurityHeaders } from '../responses/security-headers.ts'

/** What the bytes of a request say behind the address, and where the request came from. */
export interface RequestHead {
  /** The secret of the token, and the `Host` with its host name. */
  secret: string
  host: string
  hostName: string
  /** The sender's address, the `X-Forwarded-For`, and the client's address that follows from both. */
  sender: string | undefined
  forwardedFor: string | undefined
  address: string
  /** The `X-Request-Id`, if there is one. */
  requestId: string | undefined
  acceptEncoding: string | undefined
}

/** A response that is sent, and what its checks depended on. */
export interface SentResponse {
  principal: TokenPrincipal
  /** The address, and the pattern of its route. */
  url: string
  route: string
  tag: string
  /** The form of the body that is sent; undefined for a 304, which has no body. */
  form: Representation | undefined
}

/** A response as it is sent again to the bytes of its request. */
interface KeptResponse extends RepeatedResponse {
  commitCounter: number | undefined
  /** When the token expires, in milliseconds since 1970. */
  validUntilMs: number
  status: 200 | 304
  team: TeamId
  token: TokenId
  head: RequestHead
  /** Whether the token works from a client's address; undefined when it works from any. */
  allowsAddress: TokenPrincipal['allowsAddress']
  /** The headers between the request id and the date. */
  headers: string
  /** The body; a small one as a string of bytes, so that it leaves in one write with the head. */
  body: string | Uint8Array
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
  limits: Pick<Limits, 'note' | 'trySend'>
}

const LIMITED_SCOPE_LINES = Object.entries(LIMITED_SCOPE_HEADERS).map(([name, value]) => `${name}: ${value}`)

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

  findBody(principal: TokenPrincipal, url: string): JsonBody | undefined {
    const entry = this.#bodies?.get(keyOf(principal, url))
    return entry?.teamVersion === principal.teamVersion ? entry.body : undefined
  }

  /** Returns the cached body if it has this tag, even when other data of the team has changed since. */
  findTagged(principal: TokenPrincipal, url: string, tag: string): JsonBody | undefined {
    const body = this.#bodies?.get(keyOf(principal, url))?.body
    return body?.tag === tag ? body : undefined
  }

  /** Caches a body. Its JSON is counted twice, to leave room for compressed forms. */
  addBody(principal: TokenPrincipal, url: string, body: JsonBody): void {
    const { teamVersion } = principal
    const key = keyOf(principal, url)
    this.#bodies?.set(key, { body, teamVersion }, { size: 2 * body.size + key.length + 200 })
  }

  /** Keeps a response for requests with the same bytes, and returns it in the form in which it is sent. */
  keep(bytes: string, head: RequestHead, sent: SentResponse): KeptResponse {
    const response = this.describe(head, sent)
    const { body, commitCounter } = response
    if (commitCounter !== undefined)
      this.#responses?.set(bytes, response, { size: body.length + bytes.length + OVERHEAD_BYTES })
    return response
  }

  /** Returns a response in the form in which it is sent. */
  describe(head: RequestHead, { principal, url, route, tag, form }: SentResponse): KeptResponse {
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
    const { commitCounter, teamId: team, tokenId: token, allowsAddress } = principal
    return {
      ...{ commitCounter, route, team, token, head, allowsAddress },
      validUntilMs: principal.expiresAt ?? Number.POSITIVE_INFINITY,
      status: form ? 200 : 304,
      headers: this.#securityLines + headers.join('\r\n'),
      body: form && form.bytes.length >= SMALL_RESPONSE_BYTES ? form.bytes : (form?.text ?? ''),
      facts: serializeFacts({ method: 'GET', route, path: pathOf(url), team, token }),
    }
  }

  respond(request: string, socket: Socket): boolean | Promise<boolean> {
    const response = this.#responses?.get(request)
    if (!response) return false
    const counter = this.#parts.readCommitCounter()
    if (!(counter instanceof Promise)) return this.#repeat(response, counter, socket)
    return counter.then((counter) => this.#repeat(response, counter, socket))
  }

  /** Sends the response again if it is still valid; returns whether it was sent. */
  #repeat(response: KeptResponse, commitCounter: number | undefined, socket: Socket): boolean {
    const startedAt = performance.now()
    if (response.commitCounter !== commitCounter || response.validUntilMs <= Date.now()) return false
    const address = this.addressOf(response.head, socket)
    if (response.allowsAddress?.(address) === false) return false
    return this.send(response, address, socket, startedAt)
  }

  /**
   * Sends the response to the client with this address; returns false when its connection is closed, or has to wait for
   * the memory of a large one.
   */
  send(response: KeptResponse, address: string, socket: Socket, startedAt: number): boolean {
    if (!socket.writable) return false
    const { status, headers, body } = response
    const requestId = response.head.requestId ?? randomUUID()
    const statusLine = status === 200 ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 304 Not Modified'
    const head = `${statusLine}\r\nx-request-id: ${requestId}\r\n${headers}\r\nDate: ${formatDate(Date.now())}\r\n${CLOSING_HEADERS}\r\n\r\n`
    if (typeof body === 'string') socket.write(head + body, 'latin1')
    else if (!this.#sendLarge(head, body, response, socket)) return false
    const { requestLog, tokenUse, limits } = this.#parts
    tokenUse.note(response.token, address)
    tokenUse.count(response.token, response.route)
    limits.note(response.team)
    requestLog.noteRepeated(requestId, response, performance.now() - startedAt, address)
    return true
  }

  /** Sends the cached bytes as they are, in one write with the head. */
  #sendLarge(head: string, body: Uint8Array, { team, token }: KeptResponse, socket: Socket): boolean {
    const permit = this.#parts.limits.trySend(team, token, body.length)
    if (!permit) return false
    socket.cork()
    socket.write(head, 'latin1')
    // Node calls back when the connection breaks, too.
    socket.write(body, () => permit.release())
    socket.uncork()
    return true
  }

  /** Returns the address of the client that sends a request with this head, on this connection or another one. */
  addressOf({ sender, forwardedFor, address }: RequestHead, { remoteAddress }: Socket): string {
    return remoteAddress === sender ? address : this.#parts.findClientAddress(remoteAddress, forwardedFor)
  }
}

const keyOf = ({ resourceScope }: TokenPrincipal, url: string): string =>
  `${keyOfScope(resourceScope)} ${url}`

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
