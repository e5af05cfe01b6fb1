import type { Milliseconds } from './column-types.ts'

/** A request of `meadow-server doctor` to all processes: look at the blob store and say what is there. */
export interface ProbeTable {
  /** A UUID: the mark `probe-…` with this id is in the blob store. */
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
