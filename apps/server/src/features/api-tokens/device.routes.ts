import { ALL_SCOPES } from '@meadow/contract'
import { confirmDevice, lookAtDevice, refuseDevice } from '@meadow/contract/web'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Person } from '../../access/sessions.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { checkSameSite } from '../../http/app-api/authorize.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import { PAGE_HEADERS } from '../../http/responses/security-headers.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import type { Log } from '../../platform/log.ts'
import { readNewToken, rethrowTokenError } from './api-tokens.routes.ts'
import {
  type CodeProof,
  MAX_ADDRESS_LENGTH,
  needParameter,
  readAuthorizationRequest,
  readParameter,
} from './authorization-request.ts'
import type { GetClient } from './client-document.ts'
import {
  DEVICE_MS,
  type DeviceAuthorizations,
  type DeviceError,
  POLL_SECONDS,
} from './device-authorization.store.ts'
import { OAuthError } from './oauth-error.ts'

export interface DeviceParts {
  store: DeviceAuthorizations
  database: Pick<Database, 'read'>
  /** Runs work with a user code, of which one from this person and address may be wrong only a few times. */
  limitGuesses<T>(from: { ip: string; person: Pick<Person, 'userId'> }, work: () => Promise<T>): Promise<T>
}

/** How a person decides about a program that asks for a token (RFC 8628, 3.3). */
export const deviceRoutes = ({ store, database, limitGuesses }: DeviceParts) => [
  serveApp(lookAtDevice, (request) =>
    limitGuesses(request, async () => {
      const { program, address, asked_at, expires_at, asked } = found(await store.find(request.body.code))
      const times = { askedAt: toTimestamp(asked_at), expiresAt: toTimestamp(expires_at) }
      if (!asked) return { program, address, ...times, client: null }
      const { client: id, redirectUri, resource, scopes } = asked
      return { program, address, ...times, client: { id, redirectUri, resource, scopes } }
    }),
  ),

  serveApp(confirmDevice, (request) =>
    limitGuesses(request, async () => {
      const { code, token: wanted } = request.body
      const { token, actor } = await readNewToken(database.read, request, wanted)
      return found(await store.confirm(actor, code, token).catch(rethrowTokenError))
    }),
  ),

  serveApp(refuseDevice, (request) =>
    limitGuesses(request, async () => found(await store.refuse(request.body.code))),
  ),
]

function found<T>(decided: T | undefined): T {
  if (decided === undefined) throw new HttpError('device_code_not_found')
  return decided
}

export interface OAuthParts {
  store: Pick<DeviceAuthorizations, 'begin' | 'redeem'>
  getClient: GetClient
  /** Counts a program that asks from an address; throws a 429 when there were too many. */
  countProgram(ip: string): Promise<void>
  /** The public address of the server, where it is configured. */
  baseUrl: string | undefined
  /** The origin of that address. */
  ownOrigin: string | undefined
  /** The address of MCP over HTTP for this service, where it is configured. */
  mcpUrl: string | undefined
  log: Log
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CODE_GRANT = 'authorization_code'
const PATHS = {
  authorize: '/oauth/authorize',
  device: '/oauth/device_authorization',
  token: '/oauth/token',
} as const

/** Longer than any request that is answered with a token. */
const MAX_FORM_BYTES = 8 * 1024

const DESCRIPTIONS: Record<DeviceError, string> = {
  authorization_pending: 'Nobody has confirmed the program yet.',
  slow_down: 'The program asks too often: wait five seconds longer between two requests.',
  access_denied: 'The program was refused, or who confirmed it may not create such a token any more.',
  expired_token: 'Nobody confirmed the program in time: begin again.',
  invalid_grant:
    'The code is unknown, is not that of this program and request, or a token was fetched with it.',
}

/**
 * Mounts the endpoints that programs use to get a token (RFC 8628, OAuth 2.1), and what they can find out about them
 * (RFC 8414).
 */
export function mountOAuth(app: FastifyInstance, parts: OAuthParts): void {
  const { store, countProgram, baseUrl, ownOrigin } = parts
  const addressOf = ({ raw }: FastifyRequest) => publicAddress(baseUrl, raw)
  app.get('/.well-known/oauth-authorization-server', FOR_ANYONE, (request) => ({
    issuer: addressOf(request),
    authorization_endpoint: addressOf(request) + PATHS.authorize,
    device_authorization_endpoint: addressOf(request) + PATHS.device,
    token_endpoint: addressOf(request) + PATHS.token,
    token_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: [CODE_GRANT, DEVICE_GRANT],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ALL_SCOPES,
  }))
  mountAuthorize(app, parts)
  void app.register(async (scope) => {
    acceptForms(scope)
    // A page of another site could use up how many programs may ask from its visitor's address.
    scope.addHook('onRequest', async ({ raw }) => checkSameSite(raw, ownOrigin))

    scope.post(PATHS.device, FOR_ANYONE, async (request) => {
      const form = readForm(request)
      const [client, computer] = ['client_id', 'device_name'].map((name) => readParameter(form, name)?.trim())
      if (!client) throw new OAuthError('invalid_request', 'The parameter client_id is missing.')
      await countProgram(request.ip)
      const program = cleanName(computer ? `${client} on ${computer}` : client)
      const { deviceCode, userCode } = await store.begin(program, request.ip)
      const page = `${addressOf(request)}/device`
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: DEVICE_MS / 1000,
        interval: POLL_SECONDS,
      }
    })

    scope.post(PATHS.token, FOR_ANYONE, async (request) => {
      const { code, proof } = readGrant(readForm(request))
      const fetched = await store.redeem(code, { address: request.ip, request: request.id }, proof)
      // The other errors are those of RFC 8628 alone.
      if (typeof fetched === 'string')
        throw new OAuthError(proof ? 'invalid_grant' : fetched, DESCRIPTIONS[fetched])
      const { token, secret } = fetched
      return {
        access_token: secret,
        token_type: 'Bearer',
        scope: token.scopes.join(' '),
        ...(token.expiresAt !== null && {
          expires_in: Math.floor((token.expiresAt - token.createdAt) / 1000),
        }),
      }
    })
  })
}

