import type { DeliveryId, FolderId, UserId, WebhookId } from '@meadow/contract'
import { MAX_WEBHOOKS, type WebhookEventType } from '@meadow/contract/terms'
import { timeOf } from '../../platform/database/database-clock.ts'
import { readName } from '../../platform/database/names.ts'
import type { WebhookKey } from '../../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../../platform/public-ids.ts'
import { getFolders } from '../../team/folders.ts'
import type { TeamTransaction, TeamWrite } from '../../team/team-transaction.ts'
import { enqueueTest, TRIED_MS, writeEventTypes } from '../../team/webhook-events.ts'

/** A webhook cannot be changed as it was asked for. The code is that of the `HttpError`. */
export class WebhookError extends Error {
  readonly code:
    | 'webhook_not_found'
    | 'webhook_not_enabled'
    | 'too_many_webhooks'
    | 'too_many_tests'
    | 'delivery_not_found'
  constructor(code: WebhookError['code']) {
    super(`The webhook cannot be changed: ${code}.`)
    this.code = code
  }
}

export interface NewWebhook {
  name: string
  /** The address, which was checked before. */
  url: string
  events: readonly WebhookEventType[]
  /** Limits the webhook to documents below this folder; null or the root stands for the whole team. */
  folder: FolderId | null
  /** Encrypted. */
  secret: string
  createdBy: UserId
}

export type ChangedWebhook = Partial<
  Pick<NewWebhook, 'name' | 'url' | 'events' | 'folder'> & { enabled: boolean }
>

/** More tests than that wait for each other. */
const MAX_WAITING_TESTS = 5

async function get({ write, team }: TeamWrite, id: string) {
  const webhook = isPublicId('whk', id)
    ? await write
        .selectFrom('webhook')
        .where('public_id', '=', id)
        .where('team_id', '=', team)
        .select(['id as key', 'public_id as id', 'name', 'state', 'secret', 'url'])
        .executeTakeFirst()
    : undefined
  if (!webhook) throw new WebhookError('webhook_not_found')
  return { ...webhook, target: { kind: 'webhook', id: webhook.id, name: webhook.name } }
}

async function getEnabled(change: TeamWrite, id: string) {
  const webhook = await get(change, id)
  if (webhook.state !== 'enabled') throw new WebhookError('webhook_not_enabled')
  return webhook
}

const update = ({ write, team }: TeamWrite, key: WebhookKey) =>
  write.updateTable('webhook').where('id', '=', key).where('team_id', '=', team)

/**
 * It is to be seen now whether it works, also while the service waits for the receiver to recover. Before deliveries
 * are changed: the sender locks a webhook before its deliveries too.
 */
const resume = (change: TeamWrite, key: WebhookKey) => update(change, key).set({ resume_at: 0 }).execute()

/** Ended deliveries that are tried again, from now on as if they were new. */
const replay = ({ write, team }: TeamWrite, webhook: WebhookKey) =>
  write
    .updateTable('webhook_delivery')
    .set({
      state: 'waiting',
      attempts: 0,
      next_at: 0,
      ended_at: null,
      expires_at: timeOf(write) + TRIED_MS,
      merge_key: null,
    })
    .where('team_id', '=', team)
    .where('webhook_id', '=', webhook)

async function readLimit({ write, team }: TeamWrite, id: FolderId | null) {
  const [folder] = id === null ? [] : await getFolders(write, team, [id])
  const limit = folder?.parent == null ? undefined : folder
  return {
    columns: { is_limited: limit ? 1 : 0, folder_id: limit?.key ?? null } as const,
    details: { folder: limit?.id ?? null },
  }
}

// Each function below throws a `WebhookError`; `id` is what the caller sent.

/** Throws a `FilingError` when the team does not have the folder. */
export async function createWebhook(
  change: TeamTransaction,
  { name, url, events, folder, secret, createdBy }: NewWebhook,
): Promise<WebhookId> {
  const { write, team, record } = change
  const { count } = await write
    .selectFrom('webhook')
    .where('team_id', '=', team)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_WEBHOOKS) throw new WebhookError('too_many_webhooks')
  const id = createPublicId('whk')
  const limit = await readLimit(change, folder)
  await write
    .insertInto('webhook')
    .values({
      public_id: id,
      team_id: team,
      name: readName(name),
      url,
      events: writeEventTypes(events),
      ...limit.columns,
      state: 'enabled',
      reason: null,
      secret,
      former_secret: null,
      former_until: null,
      failures: 0,
      failing_since: null,
      resume_at: 0,
      delivered_at: null,
      created_at: timeOf(write),
      created_by: createdBy,
    })
    .execute()
  const target = { kind: 'webhook', id, name }
  const details = { to: hostOf(url), events, ...limit.details }
  record({ action: 'webhook.added', target, details })
  return id
}

