import { APP_PREFIX, type AppEndpoint, Bytes } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccessEndedError } from '../../access/current-roles.ts'
import { createAbortSignal } from '../abort-signal.ts'
import { anonymous, type Principal } from '../admission.ts'
import { hostNameOf } from '../host.ts'
import { HttpError } from '../http-error.ts'
import type { StoredBodies } from '../send-stored.ts'
import type { AppAnswer, AppRequest, AppRoute } from './app-route.ts'
import { type Caller, type CallerParts, findCaller } from './find-caller.ts'
import { readBody, readQuery } from './read-input.ts'
import { refuseOtherSite } from './refuse-other-sites.ts'
import { sendAnswer } from './send-answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks the web app's endpoints, once that was checked. */
    caller: Caller | undefined
  }
}

export interface AppApiParts extends StoredBodies, CallerParts {
  routes: readonly AppRoute[]
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
}

const READS = new Set(['GET', 'HEAD'])

/** Whatever a form of the app holds; files have a limit of their own. */
const MAX_JSON_BYTES = 64 * 1024

/**
 * Mounts the web app's endpoints under their prefix. The order of the checks: that no other site sends it (403), who
 * sends it (401), that what it names is there (404), the role (403), the parameters (400); then the handler.
 */
export async function mountApp(app: FastifyInstance, parts: AppApiParts): Promise<void> {
  app.decorateRequest('caller', undefined)
  await app.register(
    async (scope) => {
      acceptBodies(scope)
      scope.addHook('onRequest', async (request, reply) => {
        reply
          .header('x-content-type-options', 'nosniff')
          .header('cross-origin-resource-policy', 'same-origin')
        if (!READS.has(request.method)) refuseOtherSite(request.raw, parts.ownOrigin)
      })
      scope.setNotFoundHandler(() => {
        throw new HttpError('endpoint_not_found')
      })
      for (const route of parts.routes) mountRoute(scope, route, parts)
    },
    { prefix: APP_PREFIX },
  )
}

function mountRoute(scope: FastifyInstance, route: AppRoute, parts: AppApiParts): void {
  const { endpoint } = route
  scope.route({
    method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
    url: endpoint.path,
    bodyLimit: MAX_JSON_BYTES,
    async onRequest(request) {
      request.caller = await findCaller(
        endpoint,
        request.params as Record<string, string>,
        request.headers,
        parts,
      )
    },
    // After the body, so that one that arrives slowly holds up nobody.
    preHandler: (request) => request.share.admit(findPrincipal(request)),
    async handler(request, reply) {
      // A file takes as long as its sender wants. What is done with it has limits of its own.
      if (endpoint.body === Bytes) await request.share.finish(0)
      const answer = await answerOrRefuse(route, request, reply, parts)
      return sendAnswer(answer, endpoint, request, reply, parts)
    },
  })
}

/** Whose access ended meanwhile gets the answer that they would get to the same request now. */
async function answerOrRefuse(
  { endpoint, answer }: AppRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AppApiParts,
): Promise<AppAnswer> {
  try {
    return await answer(toAppRequest(endpoint, request, reply))
  } catch (error) {
    if (!(error instanceof AccessEndedError)) throw error
    await findCaller(endpoint, request.params as Record<string, string>, request.headers, parts)
    throw new HttpError(error.code, { cause: error })
  }
}

/** A person counts as one caller in each of their teams, and as a team of one where it is about no team. */
function findPrincipal(request: FastifyRequest): Principal {
  const { person, here } = request.caller!
  if (!person) return anonymous(request)
  const caller = `person ${person.userId}`
  return { team: here && here.role !== null ? here.teamId : caller, caller }
}

function toAppRequest(endpoint: AppEndpoint, request: FastifyRequest, reply: FastifyReply): AppRequest {
  const isBytes = endpoint.body === Bytes
  const { person, here } = request.caller!
  return {
    params: request.params as Record<string, string>,
    query: readQuery(endpoint, new URLSearchParams(request.query as string)),
    body: (isBytes ? readStream(request.body) : readBody(endpoint, request.body)) as never,
    headers: request.headers,
    raw: request.raw,
    host: hostNameOf(request.headers.host),
    ip: request.ip,
    person: person as never,
    here: here as never,
    actor: (person &&
      here && {
        user: person.userId,
        session: person.sessionId,
        team: here.team,
        needs: endpoint.needs,
      }) as never,
    setCookies: (lines) => void reply.header('set-cookie', lines),
    get hurry() {
      return createAbortSignal(request, reply)
    },
    share: request.share,
  }
}

/** A form of another site can send neither of the two kinds of bodies without being asked first. */
function acceptBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    scope.getDefaultJsonParser('error', 'error'),
  )
  scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
}

function readStream(body: unknown): AsyncIterable<Uint8Array> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
    throw new HttpError('body_not_bytes')
  return body as AsyncIterable<Uint8Array>
}
