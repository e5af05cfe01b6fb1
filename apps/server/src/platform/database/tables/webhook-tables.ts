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

/** An address that a team is told of events at. */
export interface WebhookTable {
  id: Key<WebhookKey>
  public_id: WebhookId
  team_id: TeamKey
  name: string
  url: string
  /** The types of events, with a comma before and after each: `,document.solved,document.failed,`. */
  events: string
  /** 1: it is told of the documents below `folder_id` only; of nothing when that is null, since the folder was deleted. */
  is_limited: 0 | 1
  folder_id: FolderKey | null
  state: WebhookState
  /** Why it was ended: a sentence. */
  reason: string | null
  /** What messages are signed with, encrypted (`seal`). */
  secret: string
  /** The one before, which signs too until then. */
  former_secret: string | null
  former_until: Milliseconds | null
  /** How many attempts have failed since one succeeded, and since when. */
  failures: number
  failing_since: Milliseconds | null
  /** Nothing is tried before this time, by the clock of the database. */
  resume_at: Milliseconds
  delivered_at: Milliseconds | null
  created_at: Milliseconds
  /** Null when the account is deleted. */
  created_by: UserId | null
}

/** A message to a webhook: it waits in the outbox, or ended within the last days. */
export interface WebhookDeliveryTable extends Leased {
  id: Key<DeliveryKey>
  /** The receiver sees it as `webhook-id`, the same with each attempt. */
  public_id: DeliveryId
  webhook_id: WebhookKey
  team_id: TeamKey
  type: string
  /** The name of the document. */
  about: string | null
  /** The JSON that is sent. */
  body: string
  /** A later event of the same kind replaces the body while this is set, and no attempt was made. Unique. */
  merge_key: string | null
  state: DeliveryState
  created_at: Milliseconds
  /** After this it is given up. */
  expires_at: Milliseconds
  /** Not tried before this time, by the clock of the database. */
  next_at: Milliseconds
  /** Since it was created, or replayed. */
  attempts: number
  ended_at: Milliseconds | null
}

export interface WebhookAttemptTable {
  id: Key<number>
  delivery_id: DeliveryKey
  at: Milliseconds
  duration_ms: number
  /** Null when there was no response. */
  status: number | null
  /** What was wrong: a sentence. */
  error: string | null
  /** The first characters of the response. */
  response: string | null
}
