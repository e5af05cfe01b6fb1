import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { HttpError } from '../../http/http-error.ts'
import type { Database, Write } from '../../platform/database/database.ts'

/** Counts what fails, so that nobody can try on and on: in the database, for all processes together. */
export interface Attempts {
  /**
   * Does `work`, unless what it is counted under has failed too often: then refuses with 429. Counts a failure when
   * `isFailure` says that what `work` threw is one.
   */
  run<T>(
    keys: readonly AttemptKey[],
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T>
  /** Removes the counts that are over. */
  forget(): Promise<void>
}

export interface AttemptKey {
  key: string
  /** So many failures within the window are let through. */
  max: number
}

/** A key's count, in the window that ends at `until`. */
interface Counted {
  hash: Uint8Array
  count: number
  until: number
}

const WINDOW_MS = 15 * 60 * 1000

/** Of one length whatever somebody typed, and no list of who signs in from where. */
const hashOf = ({ key }: AttemptKey): Uint8Array => createHash('sha256').update(key).digest()

export function createAttempts(database: Database, now: () => number = Date.now): Attempts {
  const { read } = database

  /** Spares the database the writes of those who are refused anyway. */
  async function check(keys: readonly AttemptKey[]): Promise<void> {
    for (const key of keys) {
      const counted = await read
        .selectFrom('failed_attempt')
        .where('hash', '=', hashOf(key))
        .where('until', '>', now())
        .select(['count', 'until'])
        .executeTakeFirst()
      if (counted && counted.count >= key.max) throw tooMany(counted.until)
    }
  }

  /** Counts all of them, or none and refuses. Everybody counts in the same order, so that nobody waits in a circle. */
  const begin = (keys: readonly AttemptKey[]): Promise<Counted[]> =>
    database.transaction(async (write) => {
      const begun: Counted[] = []
      for (const key of keys) {
        const counted = await count(write, hashOf(key), now())
        if (counted.count > key.max) throw tooMany(counted.until)
        begun.push(counted)
      }
      return begun
    })

  /** A window that began since is nobody's to lower. */
  const takeBack = (begun: readonly Counted[]): Promise<void> =>
    database.transaction(async (write) => {
      for (const { hash, until } of begun) {
        await write
          .updateTable('failed_attempt')
          .set({ count: sql`count - 1` })
          .where('hash', '=', hash)
          .where('until', '=', until)
          .execute()
      }
    })

  function tooMany(until: number) {
    const seconds = Math.ceil((until - now()) / 1000)
    return new HttpError('too_many_attempts', { headers: { 'retry-after': String(seconds) } })
  }

  return {
    async run(keys, work, isFailure) {
      await check(keys)
      // Counted before it is known, so that many at once cannot pass together.
      const begun = await begin(keys)
      try {
        const result = await work()
        await takeBack(begun)
        return result
      } catch (error) {
        if (!isFailure(error)) await takeBack(begun)
        throw error
      }
    },
    async forget() {
      const over = await read
        .selectFrom('failed_attempt')
        .where('until', '<=', now())
        .select('hash')
        .execute()
      // One at a time: whoever counts several at once holds them in an order of their own.
      for (const { hash } of over) {
        await database.transaction((write) =>
          write.deleteFrom('failed_attempt').where('hash', '=', hash).where('until', '<=', now()).execute(),
        )
      }
    },
  }
}

/** One more, in the window that runs or in a new one. */
async function count(write: Write, hash: Uint8Array, now: number): Promise<Counted> {
  const isOver = sql<boolean>`failed_attempt.until <= ${now}`
  const counted = await write
    .insertInto('failed_attempt')
    .values({ hash, count: 1, until: now + WINDOW_MS })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        count: sql`case when ${isOver} then 1 else failed_attempt.count + 1 end`,
        until: sql`case when ${isOver} then excluded.until else failed_attempt.until end`,
      }),
    )
    .returning(['count', 'until'])
    .executeTakeFirstOrThrow()
  return { hash, ...counted }
}
