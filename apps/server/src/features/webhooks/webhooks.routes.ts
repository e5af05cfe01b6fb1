import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  replayFailed,
  rotateWebhookSecret,
  showWebhookSecret,
  testWebhook,
} from '@meadow/contract/web'
import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import { seal, unseal } from '../../access/seal.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readAfter, readNameInput, writeAfter } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import { secretUse } from './delivery-sender.ts'
import { createWebhookSecret } from './post-message.ts'
import { TargetError, type Targets } from './target.ts'
import * as changes from './webhook-changes.ts'
import type { WebhookStore } from './webhooks.store.ts'

export interface WebhookParts {
  store: WebhookStore
  database: Database
  targets: Pick<Targets, 'read'>
  /** Encrypts the secrets of webhooks. */
  key: Buffer
}

const PAGE = 50
const HOUR_MS = 3_600_000

export const webhookRoutes = ({ store, database, targets, key }: WebhookParts) => {
  const change = <T>(actor: Actor, work: (change: TeamTransaction) => Promise<T>): Promise<T> =>
    changeTeamFor(database, actor, work).catch((error: unknown) => {
      if (error instanceof changes.WebhookError) throw new HttpError(error.code, { cause: error })
      return rethrowFilingError('folder_not_found')(error)
    })

  function readUrl(text: string): string {
    try {
      return targets.read(text).href
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      throw new HttpError('webhook_url_not_acceptable', { sentence: error.message, cause: error })
    }
  }

  return [
    serveApp(listWebhooks, async ({ access }) => ({ webhooks: await store.list(access.team) })),

    serveApp(createWebhook, async ({ access, body, person, actor }) => {
      const secret = createWebhookSecret()
      const webhook = {
        name: readNameInput(body.name),
        url: readUrl(body.url),
        events: body.events,
        folder: body.folder ?? null,
        secret: seal(key, secretUse(access.teamId), secret),
        createdBy: person.userId,
      }
      const id = await change(actor, (team) => changes.createWebhook(team, webhook))
      return { webhook: (await store.find(access.team, id))!, secret }
    }),

    serveApp(
      changeWebhook,
      async ({ access, body: { name, url, events, folder, enabled }, params, actor }) => {
        const wanted = {
          ...(name !== undefined && { name: readNameInput(name) }),
          ...(url !== undefined && { url: readUrl(url) }),
          ...(events && { events }),
          ...(folder !== undefined && { folder }),
          ...(enabled !== undefined && { enabled }),
        }
        await change(actor, (team) => changes.changeWebhook(team, params.webhookId, wanted))
        return { webhook: await get(access, params) }
      },
    ),

    serveApp(removeWebhook, async ({ params, actor }) => {
      await change(actor, (team) => changes.removeWebhook(team, params.webhookId))
    }),

    serveApp(showWebhookSecret, async ({ access, params, actor }) => {
      const sealed = await change(actor, (team) => changes.showWebhookSecret(team, params.webhookId))
      const secret = unseal(key, secretUse(access.teamId), sealed)
      if (secret === undefined) throw new HttpError('webhook_secret_lost')
      return { secret }
    }),

    serveApp(rotateWebhookSecret, async ({ access, body, params, actor }) => {
      const secret = createWebhookSecret()
      const sealed = seal(key, secretUse(access.teamId), secret)
      const former = body.overlapHours === 0 ? null : timeOf(database.read) + body.overlapHours * HOUR_MS
      await change(actor, (team) => changes.rotateWebhookSecret(team, params.webhookId, sealed, former))
      return { webhook: await get(access, params), secret }
    }),

    serveApp(testWebhook, async ({ params, actor }) => ({
      deliveryId: await change(actor, (team) => changes.testWebhook(team, params.webhookId)),
    })),

    serveApp(listDeliveries, async ({ access, params, query }) => {
      const { state, type, after } = query
      // PostgreSQL rejects NUL, and no type contains it.
      const filter = { state, type: type?.replaceAll('\0', '') }
      const page = { before: readAfter(after), limit: PAGE }
      const found = await store.listDeliveries(access.team, params.webhookId, filter, page)
      if (!found) throw new HttpError('webhook_not_found')
      return {
        deliveries: found.deliveries,
        next: found.next === undefined ? null : writeAfter(found.next),
      }
    }),

    serveApp(replayDelivery, async ({ access, params, actor }) => {
      const { webhookId, deliveryId } = params
      await change(actor, (team) => changes.replayDelivery(team, webhookId, deliveryId))
      const delivery = await store.findDelivery(access.team, webhookId, deliveryId)
      if (!delivery) throw new HttpError('delivery_not_found')
      return { delivery }
    }),

    serveApp(replayFailed, async ({ body, params, actor }) => {
      const since = Date.parse(body.since)
      if (Number.isNaN(since)) throw new HttpError('webhook_time_not_acceptable')
      return { replayed: await change(actor, (team) => changes.replayFailed(team, params.webhookId, since)) }
    }),
  ]

  async function get(
    { team }: { team: Parameters<WebhookStore['find']>[0] },
    { webhookId }: { webhookId: string },
  ) {
    const webhook = await store.find(team, webhookId)
    if (!webhook) throw new HttpError('webhook_not_found')
    return webhook
  }
}
