import type { Completeness, GraphContent, Node, NodeState, SolverIdentity } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { type BudgetOptions, createBudget, runWithin } from '@meadow/geometry/budget/budget'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import type { Kernels } from '@meadow/geometry/kernels/kernels'
import type { DecodeGeometry } from '@meadow/geometry/values/decode-value'
import type { Geometry, Opaque, Shader } from '@meadow/geometry/values/value'
import manifest from '../../package.json' with { type: 'json' }
import { findKind } from '../kinds/index.ts'
import type { FilesBeside } from './files-beside.ts'
import { createMessageLog, type MessageLog, type SolutionMessage } from './messages.ts'
import { countCompleteness, findNodeState } from './node-state.ts'
import { type PreparedNode, prepareGraph } from './prepare-graph.ts'
import { type EarlierSolve, openReuse, type ReusedNode } from './reuse-nodes.ts'
import { createShapeMakers } from './shape-makers.ts'
import { CLUSTER, solveCluster } from './solve-cluster.ts'
import type { GraphSolution, PortData, ReportReference, SolveContext } from './solve-context.ts'
import { describeException, emptyOutputs, solveComponent, solveParameter } from './solve-node.ts'
import { reportUnknownInputs, unknownOutputs } from './unknown.ts'
import { findUnsupportedReason } from './unsupported-node.ts'

/** Who solves (decision 35). */
export const SOLVER: SolverIdentity = { name: 'meadow', version: manifest.version }

export interface SolveOptions extends BudgetOptions {
  /** Shorter lengths count as zero, in the document's unit. The default is 0.001, as in Rhino. */
  tolerance?: number
  /** Smaller angles count as zero, in radians. The default is one degree, as in Rhino. */
  angleTolerance?: number
  /** Decodes literal geometry. Without it, such values are passed on undecoded. */
  decodeGeometry?: DecodeGeometry
  /**
   * Reports where an object of a Rhino model comes from, or why it is missing. Without it, all such objects are
   * missing.
   */
  reportReference?: ReportReference
  /** The kernels of `loadKernels`. Without the one that a node needs, the node is not solved. */
  kernels?: Kernels
  /** The texts beside the document. Without them, none is there. */
  files?: FilesBeside
  /** The contents of the document's clusters. A cluster without an entry gets an error. */
  clusterContents?: ClusterContents
  /**
   * An earlier solve with the same options. What it computed for nodes that are the same objects, and depend on such
   * nodes only, is taken over, and does not count towards the limits.
   */
  previous?: EarlierSolve
  /** Called before each node of the document is solved, so that the host knows the node if it ends the solve. */
  onNode?: (node: Node) => void
}

export interface Solution extends GraphSolution {
  /** Geometry that is previewed in a material: the same value objects that the ports hold, as Custom Preview got them. */
  materials: ReadonlyMap<Geometry | Opaque, Shader>
  completeness: Completeness
}

/**
 * Solves a document: each node once, after all nodes that its inputs are wired to.
 * Lengths are in the document's unit, angles in radians. A node that fails does not stop the others: it gets a
 * message, and its outputs are null. What depends on a node that Meadow cannot solve is unknown: it has no branches, and
 * a message that names the node. The outputs of a disabled node are empty.
 * Fails: `SolveError`: `document_cyclic` with the ids of the nodes; `deadline_exceeded`, `aborted`, `too_many_values`,
 * `too_much_memory` with the id of the node that was being solved.
 * Time and memory are linear in nodes, wires and values, apart from kinds that take longer themselves.
 * Source: the semantics of Grasshopper 1, rule by rule in SPEC.md.
 */
export function solve(document: GraphContent, options: SolveOptions = {}): Solution {
  const {
    tolerance = 0.001,
    angleTolerance = Math.PI / 180,
    decodeGeometry,
    reportReference,
    kernels,
    files,
    clusterContents,
    ...steps
  } = options
  const budget = createBudget(options)
  const materials = new Map<Geometry | Opaque, Shader>()
  const context = {
    budget,
    tolerance,
    angleTolerance,
    materials,
    makers: createShapeMakers(tolerance),
    ...(decodeGeometry ? { decodeGeometry } : {}),
    ...(reportReference ? { reportReference } : {}),
    ...(kernels ? { kernels } : {}),
    ...(files ? { files } : {}),
    ...(clusterContents ? { clusterContents } : {}),
  }
  const solution = runWithin(budget, () => solveGraph(document, context, steps))
  return { ...solution, materials, completeness: countCompleteness(solution.states, document) }
}

/** Solves a document or the content of a cluster. Fails: `SolveError`. */
function solveGraph(
  graph: GraphContent,
  settings: Omit<SolveContext, 'solved'>,
  { previous, onNode }: Pick<SolveOptions, 'previous' | 'onNode'> = {},
): GraphSolution {
  const ports = new Map<string, PortData>()
  const states = new Map<string, NodeState>()
  const durationsMs = new Map<string, number>()
  const messages: SolutionMessage[] = []
  const context: SolveContext = { ...settings, solved: ports }
  const findReused = previous && openReuse(previous)
  const keep = (id: string, { outputs, state, ...node }: ReusedNode) => {
    ports.set(id, outputs)
    if (state) states.set(id, state)
    durationsMs.set(id, node.durationMs)
    for (const message of node.messages) messages.push(message)
  }
  for (const prepared of prepareGraph(graph)) {
    const { node } = prepared
    const reused = findReused?.(node)
    if (reused) {
      keep(node.instanceId, reused)
      continue
    }
    onNode?.(node)
    const start = performance.now()
    const log = createMessageLog(node.instanceId)
    const outputs = solveNode(prepared, log, context)
    const state = findNodeState(prepared, outputs, log, context)
    const durationMs = performance.now() - start
    keep(node.instanceId, { outputs, state, messages: log.list(), durationMs })
  }
  return { ports, states, messages, durationsMs }
}

/**
 * Solves a node by its class. Any error becomes a message on the node, except for a `SolveError`, which ends the solve
 * and reports this node; inside a cluster, the outermost cluster is reported.
 */
function solveNode(prepared: PreparedNode, log: MessageLog, context: SolveContext): PortData {
  const { node } = prepared
  try {
    context.budget.reserve()
    if (!node.status.isEnabled) return emptyOutputs(prepared)
    const reason = findUnsupportedReason(node)
    if (reason !== undefined) {
      log.add('error', reason, 'unsupported')
      return unknownOutputs(prepared)
    }
    const cause = reportUnknownInputs(prepared, log, context)
    if (node.templateId === CLUSTER) return solveCluster(prepared, log, context, solveGraph)
    const kind = findKind(node.templateId)
    if (cause || !kind) return unknownOutputs(prepared, cause)
    return 'type' in kind
      ? solveParameter(prepared, kind, log, context)
      : solveComponent(prepared, kind, log, context)
  } catch (error) {
    if (error instanceof SolveError) throw new SolveError(error.code, [node.instanceId])
    log.add('error', describeException(error), 'limit')
    return unknownOutputs(prepared)
  }
}
