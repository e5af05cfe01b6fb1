import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { TokenPrincipal, TokenPrincipalStore } from '../access/token-principal.store.ts'
import { hashToken, looksLikeToken } from '../access/tokens.ts'
import { hostNameOf } from './host.ts'
import { HttpError } from './http-error.ts'

const BEARER = /^bearer +(\S+) *$/i

/** What the 401 of every kind carries (decision 2). */
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } }

/** Who is asking: the reader that the token stands for. Refuses with 401, or 403 for another team's host name. */
export async function authenticate(
  headers: IncomingHttpHeaders,
  readers: TokenPrincipalStore,
): Promise<TokenPrincipal> {
  const { authorization } = headers
  if (authorization === undefined) throw new HttpError('token_missing', CHALLENGE)
  const hash = readHash(authorization)
  if (!hash) throw new HttpError('token_not_valid', CHALLENGE)
  const reader = await readers.findPrincipal(hash, hostNameOf(headers.host), Date.now())
  if (!reader) throw new HttpError('token_not_valid', CHALLENGE)
  if (reader.atHostOfAnotherTeam) throw new HttpError('token_of_another_team')
  return reader
}

/** The scheme and a token; blanks between them have no limit. */
const MAX_KNOWN_LENGTH = 200

// A script sends the same header again and again.
const hashes = new LRUCache<string, Uint8Array>({ max: 1000 })

/** The hash of the token in the header, or undefined when there is none of a token's form. */
function readHash(authorization: string): Uint8Array | undefined {
  const known = hashes.get(authorization)
  if (known) return known
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined || !looksLikeToken(token)) return undefined
  const hash = hashToken(token)
  if (authorization.length <= MAX_KNOWN_LENGTH) hashes.set(authorization, hash)
  return hash
}

/** Whether the header carries an API token, of whatever validity, so that it is refused outside the prefix. */
export const carriesToken = (authorization: string | undefined): boolean =>
  authorization?.includes('mdw_') ?? false
