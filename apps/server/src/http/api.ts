import { API_PREFIX, type Endpoint } from '@meadow/contract'
import type { AppErrorCode } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenPrincipal, TokenPrincipalStore } from '../access/token-principal.store.ts'
import type { TokenUse } from '../access/token-use.ts'
import { createAbortSignal } from './abort-signal.ts'
import { authenticate } from './authenticate.ts'
import { describeAnswer } from './describe-answer.ts'
import { type Encoding, negotiateEncoding } from './encodings.ts'
import { encodedTag, matchesTag } from './entity-tag.ts'
import { COMMON_HEADERS, READ_ONLY } from './error-response.ts'
import type { FastPathCache } from './fast-path-cache.ts'
import { HttpError } from './http-error.ts'
import { JsonBody } from './json-body.ts'
import { publicAddress } from './public-address.ts'
import { limitRate } from './rate-limit.ts'
import type { ResponseCache } from './response-cache.ts'
import { type StoredBodies, sendStored } from './send-stored.ts'
import { type ApiRequest, NO_BODY, type Route } from './serve.ts'
import { StoredBody } from './stored-body.ts'
import { TaggedJson } from './tagged-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the token was checked. */
    reader: TokenPrincipal | undefined
    /** Of the last commit before anything was looked up. */
    mark: number | undefined
    /** Why the request was refused, for log and metrics. */
    refusalCode: AppErrorCode | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Whoever has such an address needs nothing else: it is kept out of the log. */
    isSecret?: true
  }
}

export interface ApiParts extends StoredBodies {
  routes: readonly Route[]
  readers: TokenPrincipalStore
  tokenUse: Pick<TokenUse, 'note'>
  keptBodies: ResponseCache
  readyAnswers: FastPathCache
  /** Requests a minute and token; undefined for no limit. */
  rateLimit: number | undefined
  /** The configured address under which clients reach the server; undefined for the one that a request comes to. */
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
        request.mark = parts.readyAnswers.readMark()
        request.reader = await authenticate(request.headers, parts.readers)
        parts.tokenUse.note(request.reader.tokenId)
      })
      if (parts.rateLimit !== undefined) await limitRate(api, parts.rateLimit)
      api.addHook('onRequest', async (request) => {
        const fault = findFault(request)
        if (fault) throw fault
        const { teamId, tokenId } = request.reader!
        await request.share.admit({ team: teamId, caller: tokenId })
      })
      // Makes the hooks of this scope hold for what is not found too, so that they come first.
      api.setNotFoundHandler(() => {
        throw new HttpError('endpoint_not_found')
      })
      for (const route of parts.routes) {
        api.route({
          method: api.supportedMethods,
          url: route.endpoint.path,
          config: { endpoint: route.endpoint },
          handler: (request, reply) => answer(route, parts, request, reply),
        })
      }
    },
    { prefix: API_PREFIX },
  )
}

/** What is wrong with the route, the method or the scope of a request. Told before anybody looks at a body. */
function findFault(request: FastifyRequest): HttpError | undefined {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return new HttpError('endpoint_not_found')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new HttpError('method_not_allowed', READ_ONLY)
  return request.reader!.scopes.has(endpoint.scope) ? undefined : new HttpError('scope_missing')
}

async function answer(
  route: Route,
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { keptBodies, readyAnswers } = parts
  const principal = request.reader!
  const key = `${principal.team} ${request.url}`
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  let body = route.kept ? keptBodies.find(key, principal.teamVersion) : undefined
  if (!body) {
    const made = await route.answer(toApiRequest(request, reply, parts))
    if (made instanceof StoredBody) return sendStored(made, request, reply, parts)
    if (made === NO_BODY) return reply.headers(COMMON_HEADERS).send()
    if (made instanceof TaggedJson) {
      const tag = encoding ? encodedTag(made.tag, encoding) : made.tag
      if (matchesTag(request.headers['if-none-match'], tag))
        return describeAnswer(reply, tag).code(304).send()
      body = keptBodies.findTagged(key, made.tag) ?? (await made.make())
    } else body = new JsonBody(made as object | Uint8Array)
    if (route.kept) keptBodies.keep(key, principal.teamVersion, body)
  }
  const { mark } = request
  if (route.kept && mark !== undefined) {
    const form = await body.in(encoding)
    readyAnswers.keep(request.raw, { principal, mark, route: request.routeOptions.url!, form })
  }
  return send(body, encoding, request, reply)
}

function toApiRequest(request: FastifyRequest, reply: FastifyReply, { baseUrl }: ApiParts): ApiRequest {
  return {
    params: request.params as Record<string, string>,
    query: new URLSearchParams(request.query as string),
    headers: request.headers,
    isHead: request.method === 'HEAD',
    principal: request.reader!,
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
async function send(
  body: JsonBody,
  encoding: Encoding | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tag = body.tagIn(encoding)
  if (matchesTag(request.headers['if-none-match'], tag)) return describeAnswer(reply, tag).code(304).send()
  const form = await body.in(encoding)
  await request.share.reserve(form.bytes.length)
  await request.share.finish(form.bytes.length)
  describeAnswer(reply, tag)
  if (form.encoding) reply.header('content-encoding', form.encoding)
  return reply.type('application/json; charset=utf-8').send(form.bytes)
}
