import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { API_PREFIX, type Endpoint, missingScopeSentence } from '@meadow/contract'
import type { AppErrorCode } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenPrincipal, TokenPrincipalStore } from '../../access/token-principal.store.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { RateWindows } from '../../platform/cluster/rate-windows.ts'
import { createAbortSignal } from '../abort-signal.ts'
import { publicAddress } from '../connection/public-address.ts'
import { COMMON_HEADERS, HttpError, READ_ONLY } from '../http-error.ts'
import { type Encoding, negotiateEncoding } from '../responses/encodings.ts'
import { encodedTag, matchesTag } from '../responses/entity-tag.ts'
import { GrowingBody, JsonBody, StoredBody, setCacheHeaders, TaggedJson } from '../responses/response-body.ts'
import { type BlobSource, sendGrowing, sendStored } from '../responses/send-blob.ts'
import { authenticate } from './authenticate.ts'
import type { FastPathCache, ResponseCache } from './response-cache.ts'
import { type ApiRequest, NO_BODY, type Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The team and scopes of the API token, once it was checked. */
    principal: TokenPrincipal | undefined
    /** The database's commit counter before anything was looked up for this request. */
    commitCounter: number | undefined
    /** The error that the request was answered with, for log and metrics. */
    errorCode: AppErrorCode | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** The path grants access by itself, so it is kept out of the log. */
    isSecret?: true
  }
}

export interface ApiParts extends BlobSource {
  routes: readonly Route[]
  principals: TokenPrincipalStore
  tokenUse: Pick<TokenUse, 'note'>
  responseCache: ResponseCache
  fastPathCache: FastPathCache
  /** Requests per minute and token; undefined for no limit. */
  rateLimit: number | undefined
  /** Counts for all processes together; when undefined, each process counts by itself. */
  rateWindows?: RateWindows | undefined
  /** The configured public address; when undefined, links use the address that the request came to. */
  baseUrl: string | undefined
}

/**
 * Mounts every route under the prefix. The order of the checks is decision 1: token (401), team (403), route and
 * method (404, 405), scope (403); then the request waits for its share (429, 503); the handler goes on with parameters
 * (400), existence (404) and state.
 */
export async function mountApi(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        request.commitCounter = parts.fastPathCache.readCommitCounter()
        request.principal = await authenticate(request.headers, parts.principals)
        parts.tokenUse.note(request.principal.tokenId)
      })
      if (parts.rateLimit !== undefined) await limitRate(api, parts.rateLimit, parts.rateWindows)
      api.addHook('onRequest', async (request) => {
        const error = checkRoute(request)
        if (error) throw error
        const { teamId, tokenId } = request.principal!
        await request.share.admit({ team: teamId, caller: tokenId })
      })
      // With a handler of its own, the hooks of this scope also run for paths without a route.
      api.setNotFoundHandler(() => {
        throw new HttpError('endpoint_not_found')
      })
      for (const route of parts.routes) {
        api.route({
          method: api.supportedMethods,
          url: route.endpoint.path,
          config: { endpoint: route.endpoint },
          handler: (request, reply) => respond(route, parts, request, reply),
        })
      }
    },
    { prefix: API_PREFIX },
  )
}

/** Limits the requests per minute of each token (decision 11), with the `RateLimit` headers of the IETF draft. */
async function limitRate(
  api: FastifyInstance,
  requestsPerMinute: number,
  rateWindows: RateWindows | undefined,
): Promise<void> {
  await api.register(rateLimit, {
    global: false,
    max: requestsPerMinute,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    cache: 10_000,
    ...(rateWindows && { store: createRateStore(rateWindows) }),
    keyGenerator: (request) => request.principal?.tokenId ?? '',
    errorResponseBuilder: () => new HttpError('too_many_requests'),
  })
  api.addHook('onRequest', api.rateLimit())
}

/** The store of @fastify/rate-limit that counts for all processes. Its windows have the same length as ours. */
function createRateStore(windows: RateWindows): FastifyRateLimitStoreCtor {
  class SharedStore implements FastifyRateLimitStore {
    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      _windowMs?: number,
      max = 0,
    ): void {
      windows
        .take(key, max)
        .then(
          ({ isWithin, left, msLeft }) =>
            done(null, { current: isWithin ? max - left : max + 1, ttl: msLeft }),
          done,
        )
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
  return SharedStore
}

/** Checks route, method and scope, before a request body is looked at. */
function checkRoute(request: FastifyRequest): HttpError | undefined {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return new HttpError('endpoint_not_found')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new HttpError('method_not_allowed', READ_ONLY)
  return request.principal!.scopes.has(endpoint.scope)
    ? undefined
    : new HttpError('scope_missing', { sentence: missingScopeSentence(endpoint.scope) })
}

/** Responds from the response cache, or from the route's handler; caches the response where the route allows it. */
async function respond(
  route: Route,
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { responseCache, fastPathCache } = parts
  const principal = request.principal!
  const key = `${principal.team} ${request.url}`
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  let body = route.isCached ? responseCache.find(key, principal.teamVersion) : undefined
  if (!body) {
    const result = await route.handle(toApiRequest(request, reply, parts))
    if (result instanceof StoredBody) return sendStored(result, request, reply, parts)
    if (result instanceof GrowingBody) return sendGrowing(result, request, reply, parts)
    if (result === NO_BODY) return reply.headers(COMMON_HEADERS).send()
    if (result instanceof TaggedJson) {
      const tag = encoding ? encodedTag(result.tag, encoding) : result.tag
      if (matchesTag(request.headers['if-none-match'], tag))
        return setCacheHeaders(reply, tag).code(304).send()
      body = responseCache.findTagged(key, result.tag) ?? (await result.make())
    } else body = new JsonBody(result as object | Uint8Array)
    if (route.isCached) responseCache.add(key, principal.teamVersion, body)
  }
  const { commitCounter } = request
  if (route.isCached && commitCounter !== undefined) {
    const form = await body.in(encoding)
    fastPathCache.add(request.raw, { principal, commitCounter, route: request.routeOptions.url!, form })
  }
  return sendJson(body, encoding, request, reply)
}

function toApiRequest(request: FastifyRequest, reply: FastifyReply, { baseUrl }: ApiParts): ApiRequest {
  return {
    params: request.params as Record<string, string>,
    query: new URLSearchParams(request.query as string),
    headers: request.headers,
    isHead: request.method === 'HEAD',
    principal: request.principal!,
    get signal() {
      return createAbortSignal(request, reply)
    },
    share: request.share,
    get publicAddress() {
      return publicAddress(baseUrl, request.raw)
    },
  }
}

/** Sends a body in the caller's encoding, or 304 when the caller has it already (decision 10). */
async function sendJson(
  body: JsonBody,
  encoding: Encoding | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tag = body.tagIn(encoding)
  if (matchesTag(request.headers['if-none-match'], tag)) return setCacheHeaders(reply, tag).code(304).send()
  const form = await body.in(encoding)
  await request.share.reserve(form.bytes.length)
  await request.share.finish(form.bytes.length)
  setCacheHeaders(reply, tag)
  if (form.encoding) reply.header('content-encoding', form.encoding)
  return reply.type('application/json; charset=utf-8').send(form.bytes)
}
