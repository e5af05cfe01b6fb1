import type { MirrorId } from '@meadow/contract'
import type { MirrorRunState } from '@meadow/contract/web'
import type {
  FolderKey,
  Key,
  Leased,
  Milliseconds,
  MirrorKey,
  MirrorRunKey,
  TeamKey,
} from './column-types.ts'

export interface MirrorTables {
  mirror: MirrorTable
  mirror_run: MirrorRunTable
}

/** A folder on the operator's disk that is imported again and again, registered once. */
export interface MirrorTable extends Leased {
  id: Key<MirrorKey>
  public_id: MirrorId
  team_id: TeamKey
  /** Receives the contents, of one mirror at most. Null after it was deleted permanently. */
  folder_id: FolderKey | null
  name: string
  /** Absolute, on the machine that runs the mirror. */
  path: string
  /** The options of its imports. */
  gone: string
  on_conflict: string
  created_at: Milliseconds
  /** Until when a process has said that it follows the folder's changes; null when none did. */
  watched_until: Milliseconds | null
  /** When the last run ended that looked at the whole folder. */
  completed_at: Milliseconds | null
}

/** A run of a mirror. The last ones are retained. */
export interface MirrorRunTable {
  id: Key<MirrorRunKey>
  mirror_id: MirrorKey
  state: MirrorRunState
  started_at: Milliseconds
  /** Null while it runs. */
  ended_at: Milliseconds | null
  /** Why it failed as a whole, or was stopped: a sentence. */
  reason: string | null
  /** The JSON of the numbers of files by outcome; null until it has ended. */
  counts: string | null
  /** The JSON of a list of `RecordedChange`, which is bounded. */
  changes: string | null
}
