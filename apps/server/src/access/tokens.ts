import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ALL_SCOPES, type Scope } from '@meadow/contract/terms'
import { base32OfUint32, isBase32, randomBase32 } from '../platform/base32.ts'

/** The prefix of tokens, which makes them easy to find in logs and public repositories. */
const PREFIX = 'mdw_'

/** The number of random characters, which are 160 bits. */
const RANDOM_LENGTH = 32

const CHECKSUM_LENGTH = 7

const TOKEN_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH

const HINT_LENGTH = PREFIX.length + 4

/** Creates a secret: `mdw_`, 32 random characters, and a checksum of them. */
export function createTokenSecret(): string {
  const random = randomBase32(RANDOM_LENGTH)
  return `${PREFIX}${random}${checksum(random)}`
}

/** Whether an `Authorization` header has an API token, valid or not, which is rejected outside the prefix. */
export const carriesToken = (authorization: string | undefined): boolean =>
  authorization?.includes(PREFIX) ?? false

const BEARER = /^bearer +(\S+) *$/i

/** Returns the secret in an `Authorization` header; undefined when it has another form. */
export const readBearer = (authorization = ''): string | undefined => BEARER.exec(authorization)?.[1]

/** Whether `text` has a token's form and its checksum is right; nothing is looked up. */
export function looksLikeToken(text: string): boolean {
  if (text.length !== TOKEN_LENGTH || !text.startsWith(PREFIX)) return false
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)
  return isBase32(random) && text.endsWith(checksum(random))
}

const checksum = (random: string) => base32OfUint32(crc32(random))

/** Returns the SHA-256 of a secret, which is stored and looked up: 160 random bits need no salt and no slow hash. */
export function hashToken(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** Returns the first characters of a secret: enough to recognise it, too few to guess it. */
export function tokenHint(secret: string): string {
  return secret.slice(0, HINT_LENGTH)
}

/** Writes scopes as they are stored: their names, separated by spaces. */
export function writeScopes(scopes: Iterable<Scope>): string {
  const set = new Set(scopes)
  return ALL_SCOPES.filter((scope) => set.has(scope)).join(' ')
}

/** Reads stored scopes; names that are no longer scopes are left out. */
export function readScopes(list: string): Scope[] {
  const names = new Set(list.split(' '))
  return ALL_SCOPES.filter((scope) => names.has(scope))
}
