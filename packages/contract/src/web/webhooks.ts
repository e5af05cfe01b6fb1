import Type, { type Static } from 'typebox'
import { FolderId, Timestamp } from '../ids.ts'
import {
  DELIVERY_STATES,
  MAX_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  WEBHOOK_FOLDER_STATES,
  WEBHOOK_OVERLAPS,
  WEBHOOK_STATES,
  type WebhookEventType,
} from '../webhooks.ts'
import { appEndpoint } from './app-endpoint.ts'
import { After, Next, Nothing } from './bodies.ts'
import { PersonReference } from './people.ts'
import { TeamParams } from './team-settings.ts'

const OptionalTimestamp = Type.Union([Timestamp, Type.Null()])
const OptionalText = Type.Union([Type.String(), Type.Null()])
const EventList = Type.Array(Type.Enum(Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]), { minItems: 1 })

const WebhookFolder = Type.Object({
  /** The id and the name are null when the folder was deleted permanently. */
  id: Type.Union([FolderId, Type.Null()]),
  name: OptionalText,
  state: Type.Enum([...WEBHOOK_FOLDER_STATES]),
})

export const Webhook = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: EventList,
  /** The folder with the documents that the webhook gets messages about, at any depth. Null: the whole team. */
  folder: Type.Union([WebhookFolder, Type.Null()]),
  state: Type.Enum([...WEBHOOK_STATES]),
  /** Why the service ended the webhook, as a sentence. */
  reason: OptionalText,
  /** The time since which no delivery has succeeded, while deliveries fail. */
  failingSince: OptionalTimestamp,
  lastDeliveredAt: OptionalTimestamp,
  /** The number of deliveries that wait. */
  waiting: Type.Integer(),
  /** The time until which messages are also signed with the former secret. */
  formerSecretUntil: OptionalTimestamp,
  createdAt: Timestamp,
  /** Null: a deleted account. */
  createdBy: Type.Union([PersonReference, Type.Null()]),
})
export type Webhook = Static<typeof Webhook>

const DeliveryAttempt = Type.Object({
  at: Timestamp,
  /** The status of the response; null when there was none. */
  status: Type.Union([Type.Integer(), Type.Null()]),
  durationMs: Type.Integer(),
  /** What went wrong, as a sentence; null when the message was delivered. */
  error: OptionalText,
  /** The first characters of the response. */
  response: OptionalText,
})

/** A message to a webhook, and the state of its delivery. */
export const Delivery = Type.Object({
  /** What the receiver sees as `webhook-id`. */
  id: Type.String(),
  type: Type.String(),
  /** The name of the document at the time of the event. */
  about: OptionalText,
  state: Type.Enum([...DELIVERY_STATES]),
  createdAt: Timestamp,
  /** The time of the next attempt, while the delivery waits. */
  nextAt: OptionalTimestamp,
  endedAt: OptionalTimestamp,
  /** The attempts, the newest first, at most ten. */
  attempts: Type.Array(DeliveryAttempt),
})
export type Delivery = Static<typeof Delivery>

const SETTINGS = {
  name: Type.String(),
  url: Type.String({ maxLength: MAX_WEBHOOK_URL }),
  events: EventList,
  /**
   * The folder whose documents the webhook gets messages about. Null, the root folder, or a new webhook without a
   * folder: the whole team.
   */
  folder: Type.Optional(Type.Union([FolderId, Type.Null()])),
}

/** The team's webhooks, the oldest first. */
export const listWebhooks = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/webhooks',
  needs: 'owner',
  params: TeamParams,
  response: Type.Object({ webhooks: Type.Array(Webhook) }),
})

const Secret = Type.String({ description: 'What messages are signed with: `whsec_` and base64.' })

/** Add a webhook. Its secret can be shown again. */
export const createWebhook = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Object(SETTINGS),
  response: Type.Object({ webhook: Webhook, secret: Secret }),
  status: 201,
  errors: ['name_not_acceptable', 'webhook_url_not_acceptable', 'folder_not_found', 'too_many_webhooks'],
})

const WebhookParams = Type.Object({ teamId: Type.String(), webhookId: Type.String() })

/** Change a webhook, disable it, or enable it again. When it is enabled, the messages that wait are delivered. */
export const changeWebhook = appEndpoint({
  method: 'PATCH',
  path: '/teams/:teamId/webhooks/:webhookId',
  needs: 'owner',
  needsFreshSignIn: true,
  params: WebhookParams,
  body: Type.Partial(Type.Object({ ...SETTINGS, enabled: Type.Boolean() })),
  response: Type.Object({ webhook: Webhook }),
  errors: ['webhook_not_found', 'name_not_acceptable', 'webhook_url_not_acceptable', 'folder_not_found'],
})

/** Remove a webhook with its log and the messages that wait. */
export const removeWebhook = appEndpoint({
  method: 'DELETE',
  path: '/teams/:teamId/webhooks/:webhookId',
  needs: 'owner',
  params: WebhookParams,
  response: Nothing,
  errors: ['webhook_not_found'],
})

/** Show the secret of a webhook, which is recorded in the audit log. */
export const showWebhookSecret = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks/:webhookId/secret',
  needs: 'owner',
  needsFreshSignIn: true,
  params: WebhookParams,
  response: Type.Object({ secret: Secret }),
  errors: ['webhook_not_found', 'webhook_secret_lost'],
})

/** Give a webhook a new secret. Messages are also signed with the former one for the chosen hours. */
export const rotateWebhookSecret = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks/:webhookId/rotation',
  needs: 'owner',
  needsFreshSignIn: true,
  params: WebhookParams,
  body: Type.Object({ overlapHours: Type.Enum([...WEBHOOK_OVERLAPS]) }),
  response: Type.Object({ webhook: Webhook, secret: Secret }),
  errors: ['webhook_not_found'],
})

/** Send a test message. The log shows its delivery. */
export const testWebhook = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks/:webhookId/tests',
  needs: 'owner',
  params: WebhookParams,
  response: Type.Object({ deliveryId: Type.String() }),
  status: 202,
  errors: ['webhook_not_found', 'webhook_not_enabled', 'too_many_tests'],
})

/** The messages that were sent to a webhook or wait: the newest first, 50 at a time. */
export const listDeliveries = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/webhooks/:webhookId/deliveries',
  needs: 'owner',
  params: WebhookParams,
  query: Type.Object({
    state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
    type: Type.Optional(Type.String({ maxLength: 100 })),
    after: After,
  }),
  response: Type.Object({ deliveries: Type.Array(Delivery), next: Next }),
  errors: ['webhook_not_found'],
})

/** Deliver a message again that was delivered or given up, or at once if it waits, under the same id. */
export const replayDelivery = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks/:webhookId/deliveries/:deliveryId/replay',
  needs: 'owner',
  params: Type.Object({ teamId: Type.String(), webhookId: Type.String(), deliveryId: Type.String() }),
  response: Type.Object({ delivery: Delivery }),
  status: 202,
  errors: ['webhook_not_found', 'webhook_not_enabled', 'delivery_not_found'],
})

/** Deliver every message again that was given up and whose event happened at `since` or later, under the same ids. */
export const replayFailed = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/webhooks/:webhookId/replays',
  needs: 'owner',
  params: WebhookParams,
  body: Type.Object({ since: Timestamp }),
  response: Type.Object({ replayed: Type.Integer() }),
  status: 202,
  errors: ['webhook_not_found', 'webhook_not_enabled', 'webhook_time_not_acceptable'],
})
