import type { UserId } from '@meadow/contract'
import type { Milliseconds } from './column-types.ts'

/** Something that a person signs in with beside or in place of their password. */
export interface SecondFactorTable {
  id: string
  user_id: UserId
  /** `totp`: codes of an authenticator app, at most one for each person. */
  kind: 'totp' | 'passkey'
  name: string
  created_at: Milliseconds
  used_at: Milliseconds | null
  /** Of codes: encrypted. */
  secret: string | null
  /** Of codes: the number of the latest interval whose code was used; older ones are not accepted any more. */
  last_step: number | null
  /** The columns from here on are those of a passkey. */
  credential_id: string | null
  /** The host name that it was made for. Browsers offer it there only. */
  relying_party: string | null
  public_key: Uint8Array | null
  /** How often the authenticator says that it was used; 0 when it does not count. */
  counter: number | null
  /** How it can be reached, for browsers: JSON. */
  transports: string | null
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeTable {
  user_id: UserId
  /** SHA-256 of its random bits. */
  hash: Uint8Array
}

/** A challenge that a passkey has answered: it is not accepted again while it is valid. */
export interface SpentChallengeTable {
  hash: Uint8Array
  until: Milliseconds
}
