import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { addressNotAllowedSentence, type Deprecation, missingScopeSentence } from '@meadow/contract'
import { isLimited, LIMITED_SCOPE_HEADERS } from '../../access/resource-scope.ts'
import type { TokenPrincipal, TokenPrincipalStore } from '../../access/token-principal.store.ts'
import type { TokenUse } from '../../access/token-use.ts'
import { readBearer } from '../../access/tokens.ts'
import type { RateWindows } from '../../platform/cluster/rate-windows.ts'
import type { MaybePromise } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Limits } from '../admission.ts'
import { Call, type CallParts, ClientDisconnected, sendNotModified, writeHead } from '../call.ts'
import { type FindClientAddress, hasValidHost, hostNameOf } from '../connection/address.ts'
import { publicAddress } from '../connection/public-address.ts'
import type { RepeatedRequests } from '../connection/repeated-requests.ts'
import { COMMON_HEADERS, HttpError, logFault, READ_ONLY, sendError, toErrorResponse } from '../http-error.ts'
import {
  BlobJson,
  encodedTag,
  GrowingBody,
  JsonBody,
  matchesTag,
  negotiateEncoding,
  type Representation,
  RewrittenBody,
  StoredBody,
  TaggedJson,
} from '../responses/response-body.ts'
import type { SecurityHeaders } from '../responses/security-headers.ts'
import { type BlobSource, sendGrowing, sendRewritten, sendStored } from '../responses/send-blob.ts'
import { readBlobJson, sendBlobJson } from '../responses/send-blob-json.ts'
import type { ApiHandler } from '../server.ts'
import { PlainRequests } from './plain-requests.ts'
import type { ResponseCache, SentResponse } from './response-cache.ts'
import { type ApiRequest, createRouter, type FindRoute, isCachedFor, NO_BODY, type Route } from './route.ts'

export interface ApiParts extends BlobSource {
  routes: readonly Route[]
  principals: TokenPrincipalStore
  tokenUse: Pick<TokenUse, 'note' | 'count'>
  responseCache: ResponseCache
  limits: Pick<Limits, 'acquire'>
  findClientAddress: FindClientAddress
  /** How many requests of one token are answered in each window; undefined for no limit. */
  rateLimit: { perWindow: number; windows: Pick<RateWindows, 'take'> } | undefined
  /** Whether responses have `Server-Timing`. */
  sendsTiming: boolean
  /** The configured public address; when undefined, links use the address that the request came to. */
  baseUrl: string | undefined
  securityHeaders: SecurityHeaders
}

/** Handles every request under the prefix, and responds to those that repeat without parsing them. */
export interface Api {
  handle: ApiHandler
  repeated: RepeatedRequests
}

/** What a request is answered with. */
interface AnswerParts extends ApiParts {
  /** Undefined with a rate limit or timing: each request has to be counted or timed. */
  plainRequests: PlainRequests | undefined
}

/**
 * Creates the API, which works without Fastify, whose hooks would take most of the time of a small read. The order of the
 * checks is decision 1: token (401), team and address (403), route and method (404, 405), scope (403); then the request
 * waits for its quota (429, 503); the handler goes on with parameters (400), existence (404) and state.
 */
export function createApi(parts: ApiParts): Api {
  const { responseCache } = parts
  const findRoute = createRouter(parts.routes)
  const isShort = !parts.rateLimit && !parts.sendsTiming
  const plainRequests = isShort ? new PlainRequests({ ...parts, findRoute }) : undefined
  const answerParts = { ...parts, plainRequests }
  return {
    handle(request, response, callParts) {
      const call = new ApiCall(request, response, callParts, parts)
      const { origin, 'access-control-request-method': asked } = request.headers
      if (request.method === 'OPTIONS' && origin !== undefined && asked !== undefined) {
        void answerPreflight(call, origin, findRoute, answerParts)
        return
      }
      answer(call, findRoute, answerParts).catch((error) => sendFailure(call, error, parts.log))
    },
    repeated: {
      respond(request, socket) {
        const orElse = (hasResponded: boolean) =>
          hasResponded || (plainRequests?.respond(request, socket) ?? false)
        const responding = responseCache.respond(request, socket)
        return responding instanceof Promise ? responding.then(orElse) : orElse(responding)
      },
    },
  }
}

/** A request of the API while it is handled: what its handler receives, and what its response needs. */
class ApiCall extends Call implements ApiRequest {
  override responseHeaders: OutgoingHttpHeaders
  /** The team and scopes of the token, once it was checked. */
  principal!: TokenPrincipal
  /** The parameters in the path and the query, once the route was found. */
  params: Record<string, string> = {}
  queryString = ''
  /** When the request had its turn; 0 before. */
  admittedAt = 0
  readonly #baseUrl: string | undefined

