import type { DeliveryId } from '@meadow/contract'
import { DELIVERY_LOG_DAYS } from '@meadow/contract/terms'
import { sql } from 'kysely'
import { findConfirmedOwners } from '../../access/account-notices.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { hasEnded, timeOf } from '../../platform/database/database-clock.ts'
import type { DeliveryKey, TeamKey, WebhookKey } from '../../platform/database/tables.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'
import { queueNotice, quoteName } from '../../platform/mail/outbox.ts'
import { isHeld, type Lease, openQueue, UNLEASED } from '../../platform/queue.ts'
import type { Attempt } from './post-message.ts'

/** A webhook with deliveries that are due. */
export interface DueWebhook {
  key: WebhookKey
  team: TeamKey
  /** How many attempts have failed since one succeeded. */
  failures: number
}

/** A delivery that this process may send while its lease lasts. */
export interface ClaimedDelivery extends Lease<DeliveryKey> {
  id: DeliveryId
  type: string
  body: string
  /** 1 for the first. */
  attempts: number
  expiresAt: number
  webhook: ClaimedWebhook
}

export interface ClaimedWebhook {
  key: WebhookKey
  id: string
  name: string
  team: TeamKey
  teamId: string
  teamName: string
  url: string
  /** Both secrets are encrypted; the former one is null when it signs no longer. */
  secret: string
  formerSecret: string | null
}

/** How an attempt ended, and what follows for the delivery and its webhook. */
export interface Settlement {
  delivery: Pick<ClaimedDelivery, 'key' | 'leaseId' | 'webhook'>
  attempt: Attempt
  /** The milliseconds until the next attempt; undefined when the delivery has succeeded or is given up. */
  againInMs: number | undefined
  /** Returns for how many milliseconds nothing else is sent to the webhook. */
  restMs: (failures: number) => number
}

/** The failures after which a webhook that only fails is ended. */
export interface EndRule {
  failingMs: number
  minFailures: number
}

/** How long deliveries that have ended are kept. */
export const DELIVERY_KEPT_MS = DELIVERY_LOG_DAYS * 24 * 60 * 60_000

/** The outbox of webhooks: what waits, for the processes that send it. */
export interface DeliveryStore {
  /** Lists the webhooks whose turn it may be, with those whose deliveries are all leased. */
  listDue(): Promise<DueWebhook[]>
  /** Leases the oldest due deliveries of these webhooks, `count` of each. */
  claim(webhooks: readonly { key: WebhookKey; count: number }[]): Promise<ClaimedDelivery[]>
  /** Records how attempts ended, in one transaction. A delivery whose lease was lost stays as it is. */
  settle(settlements: readonly Settlement[], rule: EndRule): Promise<void>
  /** Gives deliveries back that were not sent. */
  release(deliveries: readonly Lease<DeliveryKey>[]): Promise<void>
  /** Measures how many deliveries wait for webhooks that are enabled, and how long the oldest has been due. */
  measure(): Promise<{ waiting: number; oldestMs: number }>
  /** Deletes deliveries that ended before, and gives up what waits too long for webhooks that are not enabled. */
  deleteOlder(endedBefore: number): Promise<void>
}

/** Whether the former secret of a webhook still signs beside the new one. */
export const isSigning = (formerUntil: number | null, now: number): boolean =>
  formerUntil !== null && !hasEnded(formerUntil, lengthOf('webhook.former_until'), now)

