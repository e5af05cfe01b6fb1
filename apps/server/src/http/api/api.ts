import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { ALL_SCOPES, API_PREFIX, addressNotAllowedSentence, missingScopeSentence } from '@meadow/contract'
import findMyWay from 'find-my-way'
import { isLimited, keyOfScope, LIMITED_SCOPE_HEADERS } from '../../access/resource-scope.ts'
import type { TokenPrincipal, TokenPrincipalStore } from '../../access/token-principal.store.ts'
import type { TokenReads } from '../../access/token-reads.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { RateWindows } from '../../platform/cluster/rate-windows.ts'
import type { Log } from '../../platform/log.ts'
import type { Admission } from '../admission.ts'
import { hasValidHost } from '../connection/address.ts'
import { clientAddressOf, type FindClientAddress } from '../connection/client-address.ts'
import { publicAddress } from '../connection/public-address.ts'
import {
  ClientDisconnected,
  createAbortSignal,
  type Exchange,
  endWith,
  type RequestQuota,
  sendNotModified,
  writeHead,
} from '../exchange.ts'
import { COMMON_HEADERS, HttpError, logFault, READ_ONLY, sendError, toErrorResponse } from '../http-error.ts'
import { CLIENT_CLOSED_REQUEST, type NoteRequest, readRequestId } from '../request-log.ts'
import { negotiateEncoding } from '../responses/encodings.ts'
import {
  BlobJson,
  encodedTag,
  GrowingBody,
  JsonBody,
  matchesTag,
  type Representation,
  StoredBody,
  TaggedJson,
} from '../responses/response-body.ts'
import type { SecurityHeaders } from '../responses/security-headers.ts'
import { type BlobSource, sendGrowing, sendStored } from '../responses/send-blob.ts'
import { readBlobJson, sendBlobJson } from '../responses/send-blob-json.ts'
import type { MountedRoute } from '../route-access.ts'
import type { ApiHandler } from '../server.ts'
import { authenticate } from './authenticate.ts'
import type { FastPathCache, ResponseCache, SentResponse } from './response-cache.ts'
import { type ApiRequest, NO_BODY, type Route } from './route.ts'

export interface ApiParts extends BlobSource {
  routes: readonly Route[]
  principals: TokenPrincipalStore
  tokenUse: Pick<TokenUse, 'note'>
  tokenReads: Pick<TokenReads, 'count'>
  admission: Pick<Admission, 'openQuota'>
  responseCache: ResponseCache
  fastPathCache: FastPathCache
  findClientAddress: FindClientAddress
  /** How many requests of one token are answered in each window; undefined for no limit. */
  rateLimit: { perWindow: number; windows: Pick<RateWindows, 'take'> } | undefined
  /** The configured public address; when undefined, links use the address that the request came to. */
  baseUrl: string | undefined
  securityHeaders: SecurityHeaders
  noteRequest: NoteRequest
}

/**
 * Handles every request under the prefix, without Fastify, whose hooks would take most of the time of a small read. The
 * order of the checks is decision 1: token (401), team and address (403), route and method (404, 405), scope (403);
 * then the request waits for its share (429, 503); the handler goes on with parameters (400), existence (404) and
 * state.
 */
export function createApiHandler(parts: ApiParts): ApiHandler {
  const findRoute = createRouter(parts.routes)
  return (request, response, stopping) => {
    const startedAt = performance.now()
    const call = new ApiCall(request, response, stopping, parts)
    // This listener runs before the one that ends the span of the request.
    response.prependOnceListener('close', () =>
      noteCall(call, performance.now() - startedAt, parts.noteRequest),
    )
    answer(call, findRoute, parts).catch((error) => sendFailure(call, error, parts.log))
  }
}

/** A request while it is handled: what its handler receives, and what its response and its log line need. */
class ApiCall implements ApiRequest, Exchange {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly quota: RequestQuota
  readonly clientAddress: string
  responseHeaders: OutgoingHttpHeaders
  /** The team and scopes of the token, once it was checked. */
  principal!: TokenPrincipal
  /** The route of the request, once it was found; `params` is set at the same time. */
  route: Route | undefined
  params: Record<string, string> = {}
  queryString = ''
  /** The error that the request was answered with. */
  errorCode: string | undefined
  readonly #stopping: AbortSignal
  readonly #baseUrl: string | undefined

