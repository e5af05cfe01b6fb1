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
  /** The folder that receives the contents, of one mirror at most; null after it was deleted permanently. */
  folder_id: FolderKey | null
  name: string
  /** The absolute path on the machine that runs the mirror. */
  path: string
  /** The options of the mirror's imports. */
  gone: string
  on_conflict: string
  created_at: Milliseconds
  /** Until when a process has promised to follow the changes of the folder; null when none has. */
  watched_until: Milliseconds | null
  /** When the last run that looked at the whole folder ended. */
  completed_at: Milliseconds | null
}

/** A run of a mirror. The last ones are retained. */
export interface MirrorRunTable {
  id: Key<MirrorRunKey>
  mirror_id: MirrorKey
  state: MirrorRunState
  started_at: Milliseconds
  /** When the run ended; null while it runs. */
  ended_at: Milliseconds | null
  /** A sentence about why the run failed as a whole, or was stopped. */
  reason: string | null
  /** The JSON of the numbers of files by outcome; null until the run has ended. */
  counts: string | null
  /** The JSON of a list of `RecordedChange`, which is bounded. */
  changes: string | null
}
