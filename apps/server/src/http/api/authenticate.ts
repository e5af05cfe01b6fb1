import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { TokenPrincipal, TokenPrincipalStore } from '../../access/token-principal.store.ts'
import { hashToken, looksLikeToken } from '../../access/tokens.ts'
import { hostNameOf } from '../connection/address.ts'
import { HttpError } from '../http-error.ts'

const BEARER = /^bearer +(\S+) *$/i

/** What every 401 carries (decision 2). */
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } }

/** Returns the principal of the request's token. Throws 401, or 403 under another team's host name. */
export async function authenticate(
  headers: IncomingHttpHeaders,
  principals: TokenPrincipalStore,
): Promise<TokenPrincipal> {
  const { authorization } = headers
  if (authorization === undefined) throw new HttpError('token_missing', CHALLENGE)
  const hash = readHash(authorization)
  // A header of another form may hold a valid token: the sentence of `token_missing` says how to send it.
  if (!hash) throw new HttpError(BEARER.test(authorization) ? 'token_not_valid' : 'token_missing', CHALLENGE)
  const principal = await principals.findPrincipal(hash, hostNameOf(headers.host))
  if (!principal) throw new HttpError('token_not_valid', CHALLENGE)
  if (principal.atHostOfAnotherTeam) throw new HttpError('token_of_another_team')
  return principal
}

/** Longer headers are not cached: the number of spaces before the token is not limited. */
const MAX_CACHED_LENGTH = 200

// A script sends the same header with every request.
const hashes = new LRUCache<string, Uint8Array>({ max: 1000 })

/** Returns the hash of the token in the header; undefined when the header does not have a token's form. */
function readHash(authorization: string): Uint8Array | undefined {
  const cached = hashes.get(authorization)
  if (cached) return cached
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined || !looksLikeToken(token)) return undefined
  const hash = hashToken(token)
  if (authorization.length <= MAX_CACHED_LENGTH) hashes.set(authorization, hash)
  return hash
}
