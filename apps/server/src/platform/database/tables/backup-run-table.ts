import type { Milliseconds } from './column-types.ts'

/** A backup of this database. All times are by the clock of the database. */
export interface BackupRunTable {
  id: string
  /** Where it goes to, without keys. */
  target: string
  /** The machine that makes it. */
  host: string
  started_at: Milliseconds
  /** While it runs, as long as it renews this; null after it has ended. */
  lease_until: Milliseconds | null
  ended_at: Milliseconds | null
  /** The name of the moment that it saved; null when it failed. */
  moment: string | null
}
