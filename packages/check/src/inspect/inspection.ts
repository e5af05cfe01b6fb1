import type { Limits, SnapshotSettings } from '../config/settings.ts'
import type { FoundFault, NodePlace } from '../rules.ts'

/** What the process that reads and solves a definition is asked for. */
export interface InspectRequest {
  /** The definition. */
  bytes: Uint8Array
  isTest: boolean
  allowedPlugins: readonly string[]
  limits: Limits
  /** The Rhino models that objects are taken from: those in the nearest folder first. */
  models: readonly (readonly string[])[]
  snapshot: SnapshotSettings & {
    /** The text of the snapshot beside the definition. */
    expected: string | undefined
    /** Whether a new one is made. */
    update: boolean
  }
}

export type AssertStatus = 'passed' | 'failed' | 'skipped' | 'unknown'

/** An Assert True of a test. */
export interface AssertResult {
  status: AssertStatus
  node: NodePlace
  /** Why it does not hold, or is not known to. */
  message?: string
}

/** What checking a definition cost, and how large it is. */
export interface Measures {
  bytes: number
  /** Those inside clusters included. */
  nodes: number
  /** The depth of clusters inside each other. */
  nesting: number
  /** Values of all ports together. */
  values: number
  /** The processor time of solving, in milliseconds. */
  solveMs: number
  /** How many enabled nodes are solved, of all with ports. */
  solvedNodes: number
  nodesWithPorts: number
}

/** What became of the snapshot. `text`: what it should be, when a new one was asked for and it differs. */
export type SnapshotResult = { state: 'same' | 'different' | 'missing' } | { state: 'changed'; text: string }

export interface Inspection {
  faults: FoundFault[]
  /** Of a test. */
  asserts: AssertResult[]
  /** What is known of the definition when it could not be read or solved is less. */
  measures: Partial<Measures>
  snapshot?: SnapshotResult
}
