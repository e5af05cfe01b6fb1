import type { Milliseconds } from './column-types.ts'

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
