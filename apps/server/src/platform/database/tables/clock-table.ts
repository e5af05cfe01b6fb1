import type { Milliseconds } from './column-types.ts'

/** What the service knows of its clock; one row. */
export interface ServiceClockTable {
  id: number
  /** The last time that any process wrote down. */
  seen_at: Milliseconds
  /** By how much the clock has gone ahead in jumps that are not believed yet. */
  lead_ms: Milliseconds
  /** When the last of these jumps was noticed; null while the clock is steady. */
  jumped_at: Milliseconds | null
  /** The latest time that was written down before the clock was set back; null when that time has come. */
  ahead_until: Milliseconds | null
}
