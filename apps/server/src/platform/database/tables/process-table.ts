import type { Dialect } from '../database.ts'
import type { Milliseconds } from './column-types.ts'

/**
 * After how long without a sign of life a process counts as dead. It gives three in that time. They are rare on SQLite:
 * there each commit makes cached responses be looked at anew, and an idle disk stays idle otherwise.
 */
export const DEAD_AFTER_MS: Record<Dialect, number> = { sqlite: 45_000, postgres: 15_000 }

/** `serve`: answers requests, and may solve too. `work`: solves. `command`: another command, while it uses blobs. */
export type ProcessKind = 'serve' | 'work' | 'command'

/** A process of the service that runs, or has died of late. */
export interface ProcessTable {
  /** A UUID, new with every start. */
  id: string
  kind: ProcessKind
  /** Of Meadow. */
  version: string
  /** The version of the tables that it knows. */
  schema_version: number
  /** The name of its machine, and its process id there. */
  host: string
  pid: number
  /** Where it listens; null for one that does not. */
  address: string | null
  /** How many connections to the database it has at most. */
  connections: number
  /** The id of its blob store (`blob_store`); null before that is known. */
  blob_store: string | null
  /** Equal for equal secrets of session cookies; null for a process without one. */
  secret_fingerprint: string | null
  /** By the clock of the database, like `seen_at`: it renews that as long as it lives. */
  started_at: Milliseconds
  seen_at: Milliseconds
}
