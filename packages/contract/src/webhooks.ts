/** The events that webhooks send messages about: each by its type, in the words of a person. */
export const WEBHOOK_EVENTS = {
  'document.solved': 'A document was solved',
  'document.failed': 'A solve failed',
  'document.changed': 'A document was created, edited or renamed',
  'document.imported': 'A document was imported, or its file was imported again',
  'document.version_named': 'A version of a document was given a name',
} as const

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS

/** The type of the message that "Send a test" sends. Every webhook gets it. */
export const WEBHOOK_TEST = 'webhook.test'

/** The maximum number of webhooks of a team. */
export const MAX_WEBHOOKS = 10

/** The longest address of a webhook, in characters. */
export const MAX_WEBHOOK_URL = 2000

/**
 * The offered numbers of hours for which messages are also signed with the former secret, after a webhook got a new
 * one.
 */
export const WEBHOOK_OVERLAPS = [0, 1, 24, 168] as const

/**
 * `disabled` means disabled by an owner, and `ended` by the service, after days of failure or because the receiver
 * asked for it (410).
 */
export const WEBHOOK_STATES = ['enabled', 'disabled', 'ended'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** The states of the folder that a webhook is limited to. The webhook gets no messages unless the folder is in use. */
export const WEBHOOK_FOLDER_STATES = ['in_use', 'in_bin', 'deleted'] as const

/** A delivery is `failed` when it was given up after days of attempts. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The number of days for which a delivery that ended is in the log, and can be delivered again. */
export const DELIVERY_LOG_DAYS = 30