  constructor(request: IncomingMessage, response: ServerResponse, callParts: CallParts, parts: ApiParts) {
    super(request, response, callParts)
    this.responseHeaders = { 'x-request-id': this.id, ...parts.securityHeaders }
    this.#baseUrl = parts.baseUrl
    if (parts.sendsTiming) {
      const startedAt = performance.now()
      this.describeTiming = () => writeTiming(startedAt, this.admittedAt)
    }
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get isHead(): boolean {
    return this.request.method === 'HEAD'
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.queryString)
  }

  get publicAddress(): string {
    return publicAddress(this.#baseUrl, this.request, this.principal.atHostOfTeam)
  }
}

/** The value of `Server-Timing`, in milliseconds (W3C Server Timing). */
function writeTiming(startedAt: number, admittedAt: number): string {
  const now = performance.now()
  const write = (name: string, from: number, to: number) => `${name};dur=${(to - from).toFixed(2)}`
  return admittedAt === 0
    ? write('queue', startedAt, now)
    : `${write('queue', startedAt, admittedAt)}, ${write('app', admittedAt, now)}`
}

/** Checks the request, and responds from the response cache or from the route's handler. */
async function answer(call: ApiCall, findRoute: FindRoute, parts: AnswerParts): Promise<void> {
  const { request, clientAddress } = call
  if (!hasValidHost(request)) throw new HttpError('host_not_valid')
  // This waits also when the principal is there at once: a response can be kept by the bytes of its request only when
  // Node has parsed all data that came with it.
  const principal = await authenticate(request.headers, parts.principals)
  const { teamId, tokenId, allowsAddress, resourceScope } = principal
  call.principal = principal
  call.team = teamId
  call.token = tokenId
  const { origin } = request.headers
  if (origin !== undefined && principal.origins?.has(origin)) call.allowedOrigin = origin
  if (isLimited(resourceScope)) call.responseHeaders = { ...call.responseHeaders, ...LIMITED_SCOPE_HEADERS }
  if (allowsAddress && !allowsAddress(clientAddress))
    throw new HttpError('address_not_allowed', { sentence: addressNotAllowedSentence(clientAddress) })
  parts.tokenUse.note(tokenId, clientAddress)
  if (parts.rateLimit) await limitRate(call, parts.rateLimit)
  const route = enterRoute(call, findRoute)
  const waiting = call.quota.admit({ team: teamId, caller: tokenId })
  if (waiting) await waiting
  if (parts.sendsTiming) call.admittedAt = performance.now()
  await respond(call, route, parts)
  parts.tokenUse.count(tokenId, call.route)
}

/**
 * Responds to what a browser asks before it sends the request of a page of another origin, which has no token yet. An
 * origin that no token has gets what any request without a token gets.
 */
async function answerPreflight(
  call: ApiCall,
  origin: string,
  findRoute: FindRoute,
  parts: AnswerParts,
): Promise<void> {
  try {
    if (!hasValidHost(call.request) || !(await parts.principals.knowsOrigin(origin)))
      return await answer(call, findRoute, parts)
    call.allowedOrigin = origin
    writeHead(call, 204, {
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers':
        'Authorization, If-None-Match, Accept, Prefer, X-Request-Id, User-Agent',
      'access-control-max-age': '600',
    }).end()
  } catch (error) {
    sendFailure(call, error, parts.log)
  }
}

/** What every 401 carries (decision 2). */
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } }

/** Returns the principal of the request's token. Throws 401, or 403 under another team's host name. */
function authenticate(
  { authorization, host }: IncomingHttpHeaders,
  principals: TokenPrincipalStore,
): MaybePromise<TokenPrincipal> {
  const secret = readBearer(authorization)
  // A header of another form may hold a valid token: the sentence of `token_missing` says how to send it.
  if (secret === undefined) throw new HttpError('token_missing', CHALLENGE)
  const found = principals.findPrincipal(secret, hostNameOf(host))
  return found instanceof Promise ? found.then(requirePrincipal) : requirePrincipal(found)
}

function requirePrincipal(principal: TokenPrincipal | undefined): TokenPrincipal {
  if (!principal) throw new HttpError('token_not_valid', CHALLENGE)
  if (principal.atHostOfAnotherTeam) throw new HttpError('token_of_another_team')
  return principal
}

/**
 * Limits the requests per minute of each token (decision 11). The header fields are those of the IETF draft
 * `draft-ietf-httpapi-ratelimit-headers`, version 10. A 304 does not count, unless the request names no tag but `*`: that
 * gets 304 for whatever it asks for, and would have no limit.
 */
async function limitRate(
  call: ApiCall,
  { perWindow, windows }: NonNullable<ApiParts['rateLimit']>,
): Promise<void> {
  const { isWithin, left, msLeft, takeBack } = await windows.take(call.principal.tokenId, perWindow)
  const seconds = Math.ceil(msLeft / 1000)
  const tell = (remaining: number) => {
    call.responseHeaders = {
      ...call.responseHeaders,
      'ratelimit-policy': `"token";q=${perWindow};w=60`,
      ratelimit: `"token";r=${remaining};t=${seconds}`,
    }
  }
  tell(left)
  if (!isWithin) throw new HttpError('too_many_requests', { headers: { 'retry-after': String(seconds) } })
  if (call.request.headers['if-none-match']?.trim() === '*') return
  call.onNotModified = () => {
    takeBack()
    tell(left + 1)
  }
}

