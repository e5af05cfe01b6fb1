import type { DecodeGeometry } from '../values/decode-value.ts'
import type { Colour, Geometry } from '../values/value.ts'
import type { Budget } from './budget.ts'
import type { SolvedPorts } from './collect-data.ts'

/** What solving a node needs to know of the whole solve. */
export interface SolveContext {
  readonly solved: SolvedPorts
  readonly budget: Budget
  readonly tolerance: number
  readonly angleTolerance: number
  readonly decodeGeometry?: DecodeGeometry
  /** Fills with what is drawn in a colour of its own. */
  readonly colours?: Map<Geometry, Colour>
}
