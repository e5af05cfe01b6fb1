import { ALL_SCOPES } from '@meadow/contract'
import { confirmDevice, lookAtDevice, refuseDevice } from '@meadow/contract/web'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Person } from '../../access/sessions.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { checkSameSite } from '../../http/app-api/authorize.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { readNewToken, rethrowTokenError } from './api-tokens.routes.ts'
import {
  DEVICE_MS,
  type DeviceAuthorizations,
  type DeviceError,
  POLL_SECONDS,
} from './device-authorization.store.ts'

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
      const found = await store.find(request.body.code)
      if (!found) throw new HttpError('device_code_not_found')
      const { program, address, asked_at, expires_at } = found
      return { program, address, askedAt: toTimestamp(asked_at), expiresAt: toTimestamp(expires_at) }
    }),
  ),

  serveApp(confirmDevice, (request) =>
    limitGuesses(request, async () => {
      const { code, token: wanted } = request.body
      const { token, actor } = await readNewToken(database.read, request, wanted)
      if (!(await store.confirm(actor, code, token).catch(rethrowTokenError)))
        throw new HttpError('device_code_not_found')
    }),
  ),

  serveApp(refuseDevice, (request) =>
    limitGuesses(request, async () => {
      if (!(await store.refuse(request.body.code))) throw new HttpError('device_code_not_found')
    }),
  ),
]

export interface OAuthParts {
  store: Pick<DeviceAuthorizations, 'begin' | 'redeem'>
  /** Counts a program that asks from an address; throws a 429 when there were too many. */
  countProgram(ip: string): Promise<void>
  /** The public address of the server, where it is configured. */
  baseUrl: string | undefined
  /** The origin of that address. */
  ownOrigin: string | undefined
}

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
const PATHS = { device: '/oauth/device_authorization', token: '/oauth/token' } as const

/** Longer than any request that is answered with a token. */
const MAX_FORM_BYTES = 8 * 1024
/** The longest name of a program, and of a computer, in UTF-16 code units. */
const MAX_NAME_LENGTH = 100

/** An error in the form of RFC 6749, 5.2, which differs from all others of the service. */
class OAuthError extends Error {
  readonly code: string
  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

const DESCRIPTIONS: Record<DeviceError, string> = {
  authorization_pending: 'Nobody has confirmed the program yet.',
  slow_down: 'The program asks too often: wait five seconds longer between two requests.',
  access_denied: 'The program was refused, or who confirmed it may not create such a token any more.',
  expired_token: 'Nobody confirmed the program in time: begin again.',
  invalid_grant: 'The device code is unknown, or a token was fetched with it.',
}

/** Mounts the endpoints that programs use to get a token (RFC 8628), and what they can find out about them (RFC 8414). */
export function mountOAuth(app: FastifyInstance, parts: OAuthParts): void {
  const { store, countProgram, baseUrl, ownOrigin } = parts
  const addressOf = ({ raw }: FastifyRequest) => publicAddress(baseUrl, raw)
  app.get('/.well-known/oauth-authorization-server', FOR_ANYONE, (request) => ({
    issuer: addressOf(request),
    device_authorization_endpoint: addressOf(request) + PATHS.device,
    token_endpoint: addressOf(request) + PATHS.token,
    token_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: [GRANT_TYPE],
    response_types_supported: [],
    scopes_supported: ALL_SCOPES,
  }))
  void app.register(async (scope) => {
    acceptForms(scope)
    // A page of another site could use up how many programs may ask from its visitor's address.
    scope.addHook('onRequest', async ({ raw }) => checkSameSite(raw, ownOrigin))

    scope.post(PATHS.device, FOR_ANYONE, async (request) => {
      const form = readForm(request)
      const [client, computer] = [readText(form, 'client_id'), readText(form, 'device_name')]
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
      const form = readForm(request)
      const [grant, code] = [readText(form, 'grant_type'), readText(form, 'device_code')]
      if (grant && grant !== GRANT_TYPE)
        throw new OAuthError('unsupported_grant_type', `The only grant type here is ${GRANT_TYPE}.`)
      if (!grant || !code)
        throw new OAuthError('invalid_request', 'The parameters grant_type and device_code are needed.')
      const fetched = await store.redeem(code, { address: request.ip, request: request.id })
      if (typeof fetched === 'string') throw new OAuthError(fetched, DESCRIPTIONS[fetched])
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

/** Returns a parameter without the spaces around it; undefined when it is missing or empty. */
function readText(form: URLSearchParams, name: string): string | undefined {
  const texts = form.getAll(name)
  const text = texts[0]?.trim()
  if (texts.length > 1 || (text && text.length > MAX_NAME_LENGTH))
    throw new OAuthError('invalid_request', `The parameter ${name} is there twice, or too long.`)
  return text || undefined
}
