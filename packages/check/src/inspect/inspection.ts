import type { FoundFault, NodePlace } from '../config/rules.ts'
import type { Limits, SnapshotSettings } from '../config/settings.ts'

/** The input of the process that reads and solves a definition. */
export interface InspectRequest {
  /** The definition. */
  bytes: Uint8Array
  isTest: boolean
  allowedPlugins: readonly string[]
  limits: Limits
  /** The Rhino models that objects are taken from, those in the nearest folder first. */
  models: readonly (readonly string[])[]
  snapshot: SnapshotSettings & {
    /** The text of the snapshot beside the definition. */
    expected: string | undefined
    /** Whether a new snapshot is made. */
    update: boolean
  }
}

export type AssertStatus = 'passed' | 'failed' | 'skipped' | 'unknown'

/** The result of an Assert True of a test. */
export interface AssertResult {
  status: AssertStatus
  node: NodePlace
  /** Why the assert does not hold, or why its result is not known. */
  message?: string
}

/** The cost of checking a definition, and its size. */
export interface Measures {
  bytes: number
  /** The number of nodes, including those inside clusters. */
  nodes: number
  /** The depth of clusters inside each other. */
  nesting: number
  /** The number of values of all ports together. */
  values: number
  /** The processor time of solving, in milliseconds. */
  solveMs: number
  /** The number of enabled nodes that are solved. `nodesWithPorts` is the number of all that have ports. */
  solvedNodes: number
  nodesWithPorts: number
}

/** The result of comparing the snapshot. `text` is the new snapshot, when one was requested and it differs. */
export type SnapshotResult = { state: 'same' | 'different' | 'missing' } | { state: 'changed'; text: string }

export interface Inspection {
  faults: FoundFault[]
  /** The results of the asserts of a test. */
  asserts: AssertResult[]
  /** The measures of the definition. Some are missing when it could not be read or solved. */
  measures: Partial<Measures>
  snapshot?: SnapshotResult
}
