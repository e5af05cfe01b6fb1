import type { DeliveryId, FolderId, UserId, WebhookId } from '@meadow/contract'
import { MAX_WEBHOOKS, type WebhookEventType } from '@meadow/contract/terms'
import { recordEvent } from '../audit/record-event.ts'
import type { Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey, WebhookKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import { getFolders } from '../team/folders.ts'
import { enqueueTest, TRIED_MS, writeEventTypes } from '../team/webhook-events.ts'

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

/**
 * The webhooks of a team. `id` is what the caller sent. All throw a {@link WebhookError}, and the first two a `FilingError`
 * for a folder that the team does not have.
 */
export interface WebhookChanges {
  createWebhook(webhook: NewWebhook): Promise<WebhookId>
  changeWebhook(id: string, change: ChangedWebhook): Promise<void>
  removeWebhook(id: string): Promise<void>
  /** The encrypted secret, for somebody who is shown it. */
  showWebhookSecret(id: string): Promise<string>
  /** `former`: until when the one that it replaces signs too; milliseconds since 1970, null for no longer. */
  rotateWebhookSecret(id: string, secret: string, former: number | null): Promise<void>
  testWebhook(id: string): Promise<string>
  replayDelivery(id: string, delivery: string): Promise<void>
  /** Returns how many deliveries that were given up are tried again: of events from `since` on. */
  replayFailed(id: string, since: number): Promise<number>
}

export type ChangedWebhook = Partial<
  Pick<NewWebhook, 'name' | 'url' | 'events' | 'folder'> & { enabled: boolean }
>

/** More tests than that wait for each other. */
const MAX_WAITING_TESTS = 5

export function createWebhookChanges(write: Write, team: TeamKey): WebhookChanges {
  async function get(id: string) {
    const webhook = isPublicId('whk', id)
      ? await write
          .selectFrom('webhook')
          .where('public_id', '=', id)
          .where('team_id', '=', team)
          .select(['id as key', 'public_id as id', 'name', 'state', 'secret', 'url'])
          .executeTakeFirst()
      : undefined
    if (!webhook) throw new WebhookError('webhook_not_found')
    return { ...webhook, thing: { kind: 'webhook', id: webhook.id, name: webhook.name } }
  }

  async function getEnabled(id: string) {
    const webhook = await get(id)
    if (webhook.state !== 'enabled') throw new WebhookError('webhook_not_enabled')
    return webhook
  }

  const update = (key: WebhookKey) =>
    write.updateTable('webhook').where('id', '=', key).where('team_id', '=', team)

  /**
   * It is to be seen now whether it works, also while the service waits for the receiver to recover. Before deliveries
   * are changed: the sender locks a webhook before its deliveries too.
   */
  const resume = (key: WebhookKey) => update(key).set({ resume_at: 0 }).execute()

  /** Ended deliveries that are tried again, from now on as if they were new. */
  const replay = (webhook: WebhookKey) =>
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

  async function readLimit(id: FolderId | null) {
    const [folder] = id === null ? [] : await getFolders(write, team, [id])
    const limit = folder?.parent == null ? undefined : folder
    return {
      columns: { is_limited: limit ? 1 : 0, folder_id: limit?.key ?? null } as const,
      details: { folder: limit?.id ?? null },
    }
  }

  return {
    async createWebhook({ name, url, events, folder, secret, createdBy }) {
      const { count } = await write
        .selectFrom('webhook')
        .where('team_id', '=', team)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_WEBHOOKS) throw new WebhookError('too_many_webhooks')
      const id = createPublicId('whk')
      const limit = await readLimit(folder)
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
      const thing = { kind: 'webhook', id, name }
      const details = { to: hostOf(url), events, ...limit.details }
      recordEvent(write, { action: 'webhook.added', team, thing, details })
      return id
    },

    async changeWebhook(id, { name, url, events, folder, enabled }) {
      const { key, state, thing } = await get(id)
      const limit = folder === undefined ? undefined : await readLimit(folder)
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
      await update(key).set(set).execute()
      const details = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { to: hostOf(url) }),
        ...(events && { events }),
        ...limit?.details,
        ...(enabled !== undefined && { enabled }),
      }
      recordEvent(write, { action: 'webhook.changed', team, thing, details })
    },

    async removeWebhook(id) {
      const { key, thing } = await get(id)
      await write.deleteFrom('webhook').where('id', '=', key).where('team_id', '=', team).execute()
      recordEvent(write, { action: 'webhook.removed', team, thing })
    },

    async showWebhookSecret(id) {
      const { secret, thing } = await get(id)
      recordEvent(write, { action: 'webhook.secret_shown', team, thing })
      return secret
    },

    async rotateWebhookSecret(id, secret, former) {
      const { key, secret: before, thing } = await get(id)
      await update(key)
        .set({ secret, former_secret: former === null ? null : before, former_until: former })
        .execute()
      recordEvent(write, { action: 'webhook.secret_rotated', team, thing })
    },

    async testWebhook(id) {
      const { key } = await getEnabled(id)
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
      await resume(key)
      return enqueueTest(write, { key, id, team: { key: team, id: publicId, name } })
    },

    async replayDelivery(id, delivery) {
      const { key, thing } = await getEnabled(id)
      if (!isPublicId('msg', delivery)) throw new WebhookError('delivery_not_found')
      await resume(key)
      const replayed = await replay(key)
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
      recordEvent(write, { action: 'webhook.replayed', team, thing, details: { delivery } })
    },

    async replayFailed(id, since) {
      const { key, thing } = await getEnabled(id)
      await resume(key)
      const { numUpdatedRows } = await replay(key)
        .where('state', '=', 'failed')
        .where('created_at', '>=', since)
        .executeTakeFirst()
      const count = Number(numUpdatedRows)
      recordEvent(write, {
        action: 'webhook.replayed',
        team,
        thing,
        details: { deliveries: count, since: new Date(since).toISOString() },
      })
      return count
    },
  }
}

/** An address may hold a secret in its path or query: the audit log has the host alone. */
const hostOf = (url: string): string => new URL(url).host
