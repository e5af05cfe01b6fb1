import type { Milliseconds } from './column-types.ts'

/** A backup of this database. All times are by the clock of the database. */
export interface BackupRunTable {
  id: string
  /** Where the backup goes to, without keys. */
  target: string
  /** The machine that makes the backup. */
  host: string
  started_at: Milliseconds
  /** When the lease of a running backup ends unless it is renewed; null after the backup has ended. */
  lease_until: Milliseconds | null
  ended_at: Milliseconds | null
  /** The name of the moment that the backup saved; null when it failed. */
  moment: string | null
}
