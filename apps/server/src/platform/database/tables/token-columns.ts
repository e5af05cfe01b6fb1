import type { TokenId, TokenKind } from '@meadow/contract'
import type { Generated } from 'kysely'
import type { Milliseconds } from './column-types.ts'

/** The columns of `token` about who it belongs to, where it works, and how it ends. */
export interface TokenLifeColumns {
  /** `personal`: the token ends with the membership of its creator. `service`: the token belongs to the team. */
  kind: Generated<TokenKind>
  /** The networks that the token works from, separated by spaces; null when it works from anywhere. */
  addresses: string | null
  /** When the token was last used, to the minute. */
  last_used_at: Milliseconds | null
  /** The address of the client that used the token last. */
  last_used_from: string | null
  /** The token that replaced this one. */
  replaced_by: TokenId | null
  /** When the end of the token was announced by mail. */
  notice_sent_at: Milliseconds | null
}

/** The columns of `team` that limit its API tokens. Null stands for no limit. */
export interface TokenPolicyColumns {
  /** The longest life of a token in days. */
  token_longest_days: Generated<number | null>
  /** The scopes that tokens may have, in the form of `token.scopes`. */
  token_scopes: Generated<string | null>
  /** The networks that tokens may work from, in the form of `token.addresses`. */
  token_addresses: Generated<string | null>
}
