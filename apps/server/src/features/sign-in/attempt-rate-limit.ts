import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { UserId } from '@meadow/contract'
import { sql } from 'kysely'
import { HttpError } from '../../http/http-error.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { endedAt, lastsAt, timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'

/** Limits failed attempts, against brute force. They are counted in the database, for all processes together. */
export interface AttemptRateLimit {
  /**
   * Runs `work`, or throws a 429 when one of `keys` has reached its limit. An error of `work` for which `isFailure` is
   * true counts as a failed attempt under each key.
   */
  run<T>(
    keys: readonly RateLimitKey[],
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T>
  /** Counts what is limited whether it succeeds or not, or throws a 429 when one of `keys` has reached its limit. */
  count(keys: readonly RateLimitKey[]): Promise<void>
  /** Deletes the counts of windows that have ended. */
  deleteExpired(): Promise<void>
}

export interface RateLimitKey {
  key: string
  /** Failures that are allowed within a window. */
  max: number
}

const MAX_PER_PAIR = 10
const MAX_PER_PART = 100

/**
 * The keys of an attempt with a password: the pair of client and address, and each of them alone, so that neither many
 * addresses nor many clients help.
 */
export function signInKeys(ip: string, email: string): RateLimitKey[] {
  const client = clientOf(ip)
  const address = email.toLowerCase()
  return [
    { key: `${client} ${address}`, max: MAX_PER_PAIR },
    { key: `client ${client}`, max: MAX_PER_PART },
    { key: `email ${address}`, max: MAX_PER_PART },
  ]
}

/** The keys of an attempt with a code of six digits: few for each person, since there are only a million. */
export const codeKeys = (ip: string, user: UserId): RateLimitKey[] => [
  { key: `client ${clientOf(ip)}`, max: MAX_PER_PART },
  { key: `code ${user}`, max: MAX_PER_PAIR },
]

/** The keys of an attempt with the code of a program that asks for a token: a person has to compare few of them. */
export const userCodeKeys = (ip: string, user: UserId): RateLimitKey[] => [
  { key: `client ${clientOf(ip)}`, max: MAX_PER_PART },
  { key: `user code ${user}`, max: MAX_PER_PAIR },
]

/** The key of a program that asks for a token, so that no client fills the table of those that do. */
export const deviceKeys = (ip: string): RateLimitKey[] => [
  { key: `devices of ${clientOf(ip)}`, max: MAX_PER_PART },
]

/** The keys of an attempt with a generated secret, which cannot be guessed: only the load is limited. */
export const secretKeys = (ip: string): RateLimitKey[] => [
  { key: `secret ${clientOf(ip)}`, max: MAX_PER_PART },
]

const MAX_MAILS_OF_CLIENT = 20
const MAX_MAILS = 5

/** The keys of a request for a mail: `about` is the address or user that gets it. */
export const mailKeys = (ip: string, about: string): RateLimitKey[] => [
  { key: `mails by ${clientOf(ip)}`, max: MAX_MAILS_OF_CLIENT },
  { key: `mails to ${about}`, max: MAX_MAILS },
]

const MAX_INVITATIONS = 50

/** The key of mailed invitations, so that no team becomes a sender of advertising. */
export const invitationKeys = (team: TeamKey): RateLimitKey[] => [
  { key: `invitations of ${team}`, max: MAX_INVITATIONS },
]

/** An IPv6 client usually has its whole /64 network. */
const clientOf = (ip: string): string => (isIPv6(ip) && !ip.includes('.') ? networkOf(ip) : ip)

/** The first four groups of an IPv6 address. */
function networkOf(ip: string): string {
  const [start = '', end] = ip.split('::')
  const groups = start.split(':').filter(Boolean)
  const zeros = end === undefined ? 0 : 8 - groups.length - end.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(zeros).fill('0')].slice(0, 4).join(':')
}

/** A key's count in the window that ends at `until`. */
interface Counted {
  hash: Uint8Array
  count: number
  until: number
}

const WINDOW_MS = lengthOf('failed_attempt.until')

/** Hashed, so that rows have one length and do not list who signs in from where. */
const hashOf = ({ key }: RateLimitKey): Uint8Array => createHash('sha256').update(key).digest()

export function createAttemptRateLimit(
  database: Database,
  now: () => number = () => timeOf(database.read),
): AttemptRateLimit {
  const { read } = database

  /** Rejects without a write if possible. */
  async function check(keys: readonly RateLimitKey[]): Promise<void> {
    for (const key of keys) {
      const counted = await read
        .selectFrom('failed_attempt')
        .where('hash', '=', hashOf(key))
        .where(lastsAt('until', WINDOW_MS, now()))
        .select(['count', 'until'])
        .executeTakeFirst()
      if (counted && counted.count >= key.max) throw createError(counted.until)
    }
  }

  /** Counts under all keys, or throws and counts under none. Keys have a fixed order, so that there are no deadlocks. */
  const countAll = (keys: readonly RateLimitKey[]): Promise<Counted[]> =>
    database.transaction(async (write) => {
      const all: Counted[] = []
      for (const key of keys) {
        const counted = await count(write, hashOf(key), now())
        if (counted.count > key.max) throw createError(counted.until)
        all.push(counted)
      }
      return all
    })

  /** Does not change windows that began later. */
  const revert = (all: readonly Counted[]): Promise<void> =>
    database.transaction(async (write) => {
      for (const { hash, until } of all) {
        await write
          .updateTable('failed_attempt')
          .set({ count: sql`count - 1` })
          .where('hash', '=', hash)
          .where('until', '=', until)
          .execute()
      }
    })

  function createError(until: number): HttpError {
    const seconds = Math.ceil((until - now()) / 1000)
    return new HttpError('too_many_attempts', { headers: { 'retry-after': String(seconds) } })
  }

  return {
    async run(keys, work, isFailure) {
      await check(keys)
      // Counted in advance, so that concurrent attempts cannot pass together.
      const counted = await countAll(keys)
      try {
        const result = await work()
        await revert(counted)
        return result
      } catch (error) {
        if (!isFailure(error)) await revert(counted)
        throw error
      }
    },
    async count(keys) {
      await check(keys)
      await countAll(keys)
    },
    async deleteExpired() {
      const expired = await read
        .selectFrom('failed_attempt')
        .where(endedAt('until', WINDOW_MS, now()))
        .select('hash')
        .execute()
      // One row per transaction: several row locks in another order than that of `countAll` could deadlock.
      for (const { hash } of expired) {
        await database.transaction((write) =>
          write
            .deleteFrom('failed_attempt')
            .where('hash', '=', hash)
            .where(endedAt('until', WINDOW_MS, now()))
            .execute(),
        )
      }
    },
  }
}

/** Increments the count in the current window, or starts a new window. */
async function count(write: Write, hash: Uint8Array, now: number): Promise<Counted> {
  const isExpired = endedAt('failed_attempt.until', WINDOW_MS, now)
  const counted = await write
    .insertInto('failed_attempt')
    .values({ hash, count: 1, until: now + WINDOW_MS })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        count: sql`case when ${isExpired} then 1 else failed_attempt.count + 1 end`,
        until: sql`case when ${isExpired} then excluded.until else failed_attempt.until end`,
      }),
    )
    .returning(['count', 'until'])
    .executeTakeFirstOrThrow()
  return { hash, ...counted }
}
