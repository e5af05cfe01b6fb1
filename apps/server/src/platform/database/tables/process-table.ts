import type { Dialect } from '../database.ts'
import type { Milliseconds } from './column-types.ts'

/**
 * After how long without a sign of life a process counts as dead. It gives three signs in that time. Signs are rare on
 * SQLite, where each commit makes cached responses be checked again, and writes to a disk that may otherwise be idle.
 */
export const DEAD_AFTER_MS: Record<Dialect, number> = { sqlite: 45_000, postgres: 15_000 }

/** `serve`: answers requests, and may solve too. `work`: solves. `command`: another command, while it uses blobs. */
export type ProcessKind = 'serve' | 'work' | 'command'

/** A process of the service that runs or has recently died. */
export interface ProcessTable {
  /** A UUID, new with every start. */
  id: string
  kind: ProcessKind
  /** The version of Meadow that the process runs. */
  version: string
  /** The version of the tables that the process knows. */
  schema_version: number
  /** The name of the machine, and the process id there. */
  host: string
  pid: number
  /** The address at which the process listens; null when it does not listen. */
  address: string | null
  /** The maximum number of connections that the process has to the database. */
  connections: number
  /** The id of the blob store (`blob_store`) of the process; null before it is known. */
  blob_store: string | null
  /** A fingerprint of the secret of session cookies, equal for equal secrets; null for a process without one. */
  secret_fingerprint: string | null
  /**
   * When the process started. Like `seen_at`, which it renews as long as it lives, this is by the clock of the
   * database.
   */
  started_at: Milliseconds
  seen_at: Milliseconds
}
