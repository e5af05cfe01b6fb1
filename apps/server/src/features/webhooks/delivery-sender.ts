import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, type Metric } from 'prom-client'
import { unseal } from '../../access/seal.ts'
import { createWakeSignal } from '../../platform/concurrency/wake-signal.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import { createOutboxGauges } from '../../platform/database/outbox-gauges.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import {
  type ClaimedDelivery,
  type ClaimedWebhook,
  createDeliveryStore,
  type DeliveryStore,
  type DueWebhook,
  type EndRule,
  type Settlement,
} from './deliveries.store.ts'
import { type Attempt, POST_LIMITS, type PostLimits, postMessage } from './post-message.ts'
import type { Targets } from './target.ts'

export interface DeliverySenderParts {
  database: Database
  targets: Targets
  /** Decrypts the secrets of webhooks. */
  key: Buffer
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

interface DeliverySender extends AsyncDisposable {
  readonly instruments: readonly Metric[]
  /** Waits for what is being sent, which is cut off after some seconds. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface DeliveryTimes extends EndRule {
  pollMs: number
  /** An attempt is shorter than the lease of a delivery, so that no other process takes it meanwhile. */
  post: PostLimits
  /** How long a delivery that failed waits; after the last one, always that long. */
  retryMs: readonly number[]
  /** How long a webhook whose attempts fail rests, whatever waits for it. */
  restMs: readonly number[]
}

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000]

const TIMES: DeliveryTimes = {
  pollMs: SECOND_MS,
  post: POST_LIMITS,
  retryMs: [
    ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
    ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS],
  ],
  restMs: [0, 0, SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS],
  failingMs: 5 * 24 * HOUR_MS,
  minFailures: 10,
}

/**
 * How many deliveries a process sends at once: in all, of a team, of a webhook. A webhook that fails is tried with one, and
 * all such have half of the places, so that others go on at once whatever they do.
 */
const AT_ONCE = { process: 64, failing: 32, team: 8, webhook: 4 }

/** A webhook fails when this many attempts fail in a row: one that fails now and then is as fast as others. */
const FAILING = 3

const isFailing = ({ failures }: DueWebhook): boolean => failures >= FAILING

/** How long the attempts that run may still take when the process stops. */
const FINISH_MS = 10 * SECOND_MS

/**
 * Sends what waits in the outbox of webhooks. Every process does, and none sends what another has leased. A process that
 * is killed leaves leases behind, after which others send the same messages again under the same ids.
 */
export function startDeliverySender(
  { database, targets, key, log }: DeliverySenderParts,
  given: Partial<DeliveryTimes> = {},
): DeliverySender {
  const times = { ...TIMES, ...given }
  const store = createDeliveryStore(database)
  const { instruments, count } = createInstruments(store)
  const [stop, cutOff] = [new AbortController(), new AbortController()]
  const running = run({
    ...{ store, database, targets, key, log, count, times },
    stopping: stop.signal,
    cutOff: cutOff.signal,
  })
  return {
    instruments,
    async [Symbol.asyncDispose]() {
      stop.abort()
      const timer = setTimeout(() => cutOff.abort(), FINISH_MS)
      await running
      clearTimeout(timer)
    },
  }
}

interface Running extends Pick<DeliverySenderParts, 'targets' | 'key' | 'log'> {
  store: DeliveryStore
  database: Pick<Database, 'read'>
  times: DeliveryTimes
  count(outcome: Attempt['outcome']): void
  /** Aborts when no other attempt may be begun. */
  stopping: AbortSignal
  /** Ends the attempts that run. */
  cutOff: AbortSignal
}

async function run(parts: Running): Promise<void> {
  const { store, log, times, stopping } = parts
  /** Wakes when something has ended, so that its place is taken. */
  const ended = createWakeSignal()
  const inFlight = new Map<ClaimedDelivery, DueWebhook>()
  const settling = createSettling(parts)
  const turns = createTurns()
  stopping.addEventListener('abort', ended.wake)

  /** Returns whether anything was begun. */
  async function begin(): Promise<boolean> {
    const plan = planNext(turns.order(await store.listDue()), [...inFlight.values()])
    if (plan.length === 0) return false
    const claimed = await store.claim(plan)
    for (const delivery of claimed) {
      const of = plan.find(({ key }) => key === delivery.webhook.key)!
      inFlight.set(delivery, of)
      void attempt(parts, delivery)
        .then((settlement) => settling.add(delivery, settlement))
        .finally(() => {
          inFlight.delete(delivery)
          ended.wake()
        })
    }
    return claimed.length > 0
  }

  while (!stopping.aborted) {
    try {
      if (await begin()) continue
    } catch (err) {
      if (!findUnavailable(err)) log.error({ err }, 'webhooks could not be delivered to')
      await sleep(times.pollMs, undefined, { signal: stopping, ref: false }).catch(() => {})
    }
    await ended.wait(times.pollMs)
  }
  while (inFlight.size > 0) await ended.wait(times.pollMs)
}

/** Returns how many of the due deliveries of each webhook are begun now, in this order. */
export function planNext(
  due: readonly DueWebhook[],
  inFlight: readonly DueWebhook[],
): (DueWebhook & { count: number })[] {
  const countOf = (isCounted: (one: DueWebhook) => boolean) => inFlight.filter(isCounted).length
  let free = AT_ONCE.process - inFlight.length
  let freeOfFailing = AT_ONCE.failing - countOf(isFailing)
  const freeOfTeam = new Map<TeamKey, number>()
  const plan: (DueWebhook & { count: number })[] = []
  for (const webhook of due) {
    const ofTeam = freeOfTeam.get(webhook.team) ?? AT_ONCE.team - countOf(({ team }) => team === webhook.team)
    const running = countOf(({ key }) => key === webhook.key)
    const ofWebhook = (isFailing(webhook) ? Math.min(1, freeOfFailing + running) : AT_ONCE.webhook) - running
    const count = Math.max(0, Math.min(free, ofTeam, ofWebhook))
    free -= count
    if (isFailing(webhook)) freeOfFailing -= count
    freeOfTeam.set(webhook.team, ofTeam - count)
    if (count > 0) plan.push({ ...webhook, count })
  }
  return plan
}

