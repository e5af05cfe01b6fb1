import { hash } from 'node:crypto'
import { ALL_SCOPES, type Scope } from '@meadow/contract'
import { isLoopback } from '../../http/connection/address.ts'
import { type GetClient, isRedirectOf } from './client-document.ts'
import { OAuthError } from './oauth-error.ts'

/** What a program asks for that gets its answer in a browser (OAuth 2.1, 4.1.1), as it is kept until it has its token. */
export interface AuthorizationRequest {
  /** The `client_id`: the address of the document that describes the program. */
  client: string
  redirectUri: string
  /** Goes back with the answer as it came. */
  state?: string | undefined
  /** SHA-256 of the verifier of RFC 7636, in base64url. */
  challenge: string
  /** Where the program says that it uses the token (RFC 8707). */
  resource: string
  /** What it asks for; empty: anything. */
  scopes: Scope[]
  /** The address of this service, by which the program tells authorization servers apart (RFC 9207). */
  issuer: string
}

/** What a program shows with an authorization code, so that nobody else uses the code. */
export interface CodeProof {
  client: string
  verifier: string
  redirectUri?: string | undefined
  resource?: string | undefined
}

/** The longest texts of requests, in UTF-16 code units: names of programs and of computers, and addresses. */
const MAX_NAME_LENGTH = 100
export const MAX_ADDRESS_LENGTH = 1000

/** Returns a parameter; undefined when it is missing or empty. */
export function readParameter(
  parameters: URLSearchParams,
  name: string,
  maxLength = MAX_NAME_LENGTH,
): string | undefined {
  const [text, ...more] = parameters.getAll(name)
  if (more.length > 0 || (text && text.length > maxLength))
    throw new OAuthError('invalid_request', `The parameter ${name} is there twice, or too long.`)
  return text || undefined
}

/** Returns a parameter that has to be there. */
export function needParameter(parameters: URLSearchParams, name: string): string {
  const text = readParameter(parameters, name, MAX_ADDRESS_LENGTH)
  if (text === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return text
}

export interface AuthorizationParts {
  getClient: GetClient
  /** The address of this service. */
  issuer: string
  /** The address of MCP over HTTP for this service, where it is configured. */
  mcpUrl: string | undefined
}

/**
 * Reads what a program asks for, and what it is called. Rejects with an {@link OAuthError}, which the person sees: since
 * everyone can be a client, nobody is redirected before they have decided (RFC 9700, 4.11.2).
 */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  { getClient, issuer, mcpUrl }: AuthorizationParts,
): Promise<{ program: string; asked: AuthorizationRequest }> {
  const need = (name: string) => needParameter(query, name)
  const [id, redirectUri] = [need('client_id'), need('redirect_uri')]
  if (need('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'The parameter response_type has to be code.')
  if (need('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(need('code_challenge')))
    throw new OAuthError('invalid_request', 'The parameter code_challenge has to be one of the method S256.')
  const resource = need('resource')
  if (!isResource(resource, [issuer, mcpUrl]))
    throw new OAuthError(
      'invalid_target',
      `No token is given for ${resource}: it is not below the address of this service, nor one that its operator names (MEADOW_MCP_URL).`,
    )
  const client = await getClient(id)
  if (!isRedirectOf(client, redirectUri))
    throw new OAuthError(
      'invalid_request',
      `${client.name} does not list ${redirectUri} as its redirect_uri.`,
    )
  const asked = {
    ...{ client: id, redirectUri, resource, issuer },
    state: readParameter(query, 'state', MAX_ADDRESS_LENGTH),
    challenge: need('code_challenge'),
    scopes: ALL_SCOPES.filter((scope) => query.get('scope')?.split(' ').includes(scope)),
  }
  return { program: client.name, asked }
}

/**
 * Whether a token may be used at an address: below those of this service, or on the computer of the person. A program
 * sends the token there, so that any other address would get it (RFC 8707, 2).
 */
function isResource(resource: string, own: readonly (string | undefined)[]): boolean {
  const url = URL.parse(resource)
  if (!url || !['http:', 'https:'].includes(url.protocol) || resource.includes('#')) return false
  return (
    isLoopback(url.hostname) ||
    own.some((address) => address !== undefined && `${url.href}/`.startsWith(`${address}/`))
  )
}

/** Whether who shows this is the program that asked. A program that shows a code (RFC 8628) asked for nothing. */
export function isProofOf(proof: CodeProof | undefined, asked: AuthorizationRequest | undefined): boolean {
  if (!proof || !asked) return !proof && !asked
  return (
    proof.client === asked.client &&
    [undefined, asked.redirectUri].includes(proof.redirectUri) &&
    [undefined, asked.resource].includes(proof.resource) &&
    hash('sha256', proof.verifier, 'base64url') === asked.challenge
  )
}

/** The address to which the browser takes the answer (RFC 6749, 4.1.2; RFC 9207). */
export function redirectOf(
  { redirectUri, state, issuer }: AuthorizationRequest,
  answer: { code: string } | { error: 'access_denied' },
): string {
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  // What the address has already stays as it is (RFC 6749, 3.1.2).
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}
