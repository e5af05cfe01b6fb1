import type { DeliveryId, UserId, WebhookId } from '@meadow/contract'
import type { DeliveryState, WebhookState } from '@meadow/contract/terms'
import type {
  DeliveryKey,
  FolderKey,
  Key,
  Leased,
  Milliseconds,
  TeamKey,
  WebhookKey,
} from './column-types.ts'

export interface WebhookTables {
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
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
