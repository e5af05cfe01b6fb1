import type { Milliseconds } from './column-types.ts'

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