export function createDeliveryStore(database: Database): DeliveryStore {
  const { read, dialect } = database
  const queue = openQueue(database, 'webhook_delivery')
  const findDue = database.prepare((read) =>
    read
      .selectFrom('webhook')
      .innerJoin('team', 'team.id', 'webhook.team_id')
      .where('team.deleted_at', 'is', null)
      .where('webhook.state', '=', 'enabled')
      .where('webhook.resume_at', '<=', queue.now())
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('webhook_delivery')
            .whereRef('webhook_delivery.webhook_id', '=', 'webhook.id')
            .where('webhook_delivery.state', '=', WAITING)
            .where('webhook_delivery.next_at', '<=', queue.now())
            .where(queue.isFree())
            .select('webhook_delivery.id'),
        ),
      )
      .select(['webhook.id as key', 'webhook.team_id as team', 'webhook.failures']),
  )

  async function claimOf(write: Write, webhook: WebhookKey, count: number) {
    const due = await write
      .selectFrom('webhook_delivery')
      .where('webhook_id', '=', webhook)
      .where('state', '=', WAITING)
      .where('next_at', '<=', queue.now())
      .where(queue.isFree())
      .orderBy('next_at')
      .orderBy('id')
      .limit(count)
      .select('id')
      // What another process claims, or a change is merged into, is not waited for.
      .$if(dialect === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute()
    if (due.length === 0) return []
    return (
      write
        .updateTable('webhook_delivery')
        // All deliveries that one transaction claims have the same lease.
        .set(({ eb }) => ({ ...queue.take(), attempts: eb('attempts', '+', 1), merge_key: null }))
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        .where('state', '=', WAITING)
        .where(queue.isFree())
        .returning([
          'id as key',
          'public_id as id',
          'type',
          'body',
          'attempts',
          'expires_at as expiresAt',
          'claimed_by as leaseId',
        ])
        .$narrowType<{ leaseId: string }>()
        .execute()
    )
  }

  return {
    listDue: () => findDue.all({}),
    claim: (webhooks) =>
      database.transaction(async (write) => {
        const facts = await readWebhooks(
          write,
          webhooks.map(({ key }) => key),
        )
        const claimed: ClaimedDelivery[] = []
        for (const { key, count } of webhooks) {
          const webhook = facts.get(key)
          if (!webhook) continue
          const rows = await claimOf(write, key, count)
          claimed.push(...rows.sort((a, b) => a.key - b.key).map((row) => ({ ...row, webhook })))
        }
        return claimed
      }),
    settle: (settlements, rule) =>
      database.transaction(async (write) => {
        const ofWebhooks = Map.groupBy(settlements, ({ delivery }) => delivery.webhook.key)
        // Webhooks before their deliveries, in one order, so that two transactions cannot deadlock.
        const states = await write
          .selectFrom('webhook')
          .where('id', 'in', [...ofWebhooks.keys()])
          .orderBy('id')
          .select(['id', 'state', 'failures', 'failing_since as failingSince'])
          .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
          .execute()
        for (const state of states) {
          const settled = ofWebhooks.get(state.id)!
          await updateWebhook(write, state, settled, rule)
          for (const one of settled) await settleDelivery(write, one)
        }
      }),
    async release(deliveries) {
      if (deliveries.length === 0) return
      await database.transaction(async (write) => {
        for (const lease of deliveries)
          await write
            .updateTable('webhook_delivery')
            .set(({ eb }) => ({ ...UNLEASED, attempts: eb('attempts', '-', 1) }))
            .where(isHeld('webhook_delivery', lease))
            .execute()
      })
    },
    async measure() {
      const { waiting, oldest } = await read
        .selectFrom('webhook_delivery')
        .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
        .where('webhook_delivery.state', '=', 'waiting')
        .where('webhook.state', '=', 'enabled')
        .select(({ fn }) => [fn.countAll().as('waiting'), fn.min('webhook_delivery.created_at').as('oldest')])
        .executeTakeFirstOrThrow()
      return {
        waiting: Number(waiting),
        oldestMs: oldest === null ? 0 : Math.max(0, timeOf(read) - Number(oldest)),
      }
    },
    async deleteOlder(endedBefore) {
      const steady = await steadyTime(read)
      await database.transaction((write) =>
        write
          .updateTable('webhook_delivery')
          .set({ state: 'failed', ended_at: timeOf(write), merge_key: null })
          .where('state', '=', 'waiting')
          .where('expires_at', '<', steady)
          .where('webhook_id', 'in', ({ selectFrom }) =>
            selectFrom('webhook').where('webhook.state', '<>', 'enabled').select('webhook.id'),
          )
          .execute(),
      )
      // The rows are deleted in portions, since other writers wait.
      for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
        const { numDeletedRows } = await database.transaction((write) =>
          write
            .deleteFrom('webhook_delivery')
            .where('id', 'in', ({ selectFrom }) =>
              selectFrom('webhook_delivery as old')
                .where('old.ended_at', '<', endedBefore)
                .limit(DELETED_AT_ONCE)
                .select('old.id'),
            )
            .executeTakeFirst(),
        )
        deleted = Number(numDeletedRows)
      }
    },
  }
}

