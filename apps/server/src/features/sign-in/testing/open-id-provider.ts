import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd, type TestScope } from '../../../testing/at-end.ts'

/** The person that the provider has authenticated, also with claims of any kind. */
export interface Claims {
  sub: string
  email: string
  email_verified: boolean
  name: string
  [claim: string]: unknown
}

/** What a code was given for: the parameters of the request, and the person. */
interface Authorized {
  asked: URLSearchParams
  claims: Claims
}

/** The key of every provider: to make one takes as long as a sign-in. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A fake OpenID provider that authenticates everyone as the person that the test chooses. */
export async function startOpenIdProvider(t: TestScope) {
  const codes = new Map<string, Authorized>()
  let claims: Claims | undefined
  let isUp = true
  let lies: Record<string, unknown> = {}
  let isSigning = true
  let isCheckingChallenge = true
  let answer: Record<string, string> = {}
  let forge: ((payload: object) => string) | undefined
  let issuer = ''
  let publishedIssuer: string | undefined
  const bearers = new Map<string, Claims>()
  let tellMore: (claims: Claims) => unknown = ({ sub }) => ({ sub })

  const responses: Record<string, (request: IncomingMessage, url: URL) => Promise<unknown> | unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: publishedIssuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }],
    }),
    async '/token'(request) {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += chunk
      const form = new URLSearchParams(text)
      const known = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const isSame = (name: string) => known?.asked.get(name) === form.get(name)
      if (!known || !isSame('client_id') || !isSame('redirect_uri') || form.get('client_secret') !== 'secret')
        return undefined
      if (isCheckingChallenge && known.asked.get('code_challenge') !== proof) return undefined
      const now = Math.floor(Date.now() / 1000)
      const token = {
        iss: issuer,
        aud: 'meadow',
        iat: now,
        exp: now + 60,
        nonce: known.asked.get('nonce'),
        ...known.claims,
        ...lies,
      }
      const bearer = randomUUID()
      bearers.set(`Bearer ${bearer}`, known.claims)
      return { access_token: bearer, token_type: 'Bearer', expires_in: 60, id_token: (forge ?? write)(token) }
    },
    '/userinfo'({ headers }) {
      const claims = bearers.get(headers.authorization ?? '')
      return claims && tellMore(claims)
    },
  }

  function write(payload: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: 'key', typ: 'JWT' })}.${part(payload)}`
    const key = isSigning ? privateKey : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer)
    if (!isUp) {
      response.writeHead(503).end()
      return
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      const { searchParams } = url
      codes.set(code, { asked: searchParams, claims: claims! })
      const back = new URL(searchParams.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state')!)
      for (const [name, value] of Object.entries(answer)) back.searchParams.append(name, value)
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const body = await responses[url.pathname]?.(request, url)
    response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'invalid_request' }))
  }

  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer,
    authorize(who: Claims) {
      claims = who
    },
    /** Changes claims of the tokens from now on, and whether they are signed with the provider's key. */
    lie(claims: Record<string, unknown>, isSigned = true) {
      lies = claims
      isSigning = isSigned
    },
    /** Makes the ID tokens from now on; undefined: they are signed again. */
    forge(write: ((payload: object) => string) | undefined) {
      forge = write
    },
    /** The key that its tokens are signed with, as it is published. */
    publicKey,
    /** Adds parameters to the address at which people come back. */
    answer(parameters: Record<string, string>) {
      answer = parameters
    },
    /** Whether it compares the challenge of PKCE. */
    checkChallenge(value: boolean) {
      isCheckingChallenge = value
    },
    /** What its userinfo endpoint says of a person from now on; undefined: it fails. */
    tellMore(write: (claims: Claims) => unknown) {
      tellMore = write
    },
    /** The issuer that its metadata name from now on. */
    publishIssuer(value: string) {
      publishedIssuer = value
    },
    setUp(value: boolean) {
      isUp = value
    },
  }
}
