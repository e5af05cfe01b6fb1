import { APP_PREFIX, type AppEndpoint, Bytes } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccessEndedError } from '../../access/current-roles.ts'
import { ANONYMOUS, type RequestContext, runIn } from '../../audit/request-context.ts'
import { anonymousOwner } from '../admission.ts'
import type { QuotaOwner } from '../call.ts'
import { hostNameOf } from '../connection/address.ts'
import { HttpError } from '../http-error.ts'
import { JsonBody, matchesTag, negotiateEncoding, StoredBody } from '../responses/response-body.ts'
import { type BlobSource, sendStored } from '../responses/send-blob.ts'
import { sendFile } from '../responses/send-file.ts'
import { callOf } from '../server.ts'
import { type AppRequest, type AppResult, type AppRoute, Redirection, StoredFile } from './app-route.ts'
import { type AuthorizeParts, authorize, type Caller, checkSameSite } from './authorize.ts'
import { readBody, readQuery } from './read-input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an endpoint of the app API, once it was authorized. */
    caller: Caller | undefined
  }
}

export interface AppApiParts extends BlobSource, AuthorizeParts {
  routes: readonly AppRoute[]
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
}

const READS = new Set(['GET', 'HEAD'])

/** Every form of the app is smaller. Files have a limit of their own. */
const MAX_JSON_BYTES = 64 * 1024

/**
 * Mounts the app API, the endpoints that the web app calls, under its prefix. The order of the checks: not sent by
 * another site (403), signed in (401), the resource exists (404), the role (403), the parameters (400); then the
 * handler.
 */
export async function mountAppApi(app: FastifyInstance, parts: AppApiParts): Promise<void> {
  app.decorateRequest('caller', undefined)
  await app.register(
    async (scope) => {
      acceptBodies(scope)
      scope.addHook('onRequest', async (request) => {
        if (!READS.has(request.method)) checkSameSite(request.raw, parts.ownOrigin)
      })
      scope.setNotFoundHandler(() => {
        throw new HttpError('endpoint_not_found')
      })
      for (const route of parts.routes) mountRoute(scope, route, parts)
    },
    { prefix: APP_PREFIX },
  )
}

/** Accepts two types of bodies, neither of which a form of another site can send without a preflight request. */
function acceptBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    scope.getDefaultJsonParser('error', 'error'),
  )
  scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
}

function mountRoute(scope: FastifyInstance, route: AppRoute, parts: AppApiParts): void {
  const { endpoint } = route
  scope.route({
    method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
    url: endpoint.path,
    config: { access: endpoint.needs },
    bodyLimit: MAX_JSON_BYTES,
    async onRequest(request) {
      request.caller = await authorize(
        endpoint,
        request.params as Record<string, string>,
        request.headers,
        parts,
      )
      request.call.user = request.caller.person?.userId
    },
    // The request is admitted after its body was read, so that a slow upload takes no quota meanwhile.
    preHandler: async (request) => request.call.quota.admit(findQuotaOwner(request)),
    async handler(request, reply) {
      // A file takes as long as its sender wants. The work on it has its own limits.
      if (endpoint.body === Bytes) await request.call.quota.finish(0)
      const result = await runHandler(route, request, reply, parts)
      return sendResult(result, endpoint, request, reply, parts)
    },
  })
}

/**
 * Finds the owner of a request. A person counts as one caller in each of their teams, and as a team of one in requests
 * about no team.
 */
function findQuotaOwner(request: FastifyRequest): QuotaOwner {
  const { person, access } = request.caller!
  if (!person) return anonymousOwner(request)
  const caller = `person ${person.userId}`
  return { team: access && access.role !== null ? access.teamId : caller, caller }
}

/**
 * Runs the handler. A caller whose access ended in the meantime gets the response that the same request would get now.
 */
async function runHandler(
  { endpoint, handle }: AppRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AppApiParts,
): Promise<AppResult> {
  try {
    return await runIn(contextOf(request), () => handle(toAppRequest(endpoint, request, reply)))
  } catch (error) {
    if (!(error instanceof AccessEndedError)) throw error
    await authorize(endpoint, request.params as Record<string, string>, request.headers, parts)
    throw new HttpError(error.code, { cause: error })
  }
}

/** Returns the origin of the audit events that the request causes. */
function contextOf({ caller, ip, id }: FastifyRequest): RequestContext {
  const { person } = caller!
  const actor = person ? { kind: 'user' as const, id: person.userId, name: person.email } : ANONYMOUS
  return { actor, session: person?.sessionId, address: ip, request: id }
}

function toAppRequest(endpoint: AppEndpoint, request: FastifyRequest, reply: FastifyReply): AppRequest {
  const isBytes = endpoint.body === Bytes
  const { person, access } = request.caller!
  return {
    params: request.params as Record<string, string>,
    query: readQuery(endpoint, new URLSearchParams(request.query as string)),
    body: (isBytes ? readStream(request.body) : readBody(endpoint, request.body)) as never,
    headers: request.headers,
    raw: request.raw,
    host: hostNameOf(request.headers.host),
    ip: request.ip,
    person: person as never,
    access: access as never,
    actor: (person &&
      access && {
        user: person.userId,
        session: person.sessionId,
        team: access.team,
        needs: endpoint.needs,
      }) as never,
    setCookies: (lines) => void reply.header('set-cookie', lines),
    clearBrowserCache: () => void reply.header('clear-site-data', '"cache"'),
    get signal() {
      return request.call.signal
    },
    quota: request.call.quota,
  }
}

function readStream(body: unknown): AsyncIterable<Uint8Array> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
    throw new HttpError('body_not_bytes')
  return body as AsyncIterable<Uint8Array>
}

/**
 * Sends what a handler returned. Responses to reads have an entity tag. A browser stores only solutions and files,
 * which can be large, and asks again before each use; everything else is `no-store`.
 */
async function sendResult(
  result: AppResult,
  endpoint: AppEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  source: BlobSource,
): Promise<FastifyReply> {
  reply.header('vary', 'Cookie, Accept-Encoding')
  if (result instanceof StoredBody || result instanceof StoredFile) {
    const call = callOf(request, reply)
    if (result instanceof StoredBody) await sendStored(result, call, source)
    else await sendFile(result.file, call, source)
    return reply.hijack()
  }
  if (result instanceof Redirection) return reply.redirect(result.to, 302)
  if (result === undefined) return reply.code(204).send()
  const body = new JsonBody(result as object)
  await request.call.quota.reserve(body.size)
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  if (endpoint.method === 'GET') {
    const tag = body.tagIn(encoding)
    reply.header('etag', tag)
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  } else reply.code(endpoint.status ?? 200)
  const form = await body.in(encoding)
  await request.call.quota.finish(form.bytes.length)
  if (form.encoding) reply.header('content-encoding', form.encoding)
  const isBytes = endpoint.response === Bytes
  return reply.type(isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8').send(form.bytes)
}
