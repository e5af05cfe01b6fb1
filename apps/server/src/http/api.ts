import { API_PREFIX, type Endpoint, type RefusalCode } from '@meadow/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Reader, ReaderStore } from '../access/reader.store.ts'
import { authenticate } from './authenticate.ts'
import { negotiateEncoding } from './encodings.ts'
import { matchesTag } from './entity-tag.ts'
import { JsonBody } from './json-body.ts'
import type { KeptBodies } from './kept-bodies.ts'
import { limitRate } from './rate-limit.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Route } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the token was checked. */
    reader: Reader | undefined
    /** Why the request was refused, for log and metrics. */
    refusalCode: RefusalCode | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

export interface ApiParts {
  routes: readonly Route[]
  readers: ReaderStore
  keptBodies: KeptBodies
  /** Requests a minute and token; undefined for no limit. */
  rateLimit: number | undefined
}

/**
 * Mounts every route under the prefix. The order of the checks is decision 1: token (401), team (403), route and
 * method (404, 405), scope (403); the handler goes on with parameters (400), existence (404) and state.
 */
export async function mountApi(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        request.reader = await authenticate(request.headers, parts.readers)
      })
      if (parts.rateLimit !== undefined) await limitRate(api, parts.rateLimit)
      api.addHook('onRequest', (request, _reply, next) => {
        const endpoint = request.routeOptions.config.endpoint
        next(endpoint && findFault(request, endpoint))
      })
      api.setNotFoundHandler(() => {
        throw refuse('endpoint_not_found')
      })
      for (const route of parts.routes) {
        api.route({
          method: api.supportedMethods,
          url: route.endpoint.path,
          config: { endpoint: route.endpoint },
          handler: (request, reply) => answer(route, parts.keptBodies, request, reply),
        })
      }
    },
    { prefix: API_PREFIX },
  )
}

/** What is wrong with the method or the scope of a request to this endpoint. */
function findFault(request: FastifyRequest, endpoint: Endpoint): Refusal | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
  }
  return request.reader!.scopes.has(endpoint.scope) ? undefined : refuse('scope_missing')
}

async function answer(
  route: Route,
  keptBodies: KeptBodies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const reader = request.reader!
  const key = `${reader.team} ${request.url}`
  let body = route.kept ? keptBodies.find(key, reader.teamVersion) : undefined
  if (!body) {
    const query = new URLSearchParams(request.query as string)
    const made = await route.answer({ params: request.params as Record<string, string>, query, reader })
    body = new JsonBody(made as object | Uint8Array)
    if (route.kept) keptBodies.keep(key, reader.teamVersion, body)
  }
  return send(body, request, reply)
}

/** Sends a body in the caller's encoding, or 304 when the caller has it already (decision 10). */
async function send(body: JsonBody, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  const tag = body.tagIn(encoding)
  reply
    .header('etag', tag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Authorization, Accept-Encoding')
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const form = await body.in(encoding)
  if (form.encoding) reply.header('content-encoding', form.encoding)
  return reply.type('application/json; charset=utf-8').send(form.bytes)
}
