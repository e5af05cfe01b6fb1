import { type AuditEvent, recordEvent } from '../audit/record-event.ts'
import type { Database, Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createIndexChanges, type IndexChanges } from './index-changes.ts'
import { raiseVersion } from './raise-version.ts'

/** A team, and the transaction that writes to it. */
export interface TeamWrite {
  readonly write: Write
  readonly team: TeamKey
}

/** A transaction that changes what a team holds. Functions that change a team take it as their first parameter. */
export interface TeamTransaction extends TeamWrite {
  /** `publish` sends messages to other processes when the transaction is committed. */
  readonly database: Pick<Database, 'dialect' | 'publish'>
  /** Collects what changes in the search index, which is written at the end. */
  readonly index: IndexChanges
  /** Records an event of the team in the audit log. */
  record(event: Omit<AuditEvent, 'team'>): void
}

/** The deletion of the team was asked for. */
class TeamDeletedError extends Error {
  constructor() {
    super('The team is deleted. Until it is purged, "meadow-server team restore ID" brings it back.')
  }
}

/**
 * Changes what a team holds in one transaction, which also raises the team's version: the only way to write to a team, so
 * that the version cannot be forgotten. Changes of one team wait for each other, and on SQLite all writers do: read and
 * parse files before, and write a few dozen documents at a time. `checkFirst` runs before anything is written. Throws a
 * {@link TeamDeletedError} for a team whose deletion was asked for.
 */
export const changeTeam = <T>(
  database: Database,
  team: TeamKey,
  work: (change: TeamTransaction) => Promise<T>,
  checkFirst?: (write: Write) => Promise<void>,
): Promise<T> =>
  database.transaction(async (write) => {
    // First: on PostgreSQL this takes the lock that changes of one team wait for.
    const deletedAt = await raiseVersion(write, team)
    await checkFirst?.(write)
    if (deletedAt !== null) throw new TeamDeletedError()
    const index = createIndexChanges()
    const record: TeamTransaction['record'] = (event) => recordEvent(write, { ...event, team })
    const result = await work({ write, team, database, index, record })
    await database.searchIndex.apply(write, index.collected())
    return result
  })