/** Mounts the address to which programs send the browser of their person, who decides on a page of the web app. */
function mountAuthorize(app: FastifyInstance, parts: OAuthParts): void {
  void app.register(async (scope) => {
    scope.setErrorHandler((error, { id }, reply) => {
      if (!(error instanceof OAuthError)) throw error
      // The person does not learn what is wrong within the network of the server; its operator does.
      if (error.cause) parts.log.warn({ err: error.cause, request: id }, error.message)
      void reply.code(400).headers(PAGE_HEADERS).type('text/html; charset=utf-8')
      return reply.send(errorPage(error.message))
    })
    scope.get(PATHS.authorize, FOR_ANYONE, async (request, reply) => {
      // Only a person who goes there can begin, so that no picture or frame uses up what their address may ask.
      if ((request.headers['sec-fetch-dest'] ?? 'document') !== 'document')
        throw new HttpError('request_from_another_site')
      await parts.countProgram(request.ip)
      const address = publicAddress(parts.baseUrl, request.raw)
      const { searchParams } = new URL(request.url, address)
      const { program, asked } = await readAuthorizationRequest(searchParams, { ...parts, issuer: address })
      const { userCode } = await parts.store.begin(program, request.ip, asked)
      return reply.redirect(`${address}/device?code=${userCode}`, 303)
    })
  })
}

const errorPage = (message: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Meadow</title>
<h1>This program cannot be signed in</h1>
<p>${escapeHtml(message)}</p>
<p>Nothing was sent to it. Tell those who made the program.</p></html>
`

/** Reads what a program fetches its token with. `proof`: with an authorization code. */
function readGrant(form: URLSearchParams): { code: string; proof?: CodeProof } {
  const need = (name: string) => needParameter(form, name)
  const grant = need('grant_type')
  if (grant === DEVICE_GRANT) return { code: need('device_code') }
  if (grant !== CODE_GRANT)
    throw new OAuthError(
      'unsupported_grant_type',
      `The grant types here are ${CODE_GRANT} and ${DEVICE_GRANT}.`,
    )
  const [redirectUri, resource] = ['redirect_uri', 'resource'].map((name) =>
    readParameter(form, name, MAX_ADDRESS_LENGTH),
  )
  const proof = { client: need('client_id'), verifier: need('code_verifier'), redirectUri, resource }
  return { code: need('code'), proof }
}

function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_, text, done) =>
    done(null, text),
  )
  scope.setErrorHandler((error, _, reply) => {
    if (!(error instanceof OAuthError)) throw error
    return reply.code(400).send({ error: error.code, error_description: error.message })
  })
}

function readForm({ headers, body }: FastifyRequest): URLSearchParams {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new OAuthError('invalid_request', 'The body has to be application/x-www-form-urlencoded.')
  return new URLSearchParams(body as string)
}