/** The team that was served longest ago comes first. */
function createTurns() {
  const servedAt = new Map<TeamKey, number>()
  let turn = 0
  return {
    order(due: readonly DueWebhook[]): DueWebhook[] {
      const since = ({ team }: DueWebhook) => servedAt.get(team) ?? 0
      const ordered = due.toSorted((a, b) => since(a) - since(b) || a.failures - b.failures || a.key - b.key)
      const present = new Set(due.map(({ team }) => team))
      for (const team of servedAt.keys()) if (!present.has(team)) servedAt.delete(team)
      turn++
      for (const [position, { team }] of ordered.entries()) servedAt.set(team, turn * 1e6 + position)
      return ordered
    },
  }
}

/** Makes an attempt; resolves with undefined when it was cut off because the process stops: its outcome is unknown. */
async function attempt(parts: Running, delivery: ClaimedDelivery): Promise<Settlement | undefined> {
  const { database, targets, key, times, cutOff, count } = parts
  const { id, body, webhook } = delivery
  const secrets = readSecrets(key, webhook)
  const made = secrets
    ? await postMessage(
        new URL(webhook.url),
        { id, body, secrets },
        { targets, limits: times.post, signal: cutOff },
      )
    : unsigned()
  if (cutOff.aborted && made.outcome === 'failed') return undefined
  count(made.outcome)
  const againInMs =
    made.outcome === 'failed' ? findNext(delivery, made, times, await steadyTime(database.read)) : undefined
  const restMs = (failures: number) =>
    Math.max(jitter(pick(times.restMs, failures)), Math.min(made.retryAfterMs, HOUR_MS))
  return { delivery, attempt: made, againInMs, restMs }
}

/** The current secret, and the former one while it signs too; undefined when the current one cannot be decrypted. */
function readSecrets(key: Buffer, { secret, formerSecret, teamId }: ClaimedWebhook): string[] | undefined {
  const use = secretUse(teamId)
  const current = unseal(key, use, secret)
  if (current === undefined) return undefined
  const former = formerSecret === null ? undefined : unseal(key, use, formerSecret)
  return former === undefined ? [current] : [current, former]
}

/** What the secrets of a team's webhooks are encrypted for. */
export const secretUse = (teamId: string): string => `webhooks of ${teamId}`

const unsigned = (): Attempt => ({
  ...{ outcome: 'failed', at: Date.now(), durationMs: 0, status: null, response: null, retryAfterMs: 0 },
  error: 'The message was not sent, since its secret can no longer be read. Give the webhook a new one.',
})

/** Returns the time until the next attempt; undefined when it would be too late by then. */
function findNext(
  { attempts, expiresAt }: ClaimedDelivery,
  { retryAfterMs }: Attempt,
  { retryMs }: DeliveryTimes,
  now: number,
): number | undefined {
  const againInMs = Math.max(jitter(pick(retryMs, attempts)), retryAfterMs)
  return now + againInMs > expiresAt ? undefined : againInMs
}

/** Returns the item of the list for a number of failures, from 1 on; the last item is for all higher numbers. */
const pick = (list: readonly number[], failures: number): number => list[Math.min(failures, list.length) - 1]!

/** Returns up to a fifth more or less, so that what failed together is not tried together. */
const jitter = (ms: number): number => Math.round(ms * (0.8 + 0.4 * Math.random()))

/** Writes outcomes in groups: those that come while others are written are written together afterwards. */
function createSettling({ store, log, times }: Running) {
  let waiting: Settlement[] = []
  let unknown: ClaimedDelivery[] = []
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // One tick of the event loop later, outcomes that have come with this one go into the same transaction.
    await new Promise(setImmediate)
    while (waiting.length > 0 || unknown.length > 0) {
      const [settlements, released] = [waiting, unknown]
      waiting = []
      unknown = []
      try {
        if (settlements.length > 0) await store.settle(settlements, times)
        await store.release(released)
      } catch (err) {
        // Their leases expire, and they are sent again.
        if (!findUnavailable(err)) log.error({ err }, 'deliveries of webhooks could not be recorded')
      }
    }
    writing = undefined
  }

  return {
    /** Resolves when it is written, or could not be. */
    async add(delivery: ClaimedDelivery, settlement: Settlement | undefined): Promise<void> {
      if (settlement) waiting.push(settlement)
      else unknown.push(delivery)
      writing ??= writeAll()
      await writing
    },
  }
}

function createInstruments(store: Pick<DeliveryStore, 'measure'>) {
  const attempts = new Counter({
    name: 'meadow_webhook_attempts_total',
    help: 'Attempts to deliver to a webhook, by their outcome: delivered, failed, gone (the receiver wants no more).',
    labelNames: ['outcome'],
    registers: [],
  })
  const gauges = createOutboxGauges(store, {
    waiting: { name: 'meadow_webhook_deliveries_waiting', help: 'Deliveries to enabled webhooks that wait' },
    oldest: 'meadow_webhook_oldest_seconds',
  })
  return {
    instruments: [attempts, ...gauges] satisfies Metric[],
    count: (outcome: Attempt['outcome']) => attempts.inc({ outcome }),
  }
}