/** Throws what {@link createWebhook} throws. */
export async function changeWebhook(
  change: TeamTransaction,
  id: string,
  { name, url, events, folder, enabled }: ChangedWebhook,
): Promise<void> {
  const { record } = change
  const { key, state, target } = await get(change, id)
  const limit = folder === undefined ? undefined : await readLimit(change, folder)
  const set = {
    ...(name !== undefined && { name: readName(name) }),
    ...(url !== undefined && { url }),
    ...(events && { events: writeEventTypes(events) }),
    ...limit?.columns,
    ...(enabled === false && state === 'enabled' && { state: 'disabled' as const }),
    ...(enabled && { state: 'enabled' as const, reason: null }),
    // Another address, or another chance: what was known of failures does not count.
    ...((enabled || url !== undefined) && { failures: 0, failing_since: null, resume_at: 0 }),
  }
  if (Object.keys(set).length === 0) return
  await update(change, key).set(set).execute()
  const details = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { to: hostOf(url) }),
    ...(events && { events }),
    ...limit?.details,
    ...(enabled !== undefined && { enabled }),
  }
  record({ action: 'webhook.changed', target, details })
}

export async function removeWebhook(change: TeamTransaction, id: string): Promise<void> {
  const { write, team, record } = change
  const { key, target } = await get(change, id)
  await write.deleteFrom('webhook').where('id', '=', key).where('team_id', '=', team).execute()
  record({ action: 'webhook.removed', target })
}

/** The encrypted secret, for somebody who is shown it. */
export async function showWebhookSecret(change: TeamTransaction, id: string): Promise<string> {
  const { record } = change
  const { secret, target } = await get(change, id)
  record({ action: 'webhook.secret_shown', target })
  return secret
}

/** `former`: until when the one that it replaces signs too; milliseconds since 1970, null for no longer. */
export async function rotateWebhookSecret(
  change: TeamTransaction,
  id: string,
  secret: string,
  former: number | null,
): Promise<void> {
  const { record } = change
  const { key, secret: before, target } = await get(change, id)
  await update(change, key)
    .set({ secret, former_secret: former === null ? null : before, former_until: former })
    .execute()
  record({ action: 'webhook.secret_rotated', target })
}

export async function testWebhook(change: TeamTransaction, id: string): Promise<string> {
  const { write, team } = change
  const { key } = await getEnabled(change, id)
  const { count } = await write
    .selectFrom('webhook_delivery')
    .where('webhook_id', '=', key)
    .where('team_id', '=', team)
    .where('state', '=', 'waiting')
    .where('type', '=', 'webhook.test')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_WAITING_TESTS) throw new WebhookError('too_many_tests')
  const { name, publicId } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select(['name', 'public_id as publicId'])
    .executeTakeFirstOrThrow()
  await resume(change, key)
  return enqueueTest(write, { key, id, team: { key: team, id: publicId, name } })
}

export async function replayDelivery(change: TeamTransaction, id: string, delivery: string): Promise<void> {
  const { write, record } = change
  const { key, target } = await getEnabled(change, id)
  if (!isPublicId('msg', delivery)) throw new WebhookError('delivery_not_found')
  await resume(change, key)
  const replayed = await replay(change, key)
    .where('public_id', '=', delivery as DeliveryId)
    // One that is being sent now is about to end.
    .where('claimed_by', 'is', null)
    .returning('id')
    .execute()
  if (replayed.length === 0) {
    const exists = await write
      .selectFrom('webhook_delivery')
      .where('public_id', '=', delivery as DeliveryId)
      .where('webhook_id', '=', key)
      .select('id')
      .executeTakeFirst()
    if (!exists) throw new WebhookError('delivery_not_found')
  }
  record({ action: 'webhook.replayed', target, details: { delivery } })
}

/** Returns how many deliveries that were given up are tried again: of events from `since` on. */
export async function replayFailed(change: TeamTransaction, id: string, since: number): Promise<number> {
  const { record } = change
  const { key, target } = await getEnabled(change, id)
  await resume(change, key)
  const { numUpdatedRows } = await replay(change, key)
    .where('state', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirst()
  const count = Number(numUpdatedRows)
  record({
    action: 'webhook.replayed',
    target,
    details: { deliveries: count, since: new Date(since).toISOString() },
  })
  return count
}

/** An address may hold a secret in its path or query: the audit log has the host alone. */
const hostOf = (url: string): string => new URL(url).host
