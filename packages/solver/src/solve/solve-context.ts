import type { DataValue, NodeState } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import type { Budget } from '@meadow/geometry/budget/budget'
import type { Kernels } from '@meadow/geometry/kernels/kernels'
import type { DecodeGeometry } from '@meadow/geometry/values/decode-value'
import type { Geometry, Opaque, Shader, Value } from '@meadow/geometry/values/value'
import type { ShapeMakers } from '../conversions/convert.ts'
import type { Tree } from '../tree/tree.ts'
import type { FilesBeside } from './files-beside.ts'
import type { SolutionMessage } from './messages.ts'

/** Values as they flow along wires. */
export type Data = Tree<Value | null>

/** The data of a solved node by port id: that of its outputs, or of the single port of a parameter. */
export type PortData = ReadonlyMap<string, Data>

export interface GraphSolution {
  /** The data of each node's outputs, and of the single port of a parameter, by node id and port id. */
  ports: ReadonlyMap<string, PortData>
  /** The state of each node with ports, by node id. */
  states: ReadonlyMap<string, NodeState>
  /** The messages, in the order in which the nodes were solved. */
  messages: SolutionMessage[]
  /** The duration of each node by its id, in milliseconds by the wall clock. */
  durationsMs: ReadonlyMap<string, number>
}

/** What a node says about an object of a Rhino model that a value of its own refers to. Implemented by the host. */
export type ReportReference = (
  reference: DataValue,
) => Pick<SolutionMessage, 'level' | 'code' | 'message'> | undefined

/** The state and settings of a solve that solving a node needs. */
export interface SolveContext {
  /** The nodes of the graph that are solved so far. */
  readonly solved: ReadonlyMap<string, PortData>
  readonly budget: Budget
  readonly tolerance: number
  readonly angleTolerance: number
  readonly decodeGeometry?: DecodeGeometry
  readonly reportReference?: ReportReference
  readonly kernels?: Kernels
  readonly makers?: ShapeMakers
  /** What is beside the document, by names in lower case. */
  readonly files?: FilesBeside
  /** Collects the materials of previews; absent inside clusters, which have no previews. */
  readonly materials?: Map<Geometry | Opaque, Shader>
  /** The contents of clusters, by the node id of the cluster. */
  readonly clusterContents?: ClusterContents
  /** Inside a cluster: the data of the cluster's inputs, by the node id of the Cluster Input. */
  readonly clusterInputs?: ReadonlyMap<string, Data>
}
