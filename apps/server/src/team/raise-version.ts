import type { Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { prepareInTransactions } from '../platform/database/prepared-queries.ts'
import type { TeamKey } from '../platform/database/tables.ts'

/**
 * Raises the version of a team that a transaction changes. Call it first: on PostgreSQL it takes the lock that changes
 * of one team wait for, and triggers note this version for the change feed. Throws when there is no such team. Resolves to
 * when it was deleted, and null when it was not.
 */
export async function raiseVersion(write: Write, team: TeamKey): Promise<number | null> {
  const [raised] = await incrementVersion(write, { team })
  if (!raised) throw new Error(`There is no team ${team}.`)
  return raised.deleted_at
}

/** Compiled once, since every write to a team does it. */
const incrementVersion = prepareInTransactions((write, { team }: { team: TeamKey }) =>
  write
    .updateTable('team')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', team)
    .returning('deleted_at'),
)

/**
 * The times of `count` changes of the team's documents and files, each later than every one before (decision 43): now, or
 * where the clock was set back, the milliseconds after the last change. Call it after `raiseVersion`.
 */
export async function takeTimes(write: Write, team: TeamKey, count: number): Promise<number[]> {
  const now = timeOf(write)
  const { changed_at: last } = await write
    .updateTable('team')
    .set(({ eb }) => ({
      changed_at: eb
        .case()
        .when(eb('changed_at', '>', now - count))
        .then(eb('changed_at', '+', count))
        .else(now)
        .end(),
    }))
    .where('id', '=', team)
    .returning('changed_at')
    .executeTakeFirstOrThrow()
  return Array.from({ length: count }, (_, position) => last - count + 1 + position)
}

/** The time of one change: see {@link takeTimes}. */
export async function takeTime(write: Write, team: TeamKey): Promise<number> {
  const [time] = await takeTimes(write, team, 1)
  return time!
}

/** Takes the lock that changes of the team wait for; its version stays, since the API's responses do not change. */
export async function lockTeam(write: Write, team: TeamKey): Promise<void> {
  await write
    .updateTable('team')
    .set(({ ref }) => ({ version: ref('version') }))
    .where('id', '=', team)
    .execute()
}
