import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { MailKind, MailState } from '../../platform/database/tables.ts'
import { isHeld, type Lease, openQueue, type Queue, UNLEASED } from '../../platform/queue.ts'

/** A mail that this process may send while its lease lasts. */
export interface ClaimedMail extends Lease {
  kind: MailKind
  recipient: string
  about: string | null
  subject: string | null
  body: string | null
  createdAt: number
  expiresAt: number
  attempts: number
}

export interface MailRecord {
  id: number
  kind: MailKind
  recipient: string
  subject: string | null
  state: MailState
  createdAt: number
  endedAt: number | null
  attempts: number
  reason: string | null
}

/** How a turn of a mail ended: it is done with, or it is tried again after some time. */
export type MailOutcome =
  | { state: Exclude<MailState, 'waiting'>; reason?: string }
  | { state: 'waiting'; reason: string; againInMs: number }

/** The mails that wait, and what became of those of the last days. */
/** How long mails that were sent or given up are kept. */
export const MAIL_KEPT_MS = 7 * 24 * 60 * 60_000

export interface OutboxStore {
  /**
   * Leases the mail that has waited longest, and runs `prepare` in the same transaction; undefined when none is due.
   * Mails of other processes are left to them until their lease has expired.
   */
  claim<T>(
    prepare: (write: Write, mail: ClaimedMail) => Promise<T>,
  ): Promise<{ mail: ClaimedMail; prepared: T } | undefined>
  /** Does nothing if the lease was lost. */
  settle(mail: Lease, outcome: MailOutcome): Promise<void>
  /** Lists mails, the newest first. */
  list(filter: { state?: MailState | undefined; limit: number }): Promise<MailRecord[]>
  /** Measures how many mails wait, and how long the oldest has. */
  measure(): Promise<{ waiting: number; oldestMs: number }>
  /** Deletes the mails that ended before, or should have been sent before, and links that no longer work. */
  deleteOlder(endedBefore: number): Promise<void>
}

export function createOutboxStore(database: Database): OutboxStore {
  const { read } = database
  const queue = openQueue(database, 'mail')

  return {
    async claim(prepare) {
      const due = await read
        .selectFrom('mail')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', queue.now())
        .where(queue.isFree())
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .select('id')
        .executeTakeFirst()
      if (!due) return undefined
      const claimed = await database.transaction(async (write) => {
        const mail = await take(write, due.id, queue)
        return mail && { mail, prepared: await prepare(write, mail) }
      })
      // Another process was faster.
      return claimed ?? this.claim(prepare)
    },
    async settle(mail, outcome) {
      const { state, reason = null } = outcome
      const isDone = state !== 'waiting'
      await database.transaction((write) =>
        write
          .updateTable('mail')
          .set({
            state,
            reason,
            ...UNLEASED,
            ...(isDone
              ? { ended_at: timeOf(write), body: null }
              : { next_at: queue.after(outcome.againInMs) }),
          })
          .where(isHeld('mail', mail))
          .execute(),
      )
    },
    list({ state, limit }) {
      const mails = read
        .selectFrom('mail')
        .orderBy('id', 'desc')
        .limit(limit)
        .select([
          'id',
          'kind',
          'recipient',
          'subject',
          'state',
          'created_at as createdAt',
          'ended_at as endedAt',
          'attempts',
          'reason',
        ])
      return (state === undefined ? mails : mails.where('state', '=', state)).execute()
    },
    async measure() {
      const { waiting, oldest } = await read
        .selectFrom('mail')
        .where('state', '=', 'waiting')
        .select(({ fn }) => [fn.countAll().as('waiting'), fn.min('created_at').as('oldest')])
        .executeTakeFirstOrThrow()
      return {
        waiting: Number(waiting),
        oldestMs: oldest === null ? 0 : Math.max(0, timeOf(read) - Number(oldest)),
      }
    },
    async deleteOlder(endedBefore) {
      await database.transaction(async (write) => {
        await write.deleteFrom('mail').where('ended_at', '<', endedBefore).execute()
        // Nobody sends them where no mail server is configured.
        await write.deleteFrom('mail').where('expires_at', '<', endedBefore).execute()
        await write.deleteFrom('one_time_link').where('expires_at', '<', endedBefore).execute()
      })
    },
  }
}

/** Leases a mail. Of concurrent calls, only one gets it. */
const take = (write: Write, id: number, queue: Queue): Promise<ClaimedMail | undefined> =>
  write
    .updateTable('mail')
    .set(({ eb }) => ({ ...queue.take(), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where(queue.isFree())
    .returning([
      'id as key',
      'kind',
      'recipient',
      'about',
      'subject',
      'body',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'attempts',
      'claimed_by as leaseId',
    ])
    .$castTo<ClaimedMail>()
    .executeTakeFirst()