/** Checks route, method and scope, before a request body is looked at. */
function enterRoute(call: ApiCall, findRoute: FindRoute): Route {
  const { url, method } = call.request
  const found = findRoute(url!)
  if (!found) throw new HttpError('endpoint_not_found')
  const { route, pattern, params, queryString } = found
  call.route = pattern
  call.params = params
  call.queryString = queryString
  if (method !== 'GET' && method !== 'HEAD') throw new HttpError('method_not_allowed', READ_ONLY)
  const { scope, deprecated } = route.endpoint
  if (deprecated) call.responseHeaders = { ...call.responseHeaders, ...deprecationHeaders(deprecated) }
  if (!call.principal.scopes.has(scope))
    throw new HttpError('scope_missing', { sentence: missingScopeSentence(scope) })
  return route
}

/** The headers of an endpoint that is deprecated (RFC 9745) and ends (RFC 8594). */
const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
})

/** Responds from the response cache, or from the route's handler; caches the response where the route allows it. */
async function respond(call: ApiCall, route: Route, parts: AnswerParts): Promise<void> {
  const { responseCache } = parts
  const { principal, request } = call
  const url = request.url!
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  const isCached = isCachedFor(route, call.queryString)
  let body = isCached ? responseCache.findBody(principal, url) : undefined
  if (!body) {
    const result = await route.handle(call)
    if (result instanceof StoredBody) return sendStored(result, call, parts)
    if (result instanceof RewrittenBody) return sendRewritten(result, call, parts)
    if (result instanceof GrowingBody) return sendGrowing(result, call, parts)
    if (result === NO_BODY) return void writeHead(call, 200, COMMON_HEADERS).end()
    if (result instanceof TaggedJson) {
      // A body that is too small to be compressed has the tag of its bytes, whatever the client accepts.
      const tags = encoding ? [encodedTag(result.tag, encoding), result.tag] : [result.tag]
      const tag = tags.find((one) => matchesTag(request.headers['if-none-match'], one))
      if (tag) {
        keep(call, parts, isCached, { tag, form: undefined })
        return sendNotModified(call, tag)
      }
      const made = responseCache.findTagged(principal, url, result.tag) ?? (await result.make())
      if (made instanceof BlobJson && encoding === undefined && !responseCache.takes(made.size))
        return sendBlobJson(made, call, parts)
      body = made instanceof BlobJson ? await readBlobJson(made, call.quota, parts.blobs) : made
    } else body = new JsonBody(result as object | Uint8Array)
    if (isCached) responseCache.addBody(principal, url, body)
  }
  const tag = body.tagIn(encoding)
  const isUnchanged = matchesTag(request.headers['if-none-match'], tag)
  // Without a form, the caller has the body already (decision 10).
  const form = isUnchanged ? undefined : await body.in(encoding)
  keep(call, parts, isCached, { tag, form })
  if (!form) return sendNotModified(call, tag)
  await sendJson(form, call)
}

/** Keeps the head for requests with another address, and a cached response for those with the same bytes. */
function keep(
  { request, principal, route }: ApiCall,
  { responseCache, plainRequests }: AnswerParts,
  isCached: boolean,
  response: Pick<SentResponse, 'tag' | 'form'>,
): void {
  const plain = plainRequests?.read(request)
  if (plain && isCached)
    responseCache.keep(plain.bytes, plain.head, { principal, url: request.url!, route, ...response })
}

/** Longer bodies are sent as bytes: joining them to their head would cost more than it saves. */
const MAX_JOINED_BYTES = 16 * 1024

async function sendJson(form: Representation, call: ApiCall): Promise<void> {
  const { bytes, tag, encoding } = form
  const reserving = call.quota.reserve(bytes.length)
  if (reserving) await reserving
  const finishing = call.quota.finish(bytes.length)
  if (finishing) await finishing
  const head = writeHead(call, 200, {
    ...COMMON_HEADERS,
    etag: tag,
    'content-length': bytes.length,
    ...(encoding && { 'content-encoding': encoding }),
  })
  if (bytes.length > MAX_JOINED_BYTES) head.end(bytes)
  else head.end(form.text, 'latin1')
}

function sendFailure(call: ApiCall, thrown: unknown, log: Log): void {
  // No response can be sent to a client that has disconnected.
  if (thrown instanceof ClientDisconnected) return
  const response = toErrorResponse(thrown)
  call.errorCode = response.error.code
  logFault(log, call.id, response, thrown)
  if (call.response.headersSent) call.response.destroy()
  else sendError(call, response)
}
