import { sql } from 'kysely'
import type { Select, Write } from './database.ts'
import { CLOCK_MARGIN_MS } from './database-clock.ts'

/**
 * What a stored time is for, and what becomes of it when it lies in the future because a clock was ahead (decision 49):
 * - `ends`: a lease, window or sign of life, which is compared with `hasEnded`: one that lies further ahead than its
 *   length has ended.
 * - `pause`: what is done then. One that lies further ahead than its length is set to now when the clock is set back.
 * - `kept`: something is retained until then. One that lies further ahead than its length is brought to that.
 * - `since`: a wait or life is counted from here. One in the future is set to now when the clock is set back, and the
 *   end that belongs to it moves with it.
 * - `moves`: the end that belongs to a `since` of the same row.
 * - `removed`: the row is removed, when the clock is set back, if it was made in the future.
 * - `chosen`: a person named the day. It stays.
 * - `record`: when something happened. It is shown, and nothing waits for it. It stays.
 */
export type TimeUse = 'ends' | 'pause' | 'kept' | 'since' | 'moves' | 'removed' | 'chosen' | 'record'

export interface TimeColumn {
  column: `${string}.${string}`
  use: TimeUse
  /** The longest time by which it can lie ahead, in milliseconds; 0 for a time that has come when it is written. */
  lengthMs: number
  /** What it is, in words. */
  what: string
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

const ENDS = {
  'solve.lease_until': [30 * SECOND, 'the lease of the solver that solves it'],
  'export_file.lease_until': [10 * SECOND, 'the lease of the process that makes the file'],
  'mirror.lease_until': [10 * SECOND, 'the lease of the process that runs the mirror'],
  'mirror.watched_until': [150 * SECOND, 'a process follows the folder'],
  'backup_run.lease_until': [10 * MINUTE, 'the lease of a backup, for which blobs are retained'],
  'mail.lease_until': [5 * MINUTE, 'the lease of the process that sends the mail'],
  'webhook_delivery.lease_until': [30 * SECOND, 'the lease of the process that delivers it'],
  'process.seen_at': [45 * SECOND, 'the sign of life of a process, and of its singleton jobs'],
  'failed_attempt.until': [
    15 * MINUTE,
    'the window in which attempts to sign in, mails and invitations are counted',
  ],
  'rate_window.until': [MINUTE, 'the window in which requests of a token are counted'],
  'one_time_link.expires_at': [3 * DAY, 'the end of a mailed link (a reset of a password: one hour)'],
  'device_authorization.expires_at': [10 * MINUTE, 'the end of the codes of a program that asks for a token'],
  'spent_challenge.until': [
    20 * MINUTE,
    'how long an answered challenge of a passkey, or a sign-in through a provider, is remembered',
  ],
  'session.provedAt': [10 * MINUTE, 'a fresh sign-in'],
  'webhook.former_until': [7 * DAY, 'the former secret of a webhook still signs'],
} as const satisfies Record<string, readonly [number, string]>

const PAUSES = {
  'mail.next_at': [2 * HOUR, 'the next attempt to send it'],
  'webhook_delivery.next_at': [10 * HOUR, 'the next attempt to deliver it'],
  'webhook.resume_at': [2 * HOUR, 'a webhook that fails rests until then'],
} as const satisfies Record<string, readonly [number, string]>

const KEPT = { 'export_file.kept_until': [DAY, 'links may lead to the file'] } as const

/** The columns of the use `since`, some with the end that moves along. */
const SINCE: Record<string, string | readonly [what: string, moves: string, whatMoves: string]> = {
  'token.created_at': ['the life of an API token begins', 'expires_at', 'the end of the token'],
  'invitation.created_at': ['the life of an invitation begins', 'expires_at', 'the end of the invitation'],
  'team_deletion.asked_at': [
    'the deletion of a team was asked for',
    'purge_at',
    'the team is removed for good',
  ],
  'mail.created_at': ['a mail was queued', 'expires_at', 'a mail that was not sent is given up'],
  'webhook_delivery.created_at': ['a delivery was queued', 'expires_at', 'a delivery is given up'],
  'device_authorization.polled_at':
    'a program asked whether it gets a token; it may again after some seconds',
  'document_change.at': 'a change: versions are kept by the pauses between changes',
  'solve.started_at': 'a solve began: the team that was served longest ago is next',
  'solve.superseded_at': 'a solution was replaced; it is removed a day later',
  'link_key.retired_at': 'a key was retired; its last links work for an hour more',
  'discarded_blob.discarded_at': 'a blob was let go of; it is removed a day later',
  'document_value.unused_at': 'a value was let go of; it is removed a day later',
  'backup_run.ended_at': 'a backup ended; the alert for old backups counts from here',
  'mail.ended_at': 'a mail was sent or given up; its record is removed later',
  'webhook_delivery.ended_at': 'a delivery ended; its record is removed later',
  'webhook.failing_since': 'a webhook fails; it is ended after days',
  'recent_document.opened_at': 'a person opened a document; written again after a while',
  'document_graph.indexed_at': 'a document was indexed; one that is edited is not indexed again at once',
  'probe.asked_at': 'a question of a command to all processes',
}

const REMOVED = {
  'session.createdAt': 'a session',
} as const

const CHOSEN = { 'document.public_until': 'the day until which a document is public' } as const

/** The columns of the use `record` in rows of which another time decides what becomes of them. */
const RECORDS: Record<string, string> = {
  'session.expiresAt':
    'the end of a session: at most 7 days without use, and 30 in all; the session goes with `createdAt`',
  'session.updatedAt': 'the last use of a session',
  'session.factorAt': 'whether, and when, a second factor opened a session',
  'second_factor.last_step':
    'the interval of the last code, in 30 s: one further ahead than the next one does not count as used',
  'team.changed_at': 'the latest `updatedAt` of a document, which never goes back (decision 43)',
  'document_version.at': 'a version: one of the future counts as new when old versions are thinned out',
  'credit_entry.at': 'a charge: counted in the month of its date',
  'service_clock.seen_at': 'the last time that was written down: this is how a jump is noticed',
  'service_clock.jumped_at': 'when the last jump was noticed',
  'service_clock.ahead_until': 'the latest time of a clock that was ahead',
}

/** The times that are only shown, and not compared with the current time. */
const PLAIN_RECORDS =
  `team.created_at team.deleted_at folder.created_at document.created_at document.updated_at
  document_snapshot.at token.revoked_at token.last_used_at token.notice_sent_at solve.asked_at solve.ended_at
  link_key.created_at user.createdAt user.updatedAt
  account.createdAt account.updatedAt membership.created_at bin_item.deleted_at team_file.created_at
  team_file.updated_at mirror.created_at mirror.completed_at mirror_run.started_at mirror_run.ended_at
  process.started_at blob_store.created_at backup_run.started_at audit_chain.purged_at
  audit_event.at second_factor.created_at second_factor.used_at team_deletion.begun_at team_deletion.ended_at
  webhook.delivered_at webhook.created_at webhook_attempt.at comment_thread.created_at comment_thread.resolved_at
  comment.created_at comment.edited_at named_view.deleted_at device_authorization.asked_at`.split(/\s+/)

type Name = TimeColumn['column']
const listOf = (use: TimeUse, columns: Record<string, readonly [number, string]>): TimeColumn[] =>
  Object.entries(columns).map(([column, [lengthMs, what]]) => ({
    column: column as Name,
    use,
    lengthMs,
    what,
  }))
const recordsOf = (use: TimeUse, columns: Record<string, string>): TimeColumn[] =>
  Object.entries(columns).map(([column, what]) => ({ column: column as Name, use, lengthMs: 0, what }))

const tableOf = (column: string): string => column.split('.')[0]!

/** Every column that holds a point in time. A test compares this with the tables, and docs/clocks.md with this. */
export const TIME_COLUMNS: readonly TimeColumn[] = [
  ...listOf('ends', ENDS),
  ...listOf('pause', PAUSES),
  ...listOf('kept', KEPT),
  ...Object.entries(SINCE).flatMap(([column, facts]): TimeColumn[] => {
    if (typeof facts === 'string') return recordsOf('since', { [column]: facts })
    const [what, moves, whatMoves] = facts
    return [
      ...recordsOf('since', { [column]: what }),
      ...recordsOf('moves', { [`${tableOf(column)}.${moves}`]: whatMoves }),
    ]
  }),
  ...recordsOf('removed', REMOVED),
  ...recordsOf('chosen', CHOSEN),
  ...recordsOf('record', RECORDS),
  ...recordsOf('record', Object.fromEntries(PLAIN_RECORDS.map((column) => [column, 'when it happened']))),
]

/** Returns the length of a lease or window, in milliseconds. */
export const lengthOf = (column: keyof typeof ENDS): number => ENDS[column][0]

/** Corrects the times that a clock that was ahead has written, now that it was set back. */
export async function putTimesRight(write: Write, now: number): Promise<void> {
  for (const [column, facts] of Object.entries(SINCE)) {
    const [table, since] = column.split('.') as [string, string]
    const moved =
      typeof facts === 'string'
        ? sql``
        : sql`, ${sql.ref(facts[1])} = ${sql.ref(facts[1])} - (${sql.ref(since)} - ${now})`
    await sql`update ${sql.table(table)} set ${sql.ref(since)} = ${now}${moved} where ${sql.ref(since)} > ${now}`.execute(
      write,
    )
  }
  for (const [column, [lengthMs]] of Object.entries({ ...PAUSES, ...KEPT })) {
    const [table, pause] = column.split('.') as [string, string]
    const at = column in KEPT ? now + lengthMs : now
    await sql`update ${sql.table(table)} set ${sql.ref(pause)} = ${at} where ${sql.ref(pause)} > ${now + lengthMs}`.execute(
      write,
    )
  }
  const latest = new Date(now + CLOCK_MARGIN_MS).toISOString()
  for (const column of Object.keys(REMOVED)) {
    const [table, made] = column.split('.') as [string, string]
    await sql`delete from ${sql.table(table)} where ${sql.ref(made)} > ${latest}`.execute(write)
  }
}

export interface FutureTimes {
  column: string
  count: number
  /** By how many milliseconds the latest of these times lies further ahead than it can. */
  aheadMs: number
}

/** Finds the columns with times that lie further ahead than a correct clock can have written. */
export async function findFutureTimes(select: Select, now: number): Promise<FutureTimes[]> {
  const found: FutureTimes[] = []
  for (const { column, use, lengthMs } of TIME_COLUMNS) {
    const [table, name] = column.split('.') as [string, string]
    if (
      use === 'chosen' ||
      use === 'moves' ||
      /[A-Z]/.test(name) ||
      name === 'last_step' ||
      table === 'service_clock'
    )
      continue
    const longest = now + lengthMs + CLOCK_MARGIN_MS
    const { rows } = await sql<{ count: number; latest: number | null }>`
      select count(*) as count, max(${sql.ref(name)}) as latest from ${sql.table(table)}
      where ${sql.ref(name)} > ${longest}`.execute(select as Write)
    const { count, latest } = rows[0]!
    if (latest !== null)
      found.push({ column, count: Number(count), aheadMs: Number(latest) - now - lengthMs })
  }
  return found
}
