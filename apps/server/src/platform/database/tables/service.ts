import type { Milliseconds } from './column-types.ts'

/** The tables of `schema/service.sql`. */
export interface ServiceTables {
  process: ProcessTable
  blob_store: BlobStoreTable
  probe: ProbeTable
  probe_answer: ProbeAnswerTable
  exclusive_task: ExclusiveTaskTable
  rate_window: RateWindowTable
  backup_run: BackupRunTable
  service_clock: ServiceClockTable
}

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

/**
 * `current`: has all blobs of the service. `next`: they are being moved there. `former`: they were moved away from it.
 * There is one current store, and at most one next one.
 */
export type BlobStoreState = 'current' | 'next' | 'former'

/** A store that has or had the blobs of the service. */
export interface BlobStoreTable {
  /** A UUID, which is also in the store's metadata `store`. */
  id: string
  state: BlobStoreState
  /** The location, without keys, at which the process that registered the store reaches it. */
  location: string
  /** The machine of the process that registered the store: only this machine may have the folder. */
  host: string
  created_at: Milliseconds
}

/** A request of `meadow-server doctor` to all processes: look at the blob store and say what is there. */
export interface ProbeTable {
  /** A UUID: the metadata `probe-…` with this id is in the blob store. */
  id: string
  /** When the probe began, by the clock of the database. */
  asked_at: Milliseconds
}

/** The answer of a process to a probe. */
export interface ProbeAnswerTable {
  probe_id: string
  process_id: string
  /** The JSON of a `ProbeAnswer`. */
  answer: string
}

/** A task that one process does for all. */
export interface ExclusiveTaskTable {
  name: string
  /** The process that does the task as long as it lives. */
  process_id: string
}

/** How much of a limit the processes have taken, until the window ends. */
export interface RateWindowTable {
  key: string
  /** When the window ends, by the clock of the database. */
  until: Milliseconds
  taken: number
  /** How much of the taken amount the last statement took. */
  last_grant: number
}

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

/** What the service knows about its clock, in one row. */
export interface ServiceClockTable {
  id: number
  /** The last time that any process wrote down. */
  seen_at: Milliseconds
  /** The milliseconds by which the clock has gone ahead in jumps that are not believed yet. */
  lead_ms: Milliseconds
  /** When the last jump of the clock was noticed; null while the clock is steady. */
  jumped_at: Milliseconds | null
  /** The latest time that was written down before the clock was set back; null when that time has come. */
  ahead_until: Milliseconds | null
}
