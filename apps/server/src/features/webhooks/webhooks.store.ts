import type { FolderId } from '@meadow/contract'
import type { DeliveryState } from '@meadow/contract/terms'
import type { Delivery, Webhook } from '@meadow/contract/web'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { BinKey, DeliveryKey, TeamKey, WebhookKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { readEventTypes } from '../../team/webhook-events.ts'
import { isSigning } from './deliveries.store.ts'

export interface DeliveryFilter {
  state?: DeliveryState | undefined
  type?: string | undefined
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** The key of the last one, when there are more. */
  next: DeliveryKey | undefined
}

/** What the team settings show of webhooks. Ids are what the caller sent. */
export interface WebhookStore {
  /** Lists the webhooks of a team, the oldest first. */
  list(team: TeamKey): Promise<Webhook[]>
  find(team: TeamKey, id: string): Promise<Webhook | undefined>
  /** Lists deliveries, the newest first; undefined when the team has no such webhook. */
  listDeliveries(
    team: TeamKey,
    webhook: string,
    filter: DeliveryFilter,
    page: { before: number; limit: number },
  ): Promise<DeliveryPage | undefined>
  findDelivery(team: TeamKey, webhook: string, id: string): Promise<Delivery | undefined>
}

/** How many attempts of a delivery are shown. */
const SHOWN_ATTEMPTS = 10

export function createWebhookStore({ read }: Pick<Database, 'read'>): WebhookStore {
  const select = (team: TeamKey) =>
    read
      .selectFrom('webhook')
      .leftJoin('user', 'user.id', 'webhook.created_by')
      .leftJoin('folder', 'folder.id', 'webhook.folder_id')
      .where('webhook.team_id', '=', team)
      .orderBy('webhook.id')
      .select([
        'webhook.public_id as id',
        'webhook.name',
        'webhook.url',
        'webhook.events',
        'webhook.is_limited as isLimited',
        'folder.public_id as folderId',
        'folder.name as folderName',
        'folder.bin_id as folderBin',
        'webhook.state',
        'webhook.reason',
        'webhook.failing_since as failingSince',
        'webhook.delivered_at as deliveredAt',
        'webhook.former_until as formerUntil',
        'webhook.created_at as createdAt',
        'user.id as userId',
        'user.name as userName',
      ])
      .select(({ selectFrom }) =>
        selectFrom('webhook_delivery')
          .whereRef('webhook_delivery.webhook_id', '=', 'webhook.id')
          .where('webhook_delivery.state', '=', 'waiting')
          .select(({ fn }) => fn.countAll().as('count'))
          .as('waiting'),
      )
  type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]
  const toWebhook = (row: Row): Webhook => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: readEventTypes(row.events),
    folder: row.isLimited === 0 ? null : describeFolder(row),
    state: row.state,
    reason: row.reason,
    failingSince: toTimestampOrNull(row.failingSince),
    lastDeliveredAt: toTimestampOrNull(row.deliveredAt),
    waiting: Number(row.waiting),
    formerSecretUntil: isSigning(row.formerUntil, timeOf(read)) ? toTimestamp(row.formerUntil!) : null,
    createdAt: toTimestamp(row.createdAt),
    createdBy: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
  })

  async function findKey(team: TeamKey, id: string): Promise<WebhookKey | undefined> {
    if (!isPublicId('whk', id)) return undefined
    const row = await read
      .selectFrom('webhook')
      .where('public_id', '=', id)
      .where('team_id', '=', team)
      .select('id')
      .executeTakeFirst()
    return row?.id
  }

  const selectDeliveries = (team: TeamKey, webhook: WebhookKey) =>
    read
      .selectFrom('webhook_delivery')
      .where('team_id', '=', team)
      .where('webhook_id', '=', webhook)
      // Qualified: `id` alone would be the public one.
      .orderBy('webhook_delivery.id', 'desc')
      .select([
        'webhook_delivery.id as key',
        'public_id as id',
        'type',
        'about',
        'state',
        'created_at as createdAt',
        'next_at as nextAt',
        'ended_at as endedAt',
      ])
  type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]

  async function toDeliveries(rows: readonly DeliveryRow[]): Promise<Delivery[]> {
    const attempts = await listAttempts(rows.map(({ key }) => key))
    return rows.map(({ key, createdAt, nextAt, endedAt, ...row }) => ({
      ...row,
      createdAt: toTimestamp(createdAt),
      nextAt: row.state === 'waiting' ? toTimestamp(nextAt) : null,
      endedAt: toTimestampOrNull(endedAt),
      attempts: (attempts.get(key) ?? []).slice(0, SHOWN_ATTEMPTS).map(({ attempt }) => attempt),
    }))
  }

  async function listAttempts(deliveries: readonly DeliveryKey[]) {
    const rows =
      deliveries.length === 0
        ? []
        : await read
            .selectFrom('webhook_attempt')
            .where('delivery_id', 'in', deliveries)
            .orderBy('id', 'desc')
            .select(['delivery_id', 'at', 'status', 'duration_ms as durationMs', 'error', 'response'])
            .execute()
    return Map.groupBy(
      rows.map(({ delivery_id, at, ...attempt }) => ({
        delivery: delivery_id,
        attempt: { ...attempt, at: toTimestamp(at) },
      })),
      ({ delivery }) => delivery,
    )
  }

  return {
    list: async (team) => (await select(team).execute()).map(toWebhook),
    async find(team, id) {
      if (!isPublicId('whk', id)) return undefined
      const row = await select(team).where('webhook.public_id', '=', id).executeTakeFirst()
      return row && toWebhook(row)
    },
    async listDeliveries(team, id, { state, type }, { before, limit }) {
      const webhook = await findKey(team, id)
      if (webhook === undefined) return undefined
      const rows = await selectDeliveries(team, webhook)
        .where('webhook_delivery.id', '<', before as DeliveryKey)
        .$if(state !== undefined, (query) => query.where('state', '=', state!))
        .$if(type !== undefined, (query) => query.where('type', '=', type!))
        .limit(limit + 1)
        .execute()
      const shown = rows.slice(0, limit)
      return {
        deliveries: await toDeliveries(shown),
        next: rows.length > limit ? shown.at(-1)!.key : undefined,
      }
    },
    async findDelivery(team, id, delivery) {
      const webhook = await findKey(team, id)
      if (webhook === undefined || !isPublicId('msg', delivery)) return undefined
      const rows = await selectDeliveries(team, webhook).where('public_id', '=', delivery).execute()
      return (await toDeliveries(rows))[0]
    },
  }
}

interface FolderColumns {
  folderId: FolderId | null
  folderName: string | null
  folderBin: BinKey | null
}

const describeFolder = ({ folderId: id, folderName: name, folderBin }: FolderColumns): Webhook['folder'] => ({
  ...{ id, name },
  state: id === null ? 'deleted' : folderBin === null ? 'in_use' : 'in_bin',
})

const toTimestampOrNull = (ms: number | null) => (ms === null ? null : toTimestamp(ms))