const DELETED_AT_ONCE = 500

/** A literal rather than a parameter, so that databases recognize that the partial index applies. */
const WAITING = sql.lit('waiting' as const)

async function readWebhooks(
  write: Write,
  keys: readonly WebhookKey[],
): Promise<Map<WebhookKey, ClaimedWebhook>> {
  const rows = await write
    .selectFrom('webhook')
    .innerJoin('team', 'team.id', 'webhook.team_id')
    .where('webhook.id', 'in', keys)
    .where('webhook.state', '=', 'enabled')
    .select([
      'webhook.id as key',
      'webhook.public_id as id',
      'webhook.name',
      'webhook.team_id as team',
      'team.public_id as teamId',
      'team.name as teamName',
      'webhook.url',
      'webhook.secret',
      'webhook.former_secret as formerSecret',
      'webhook.former_until as formerUntil',
    ])
    .execute()
  return new Map(
    rows.map(({ formerSecret, formerUntil, ...row }) => [
      row.key,
      { ...row, formerSecret: isSigning(formerUntil, timeOf(write)) ? formerSecret : null },
    ]),
  )
}

interface WebhookHealth {
  id: WebhookKey
  state: string
  failures: number
  failingSince: number | null
}

async function updateWebhook(
  write: Write,
  { id, state, ...health }: WebhookHealth,
  settled: readonly Settlement[],
  { failingMs, minFailures }: EndRule,
): Promise<void> {
  const update = write.updateTable('webhook').where('id', '=', id)
  const gone = settled.find(({ attempt }) => attempt.outcome === 'gone')
  const delivered = settled.findLast(({ attempt }) => attempt.outcome === 'delivered')
  const { webhook } = settled[0]!.delivery
  if (gone && state === 'enabled') return end(write, webhook, gone.attempt.error!)
  if (delivered) {
    const { at } = delivered.attempt
    await update.set({ failures: 0, failing_since: null, resume_at: 0, delivered_at: at }).execute()
    return
  }
  const last = settled.at(-1)!
  const failures = health.failures + settled.length
  const since = health.failingSince ?? settled[0]!.attempt.at
  const isHopeless = failures >= minFailures && (await steadyTime(write)) - since >= failingMs
  const resume_at = timeOf(write) + last.restMs(failures)
  await update.set({ failures, failing_since: since, resume_at }).execute()
  if (isHopeless && state === 'enabled') {
    const day = new Date(since).toISOString().slice(0, 10)
    await end(write, webhook, `Nothing could be delivered since ${day}. ${last.attempt.error}`)
  }
}

/** Ends a webhook, and tells the owners of its team. */
async function end(write: Write, { key, id, name, team, teamId, teamName }: ClaimedWebhook, reason: string) {
  await write.updateTable('webhook').set({ state: 'ended', reason }).where('id', '=', key).execute()
  const target = { kind: 'webhook', id, name }
  recordEvent(write, { action: 'webhook.ended', team, target, details: { reason } })
  for (const owner of await findConfirmedOwners(write, team))
    await queueNotice(write, owner, {
      subject: 'A webhook was ended',
      paragraphs: [
        `The webhook ${quoteName(name)} of the team ${quoteName(teamName)} was ended: it is told of nothing any more. ${reason}`,
        'When its receiver works again, enable it in the settings of the team, and deliver again what was given up.',
      ],
      link: { label: 'Look at the webhooks of the team', path: `/teams/${teamId}/settings/webhooks` },
    })
}

async function settleDelivery(write: Write, { delivery, attempt, againInMs }: Settlement): Promise<void> {
  const { at, durationMs, status, error, response, outcome } = attempt
  const now = timeOf(write)
  const { numUpdatedRows } = await write
    .updateTable('webhook_delivery')
    .set({
      ...UNLEASED,
      ...(againInMs === undefined
        ? { state: outcome === 'delivered' ? 'delivered' : 'failed', ended_at: now }
        : { next_at: now + againInMs }),
    })
    .where(isHeld('webhook_delivery', delivery))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await write
    .insertInto('webhook_attempt')
    .values({ delivery_id: delivery.key, at, duration_ms: durationMs, status, error, response })
    .execute()
}
