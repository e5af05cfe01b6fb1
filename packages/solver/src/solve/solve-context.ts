import type { ClusterContents } from '@meadow/document'
import type { Budget } from '../budget/budget.ts'
import type { DecodeGeometry } from '../values/decode-value.ts'
import type { Colour, Geometry } from '../values/value.ts'
import type { SolvedPorts } from './collect-data.ts'
import type { Data } from './treat-data.ts'

/** What solving a node needs to know of the whole solve. */
export interface SolveContext {
  readonly solved: SolvedPorts
  readonly budget: Budget
  readonly tolerance: number
  readonly angleTolerance: number
  readonly decodeGeometry?: DecodeGeometry
  /** Fills with what is drawn in a colour of its own. */
  readonly colours?: Map<Geometry, Colour>
  /** What is inside the clusters, by node id. */
  readonly insides?: ClusterContents
  /** Inside a cluster: what its inputs hold, by the node id of the Cluster Input that gives it. */
  readonly given?: ReadonlyMap<string, Data>
}
