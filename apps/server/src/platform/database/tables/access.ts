import type { DeliveryId, TokenEndReason, TokenId, TokenKind, UserId, WebhookId } from '@meadow/contract'
import type { AuditAction, AuditActorKind, DeliveryState, WebhookState } from '@meadow/contract/terms'
import type { Generated } from 'kysely'
import type {
  DeliveryKey,
  FolderKey,
  Key,
  Leased,
  Milliseconds,
  TeamKey,
  TokenKey,
  WebhookKey,
} from './column-types.ts'

/** The tables of `schema/access.sql`, and of `schema/devices.sql`. */
export interface AccessTables {
  token: TokenTable
  token_folder: TokenFolderTable
  token_reads: TokenReadsTable
  device_authorization: DeviceAuthorizationTable
  audit_chain: AuditChainTable
  audit_event: AuditEventTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
}

export interface TokenTable {
  id: Key<TokenKey>
  public_id: TokenId
  team_id: TeamKey
  name: string
  /** The first characters of the secret, to identify tokens in a list. */
  hint: string
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  /** The scopes of the token in the form of `writeScopes`. */
  scopes: string
  created_at: Milliseconds
  expires_at: Milliseconds | null
  revoked_at: Milliseconds | null
  /** The user that made the token; null for the operator, or when the account is deleted. */
  created_by: UserId | null
  /** Why the server revoked the token at `revoked_at`; null when it was not revoked, or was revoked by a person. */
  end_reason: TokenEndReason | null
  /** 1 when the token may read only the folders in `token_folder`. */
  is_limited: Generated<0 | 1>
  // Who it belongs to, where it works, and how it ends.
  /** `personal`: the token ends with the membership of its creator. `service`: the token belongs to the team. */
  kind: Generated<TokenKind>
  /** The networks that the token works from, separated by spaces; null when it works from anywhere. */
  addresses: string | null
  /** The origins whose pages may read with the token, separated by spaces; null for none. */
  origins: string | null
  /** When the token was last used, to the minute. */
  last_used_at: Milliseconds | null
  /** The address of the client that used the token last. */
  last_used_from: string | null
  /** The token that replaced this one. */
  replaced_by: TokenId | null
  /** When the end of the token was announced by mail. */
  notice_sent_at: Milliseconds | null
}

/** A folder that a limited token may read, with everything below. */
export interface TokenFolderTable {
  token_id: TokenKey
  folder_id: FolderKey
}

/** How often a token read through an endpoint in a day. */
export interface TokenReadsTable {
  token_id: TokenKey
  /** The day in UTC, such as `2026-11-23`. */
  day: string
  /** The path of the endpoint, as the contract declares it. */
  endpoint: string
  reads: number
}

/** A program that asks for an API token (RFC 8628, OAuth 2.1). The row stays until its end, so that nothing is fetched twice. */
export interface DeviceAuthorizationTable {
  /** SHA-256 of the device code, or of the authorization code once there is one, which only the program has. */
  device_hash: Uint8Array
  /** HMAC of the user code, which is too short for a hash without a key. */
  user_hash: Uint8Array
  state: 'pending' | 'confirmed' | 'refused' | 'fetched'
  /** What the program calls itself, and the computer it says that it runs on. */
  program: string
  /** The network address that it asked from. */
  address: string
  asked_at: Milliseconds
  expires_at: Milliseconds
  /** When the program asked for the token last, while nobody had decided. */
  polled_at: Milliseconds | null
  // Who confirmed it, for which team, in which session, and the token that they chose; null until then.
  team_id: TeamKey | null
  user_id: UserId | null
  session_id: string | null
  /** A `NewToken` without its secret, as JSON. */
  token: string | null
  /** The token that was fetched. */
  token_id: TokenId | null
  /** An `AuthorizationRequest` as JSON; null for a program that shows a code. */
  request: string | null
}

/** The end of a chain of events. Triggers keep it from going back. */
export interface AuditChainTable {
  /** The public id of a team, or `service` for what belongs to no team. */
  id: string
  /** The number and the hash of the last event in the chain. */
  seq: number
  hash: string
  /** When the events of the chain were removed with their team; null while they are there. */
  purged_at: Milliseconds | null
}

/** An event. Triggers refuse changes, and deletions unless the chain is purged. */
export interface AuditEventTable {
  chain: string
  /** The number of the event in the chain, from 1 without gaps. */
  seq: number
  at: Milliseconds
  action: AuditAction
  actor_kind: AuditActorKind
  /** The id of the user or token that acted. */
  actor_id: string | null
  /** The name of the actor at that time, which is the e-mail address of a user. */
  actor_name: string | null
  /** The network address of the client. */
  address: string | null
  /** The id of the session. */
  session: string | null
  /** The public id of the token. */
  token: string | null
  /** The id of the request, which is in the log of requests, too. */
  request: string | null
  thing_kind: string | null
  thing_id: string | null
  /** The name of the thing at that time. */
  thing_name: string | null
  /** Further facts, as a JSON object. */
  details: string | null
  /** SHA-256 over the previous hash and all other columns, in hexadecimal digits. */
  hash: string
}

/** An address to which a team's events are sent. */
export interface WebhookTable {
  id: Key<WebhookKey>
  public_id: WebhookId
  team_id: TeamKey
  name: string
  url: string
  /** The types of events, with a comma before and after each: `,document.solved,document.failed,`. */
  events: string
  /**
   * 1 when only events of documents below `folder_id` are sent, or none when that is null since the folder was deleted.
   */
  is_limited: 0 | 1
  folder_id: FolderKey | null
  state: WebhookState
  /** A sentence about why the webhook was ended. */
  reason: string | null
  /** The secret that messages are signed with, encrypted by `seal`. */
  secret: string
  /** The previous secret, which also signs until `former_until`. */
  former_secret: string | null
  former_until: Milliseconds | null
  /** How many attempts have failed since the last success, and since when they fail. */
  failures: number
  failing_since: Milliseconds | null
  /** Nothing is tried before this time, by the clock of the database. */
  resume_at: Milliseconds
  delivered_at: Milliseconds | null
  created_at: Milliseconds
  /** The user that made the webhook; null when the account is deleted. */
  created_by: UserId | null
}

/** A message to a webhook: it waits in the outbox, or ended within the last days. */
export interface WebhookDeliveryTable extends Leased {
  id: Key<DeliveryKey>
  /** The id that the receiver sees as `webhook-id`, which is the same with each attempt. */
  public_id: DeliveryId
  webhook_id: WebhookKey
  team_id: TeamKey
  type: string
  /** The name of the document. */
  about: string | null
  /** The JSON that is sent. */
  body: string
  /** A unique key. While it is set and no attempt was made, a later event of the same kind replaces the body. */
  merge_key: string | null
  state: DeliveryState
  created_at: Milliseconds
  /** When the delivery is given up. */
  expires_at: Milliseconds
  /** When the delivery may be tried next, by the clock of the database. */
  next_at: Milliseconds
  /** The number of attempts since the delivery was created or replayed. */
  attempts: number
  ended_at: Milliseconds | null
}

export interface WebhookAttemptTable {
  id: Key<number>
  delivery_id: DeliveryKey
  at: Milliseconds
  duration_ms: number
  /** The status of the response; null when there was none. */
  status: number | null
  /** A sentence about what was wrong. */
  error: string | null
  /** The first characters of the response. */
  response: string | null
}