  constructor(request: IncomingMessage, response: ServerResponse, stopping: AbortSignal, parts: ApiParts) {
    this.id = readRequestId(request)
    this.request = request
    this.response = response
    this.quota = parts.admission.openQuota(this)
    this.clientAddress = clientAddressOf(request, parts.findClientAddress)
    this.responseHeaders = { 'x-request-id': this.id, ...parts.securityHeaders }
    this.#stopping = stopping
    this.#baseUrl = parts.baseUrl
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

  get signal(): AbortSignal {
    return createAbortSignal(this.#stopping, this)
  }

  get publicAddress(): string {
    return publicAddress(this.#baseUrl, this.request, this.principal.atHostOfTeam)
  }
}

type FindRoute = (url: string) => FoundRoute | undefined

interface FoundRoute {
  route: Route
  params: Record<string, string>
  queryString: string
}

/** Finds the route of an address as Fastify does: the whole path has to match, and parameters are decoded once. */
function createRouter(routes: readonly Route[]): FindRoute {
  const router = findMyWay({
    // An id is any string that an address can hold (decision 5).
    maxParamLength: Number.POSITIVE_INFINITY,
    // The few handlers that take parameters parse the query themselves.
    querystringParser: (query) => query,
  })
  for (const route of routes) {
    requireScope(route)
    router.on('GET', pathOf(route), () => {}, route)
  }
  return (url) => {
    const found = router.find('GET', url)
    return found
      ? {
          route: found.store as Route,
          params: found.params as Record<string, string>,
          queryString: found.searchParams as unknown as string,
        }
      : undefined
  }
}

/** Returns the pattern of the path of a route. */
const pathOf = ({ endpoint }: Route): string => API_PREFIX + endpoint.path

/** Throws when the route has no scope, since every token could use it. The process does not start then. */
function requireScope(route: Route): void {
  const { scope } = route.endpoint
  if (!ALL_SCOPES.includes(scope))
    throw new Error(`The route GET ${pathOf(route)} needs a scope, and "${scope}" is none.`)
}

/** Lists the routes in the form of mounted ones, with who may use them. */
export const listApiRoutes = (routes: readonly Route[]): MountedRoute[] =>
  routes.map((route) => ({ method: 'GET', path: pathOf(route), access: route.endpoint.scope }))

/** Checks the request, and responds from the response cache or from the route's handler. */
async function answer(call: ApiCall, findRoute: FindRoute, parts: ApiParts): Promise<void> {
  const { request } = call
  if (!hasValidHost(request)) throw new HttpError('host_not_valid')
  call.principal = await authenticate(request.headers, parts.principals)
  const { teamId, tokenId, allowsAddress, resourceScope } = call.principal
  if (isLimited(resourceScope)) call.responseHeaders = { ...call.responseHeaders, ...LIMITED_SCOPE_HEADERS }
  const { clientAddress } = call
  if (allowsAddress && !allowsAddress(clientAddress))
    throw new HttpError('address_not_allowed', { sentence: addressNotAllowedSentence(clientAddress) })
  parts.tokenUse.note(tokenId, clientAddress)
  if (parts.rateLimit) await limitRate(call, parts.rateLimit)
  const route = enterRoute(call, findRoute)
  await call.quota.admit({ team: teamId, caller: tokenId })
  await respond(call, route, parts)
  parts.tokenReads.count(tokenId, pathOf(route))
}

/** Limits the requests per minute of each token (decision 11), with the `RateLimit` headers of the IETF draft. */
async function limitRate(
  call: ApiCall,
  { perWindow, windows }: NonNullable<ApiParts['rateLimit']>,
): Promise<void> {
  const { isWithin, left, msLeft } = await windows.take(call.principal.tokenId, perWindow)
  const seconds = Math.ceil(msLeft / 1000)
  call.responseHeaders = {
    ...call.responseHeaders,
    'ratelimit-limit': perWindow,
    'ratelimit-remaining': left,
    'ratelimit-reset': seconds,
  }
  if (!isWithin) throw new HttpError('too_many_requests', { headers: { 'retry-after': String(seconds) } })
}

/** Checks route, method and scope, before a request body is looked at. */
function enterRoute(call: ApiCall, findRoute: FindRoute): Route {
  const { url, method } = call.request
  const found = findRoute(url!)
  if (!found) throw new HttpError('endpoint_not_found')
  const { route, params, queryString } = found
  call.route = route
  call.params = params
  call.queryString = queryString
  if (method !== 'GET' && method !== 'HEAD') throw new HttpError('method_not_allowed', READ_ONLY)
  const { scope } = route.endpoint
  if (!call.principal.scopes.has(scope))
    throw new HttpError('scope_missing', { sentence: missingScopeSentence(scope) })
  return route
}

/** Responds from the response cache, or from the route's handler; caches the response where the route allows it. */
async function respond(call: ApiCall, route: Route, parts: ApiParts): Promise<void> {
  const { responseCache, fastPathCache } = parts
  const { principal, request } = call
  const key = `${keyOfScope(principal.resourceScope)} ${request.url}`
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  let body = route.isCached ? responseCache.find(key, principal.teamVersion) : undefined
  if (!body) {
    const result = await route.handle(call)
    if (result instanceof StoredBody) return sendStored(result, call, parts)
    if (result instanceof GrowingBody) return sendGrowing(result, call, parts)
    if (result === NO_BODY) return void writeHead(call, 200, COMMON_HEADERS).end()
    if (result instanceof TaggedJson) {
      const tag = encoding ? encodedTag(result.tag, encoding) : result.tag
      if (matchesTag(request.headers['if-none-match'], tag)) {
        keep(route, call, fastPathCache, { tag, form: undefined })
        return sendNotModified(call, tag)
      }
      const made = responseCache.findTagged(key, result.tag) ?? (await result.make())
      if (made instanceof BlobJson && encoding === undefined && !responseCache.takes(made.size))
        return sendBlobJson(made, call, parts)
      body = made instanceof BlobJson ? await readBlobJson(made, call.quota, parts.blobs) : made
    } else body = new JsonBody(result as object | Uint8Array)
    if (route.isCached) responseCache.add(key, principal.teamVersion, body)
  }
  const tag = body.tagIn(encoding)
  const isUnchanged = matchesTag(request.headers['if-none-match'], tag)
  const form = isUnchanged ? undefined : await body.in(encoding)
  keep(route, call, fastPathCache, { tag, form })
  // Without a form, the caller has the body already (decision 10).
  return form ? sendJson(form, call) : sendNotModified(call, tag)
}

/** Keeps the response for requests with the same bytes. */
function keep(
  route: Route,
  { request, principal }: ApiCall,
  fastPathCache: FastPathCache,
  response: Pick<SentResponse, 'tag' | 'form'>,
): void {
  if (route.isCached) fastPathCache.add(request, { principal, route: pathOf(route), ...response })
}

async function sendJson({ bytes, tag, encoding }: Representation, call: ApiCall): Promise<void> {
  await call.quota.reserve(bytes.length)
  await call.quota.finish(bytes.length)
  const head = writeHead(call, 200, {
    ...COMMON_HEADERS,
    etag: tag,
    'content-length': bytes.length,
    ...(encoding && { 'content-encoding': encoding }),
  })
  endWith(head, bytes)
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

/** Logs and counts a request when its response has been sent, or its connection is closed. */
function noteCall(call: ApiCall, durationMs: number, noteRequest: NoteRequest): void {
  const { request, response, id, clientAddress, route, principal, errorCode } = call
  noteRequest({
    request,
    id,
    route: route ? pathOf(route) : 'none',
    status: response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST,
    durationMs,
    address: clientAddress,
    team: principal?.teamId,
    token: principal?.tokenId,
    errorCode,
  })
}
