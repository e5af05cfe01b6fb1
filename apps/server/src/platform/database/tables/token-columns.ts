import type { TokenId, TokenKind } from '@meadow/contract'
import type { Generated } from 'kysely'
import type { Milliseconds } from './column-types.ts'

/** The columns of `token` about who it belongs to, where it works, and how it ends. */
export interface TokenLifeColumns {
  /** `personal`: it ends with the membership of its creator. `service`: it belongs to the team. */
  kind: Generated<TokenKind>
  /** The networks that it works from, separated by spaces; null: from anywhere. */
  addresses: string | null
  /** To the minute. */
  last_used_at: Milliseconds | null
  /** The address of the client that used it last. */
  last_used_from: string | null
  /** The token that took its place. */
  replaced_by: TokenId | null
  /** When its end was announced by mail. */
  notice_sent_at: Milliseconds | null
}

/** The columns of `team` about its API tokens. Null: no limit. */
export interface TokenPolicyColumns {
  /** In days. */
  token_longest_days: Generated<number | null>
  /** As `token.scopes`. */
  token_scopes: Generated<string | null>
  /** As `token.addresses`. */
  token_addresses: Generated<string | null>
}
