import type { UserId } from '@meadow/contract'
import type { Milliseconds } from './column-types.ts'

/** Something that a person signs in with beside or in place of their password. */
export interface SecondFactorTable {
  id: string
  user_id: UserId
  /** The kind; `totp` stands for codes of an authenticator app, of which a person has at most one. */
  kind: 'totp' | 'passkey'
  name: string
  created_at: Milliseconds
  used_at: Milliseconds | null
  /** The secret of codes, encrypted. */
  secret: string | null
  /** The number of the latest interval whose code was used. Codes of older intervals are not accepted any more. */
  last_step: number | null
  /** The columns from here on are those of a passkey. */
  credential_id: string | null
  /** The host name that the passkey was made for. Browsers offer it only there. */
  relying_party: string | null
  public_key: Uint8Array | null
  /** How often the passkey was used, as its authenticator counts; 0 when it does not count. */
  counter: number | null
  /** How browsers can reach the authenticator, as JSON. */
  transports: string | null
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeTable {
  user_id: UserId
  /** The SHA-256 of the random bits of the code. */
  hash: Uint8Array
}

/** A challenge that a passkey has answered: it is not accepted again while it is valid. */
export interface SpentChallengeTable {
  hash: Uint8Array
  until: Milliseconds
}
