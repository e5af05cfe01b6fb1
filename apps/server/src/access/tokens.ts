import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ALL_SCOPES, type Scope } from '@meadow/contract'
import { base32OfUint32, isBase32, randomBase32 } from '../platform/base32.ts'

/** By which a token is spotted, in a log or a public repository. */
const PREFIX = 'mdw_'

/** 160 random bits. */
const RANDOM_LENGTH = 32

const CHECKSUM_LENGTH = 7

const TOKEN_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH

const HINT_LENGTH = PREFIX.length + 4

/** A new secret: `mdw_`, 32 random letters and digits, and a checksum of them. */
export function createTokenSecret(): string {
  const random = randomBase32(RANDOM_LENGTH)
  return `${PREFIX}${random}${checksum(random)}`
}

/** Whether an `Authorization` header has an API token, valid or not, which is rejected outside the prefix. */
export const carriesToken = (authorization: string | undefined): boolean =>
  authorization?.includes(PREFIX) ?? false

/** Whether `text` has a token's form and its checksum is right; nothing is looked up. */
export function looksLikeToken(text: string): boolean {
  if (text.length !== TOKEN_LENGTH || !text.startsWith(PREFIX)) return false
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)
  return isBase32(random) && text.endsWith(checksum(random))
}

const checksum = (random: string) => base32OfUint32(crc32(random))

/** SHA-256 of the secret, which is what is stored and looked up: 160 random bits need no salt and no slow hash. */
export function hashToken(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** The first letters of a secret: enough to tell it from others, too few to guess it. */
export function tokenHint(secret: string): string {
  return secret.slice(0, HINT_LENGTH)
}

/** Scopes as a token's row holds them: their names, separated by spaces. */
export function writeScopes(scopes: Iterable<Scope>): string {
  const wanted = new Set(scopes)
  return ALL_SCOPES.filter((scope) => wanted.has(scope)).join(' ')
}

/** The scopes of a token's row; a name that is no scope any more is left out. */
export function readScopes(list: string): Scope[] {
  const names = new Set(list.split(' '))
  return ALL_SCOPES.filter((scope) => names.has(scope))
}
