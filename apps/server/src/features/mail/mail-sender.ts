import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, type Metric } from 'prom-client'
import type { IsAssigned } from '../../platform/cluster/singleton-jobs.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import { createOutboxGauges } from '../../platform/database/outbox-gauges.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { composeMail } from './compose-mail.ts'
import { type ClaimedMail, createOutboxStore, type MailOutcome, type OutboxStore } from './outbox.store.ts'
import { renderMail, type WrittenMail } from './render-mail.ts'
import { MailError, type MailServer, openSmtp, type Smtp } from './smtp.ts'

export interface MailSenderParts {
  database: Database
  /** Undefined when nothing is sent, and mails are deleted when they have expired. */
  server: MailServer | undefined
  /** The address that links begin with, without a closing slash. */
  baseUrl: string | undefined
  /** Whether it is for this process to send mails. */
  isAssigned: IsAssigned
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

interface MailSender extends AsyncDisposable {
  readonly instruments: readonly Metric[]
  /** Waits for the mail that is being sent. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface SenderTimes {
  pollMs: number
  /** The time limit of a whole attempt: shorter than the lease of a mail, so that no other process takes it meanwhile. */
  sendMs: number
  /** How long a mail that the server has put off waits; after the last one, always that long. */
  retryMs: readonly number[]
  /** How long the sender rests after the mail server could not be used. */
  outageMs: readonly number[]
}

const MINUTE_MS = 60_000

const TIMES: SenderTimes = {
  pollMs: 1000,
  sendMs: 2 * MINUTE_MS,
  retryMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS],
  outageMs: [5000, 15_000, MINUTE_MS],
}

/** How long a mail that is being sent may still take when the process stops. */
const FINISH_MS = 10_000

/**
 * Sends the mails of the outbox, one after the other, while it is the turn of this process. A mail is leased while it is
 * sent. If the process is killed meanwhile, another one sends it again under the same message id.
 */
export function startMailSender(parts: MailSenderParts, times: Partial<SenderTimes> = {}): MailSender {
  const { database, server, baseUrl, isAssigned, log } = parts
  const store = createOutboxStore(database)
  const { instruments, count } = createInstruments(store)
  const [stop, cutOff] = [new AbortController(), new AbortController()]
  const signals = { stopping: stop.signal, cutOff: cutOff.signal }
  const running =
    server && baseUrl !== undefined
      ? run({ store, server, baseUrl, isAssigned, log, count, ...signals }, { ...TIMES, ...times })
      : undefined
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

interface Running extends Pick<MailSenderParts, 'isAssigned' | 'log'> {
  store: OutboxStore
  server: MailServer
  baseUrl: string
  count(state: MailOutcome['state']): void
  /** Aborts when no other mail may be begun. */
  stopping: AbortSignal
  /** Ends the attempt that runs. */
  cutOff: AbortSignal
}

async function run(parts: Running, times: SenderTimes): Promise<void> {
  const { server, isAssigned, log, stopping } = parts
  const smtp = await openSmtp(server)
  let outages = 0
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => {})
  while (!stopping.aborted) {
    try {
      const result = (await isAssigned()) ? await sendNext(parts, smtp, times) : 'none'
      if (result === 'outage') {
        await pause(times.outageMs[Math.min(outages++, times.outageMs.length - 1)]!)
        continue
      }
      if (result === 'settled') {
        if (outages > 0) log.info('mails are sent again')
        outages = 0
        continue
      }
    } catch (err) {
      if (!findUnavailable(err)) log.error({ err }, 'mails could not be sent')
    }
    await pause(times.pollMs)
  }
  smtp.close()
}

/** Sends the mail that has waited longest. */
async function sendNext(
  { store, baseUrl, log, count, cutOff }: Running,
  smtp: Smtp,
  { sendMs, retryMs }: SenderTimes,
): Promise<'none' | 'settled' | 'outage'> {
  const claimed = await store.claim(async (write, mail) =>
    mail.expiresAt > (await steadyTime(write)) ? composeMail(write, mail, baseUrl) : 'expired',
  )
  if (!claimed) return 'none'
  const { mail, prepared } = claimed
  let failure: MailError | undefined
  let outcome: MailOutcome
  if (prepared === 'expired') outcome = { state: 'failed', reason: 'It could not be sent in time.' }
  else if (!prepared) outcome = { state: 'dropped' }
  else {
    failure = await send(smtp, mail, prepared, { baseUrl, sendMs, cutOff })
    outcome = failure ? judge(failure, mail, retryMs) : { state: 'sent' }
  }
  await store.settle(mail, outcome)
  count(outcome.state)
  if (failure)
    log.warn({ mail: mail.key, reason: failure.message, ...describeNext(outcome) }, 'a mail was not sent')
  return failure?.kind === 'outage' ? 'outage' : 'settled'
}

const describeNext = (outcome: MailOutcome) =>
  outcome.state === 'waiting' ? { againInMs: outcome.againInMs } : { state: outcome.state }

async function send(
  smtp: Smtp,
  mail: ClaimedMail,
  written: WrittenMail,
  { baseUrl, sendMs, cutOff }: { baseUrl: string; sendMs: number; cutOff: AbortSignal },
): Promise<MailError | undefined> {
  const id = `${mail.createdAt.toString(36)}.${mail.key}`
  const message = { to: mail.recipient, id, ...renderMail(written, baseUrl) }
  try {
    await smtp.send(message, AbortSignal.any([cutOff, AbortSignal.timeout(sendMs)]))
    return undefined
  } catch (error) {
    return error instanceof MailError ? error : new MailError('postponed', reasonOf(error), error)
  }
}

function judge(
  { kind, message: reason }: MailError,
  { attempts }: ClaimedMail,
  retryMs: readonly number[],
): MailOutcome {
  if (kind === 'rejected') return { state: 'failed', reason }
  // The others wait for the server too. This one is the last of them, in case that it is the cause.
  if (kind === 'outage') return { state: 'waiting', reason, againInMs: 0 }
  return { state: 'waiting', reason, againInMs: retryMs[Math.min(attempts, retryMs.length) - 1]! }
}

function createInstruments(store: Pick<OutboxStore, 'measure'>) {
  const ended = new Counter({
    name: 'meadow_mail_attempts_total',
    help: 'Attempts to send a mail, by what became of the mail: sent, waiting, failed (given up), dropped.',
    labelNames: ['state'],
    registers: [],
  })
  const gauges = createOutboxGauges(store, {
    waiting: { name: 'meadow_mail_waiting', help: 'Mails that are not sent yet' },
    oldest: 'meadow_mail_oldest_seconds',
  })
  return {
    instruments: [ended, ...gauges] satisfies Metric[],
    count: (state: MailOutcome['state']) => ended.inc({ state }),
  }
}
