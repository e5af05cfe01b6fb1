import type { TeamId } from '@meadow/contract'
import type { Generated } from 'kysely'
import type { Milliseconds } from './column-types.ts'

/** The deletion of a team, which outlives the team. It says nothing of the team but its id. */
export interface TeamDeletionTable {
  public_id: TeamId
  asked_at: Milliseconds
  /** Until when the team can be restored. */
  purge_at: Milliseconds
  /** When the purge began, from which on the team cannot be restored; null before. */
  begun_at: Milliseconds | null
  ended_at: Milliseconds | null
  /** The JSON of the numbers of rows that were purged so far, by table. */
  counts: Generated<string>
}
