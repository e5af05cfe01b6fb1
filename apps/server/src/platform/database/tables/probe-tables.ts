import type { Milliseconds } from './column-types.ts'

/** A request of `meadow-server doctor` to all processes: look at the blob store and say what is there. */
export interface ProbeTable {
  /** A UUID: the mark `probe-…` with this id is in the blob store. */
  id: string
  /** By the clock of the database. */
  asked_at: Milliseconds
}

/** What a process found. */
export interface ProbeAnswerTable {
  probe_id: string
  process_id: string
  /** The JSON of a `ProbeAnswer`. */
  answer: string
}
