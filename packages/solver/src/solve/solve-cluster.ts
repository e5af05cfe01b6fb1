import type { GraphContent, Port } from '@meadow/contract'
import type { ClusterContent } from '@meadow/document'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { getPortType } from '../conversions/port-types.ts'
import { countWork, EMPTY_TREE } from '../tree/tree.ts'
import type { Cause, MessageLog } from './messages.ts'
import { applyFlags, collectData, processValues } from './port-data.ts'
import type { PreparedNode, PreparedPort } from './prepare-graph.ts'
import type { Data, GraphSolution, PortData, SolveContext } from './solve-context.ts'
import { emptyOutputs, nullOutputs } from './solve-node.ts'
import { createCause, createUnknown, findCause, findUnknownSource, unknownOutputs } from './unknown.ts'

export { CLUSTER } from '@meadow/document'

/** Names of inner nodes are cut to this length in messages. */
const MAX_NAME_LENGTH = 80
export const NO_CLUSTER_CONTENT = 'no Grasshopper file that this document was imported from holds it'

type SolveGraph = (graph: GraphContent, settings: Omit<SolveContext, 'solved'>) => GraphSolution

/**
 * Solves a cluster by solving its content (rules K-1 to K-7). `solveGraph` is passed in because it calls this function.
 * Fails: `SolveError`.
 */
export function solveCluster(
  prepared: PreparedNode,
  log: MessageLog,
  context: SolveContext,
  solveGraph: SolveGraph,
): PortData {
  const cluster = context.clusterContents?.get(prepared.node.instanceId) ?? { unknown: NO_CLUSTER_CONTENT }
  if ('unknown' in cluster) {
    log.add('error', describeUnknownCluster(cluster), 'unsupported')
    return unknownOutputs(prepared)
  }
  const clusterInputs = readInputs(prepared, cluster, log, context)
  if (!clusterInputs) return emptyOutputs(prepared)
  if (log.has('limit')) return unknownOutputs(prepared)
  // Nodes inside have no preview: only the outputs of the cluster are visible.
  const { materials: _, ...settings } = context
  const inner = { ...settings, clusterContents: cluster.clusters, clusterInputs }
  const solution = solveUnlessCyclic(() => solveGraph(cluster.content, inner))
  if (!solution) {
    log.add('error', 'The wires inside this cluster run in a circle')
    return nullOutputs(prepared)
  }
  for (const { nodeInstanceId, level, code, message } of solution.messages) {
    // What causes unknown data is reported already: on the node inside, or on the input of the cluster.
    if (code === 'unknown' || (code === 'empty' && level === 'remark')) continue
    const { nickName, name } = cluster.content.nodes[nodeInstanceId]!
    log.add(level, `${(nickName || name).slice(0, MAX_NAME_LENGTH)}: ${message}`, code)
  }
  const outer = new Set([...clusterInputs.values()].map(findCause))
  return readOutputs(prepared, cluster, solution.ports, outer, log, context)
}

export const describeUnknownCluster = ({ unknown }: { unknown: string }): string =>
  `What is inside this cluster is not known: ${unknown}`

/** A cycle inside a cluster is an error of the cluster and does not end the solve of the document. */
function solveUnlessCyclic(solve: () => GraphSolution): GraphSolution | undefined {
  try {
    return solve()
  } catch (error) {
    if (error instanceof SolveError && error.code === 'document_cyclic') return undefined
    throw error
  }
}

/** The data of the Cluster Inputs inside, by their node id; undefined while a required input has no data. */
function readInputs(
  { node, inputs }: PreparedNode,
  { hooks }: ClusterContent,
  log: MessageLog,
  context: SolveContext,
): ReadonlyMap<string, Data> | undefined {
  const clusterInputs = new Map<string, Data>()
  let lacksData = false
  for (const input of inputs) {
    const { id, port } = input
    const hook = hooks.get(id)
    if (!port || hook === undefined) {
      log.add('error', `Inside this cluster nothing takes its input ${nameOf(input)}`, 'limit')
      continue
    }
    const cause = findUnknownSource(node, id, context)
    const data = cause
      ? createUnknown(cause)
      : processPort(collectData(node, id, log, context), port, log, context)
    clusterInputs.set(hook, data)
    if (cause || data.branches.length > 0 || port.options?.includes('optional')) continue
    log.add('warning', `Input parameter ${nameOf(input)} failed to collect data`, 'empty')
    lacksData = true
  }
  return lacksData ? undefined : clusterInputs
}

/**
 * The data of the cluster's outputs, from the Cluster Outputs inside. Unknown data is caused by one of the nodes that
 * reach the cluster, the `outer` causes, otherwise by the cluster.
 */
function readOutputs(
  { node, outputs }: PreparedNode,
  { hooks }: ClusterContent,
  solved: ReadonlyMap<string, PortData>,
  outer: ReadonlySet<Cause | undefined>,
  log: MessageLog,
  context: SolveContext,
): PortData {
  const readOutput = (output: PreparedPort): Data => {
    const { id, port } = output
    const hook = hooks.get(id)
    if (!port || hook === undefined) {
      log.add('error', `Inside this cluster nothing gives its output ${nameOf(output)}`, 'limit')
      return createUnknown(createCause(node))
    }
    const inner = solved.get(hook)?.get(hook) ?? EMPTY_TREE
    const cause = findCause(inner)
    if (cause) return createUnknown(outer.has(cause) ? cause : createCause(node))
    const data = processPort(inner, port, log, context)
    context.budget.reserve(countWork(data))
    return data
  }
  return new Map(outputs.map((output) => [output.id, readOutput(output)]))
}

/** The ports of a cluster behave like parameters: geometry that was not decoded passes through. */
function processPort(data: Data, port: Port, log: MessageLog, { makers }: SolveContext): Data {
  const processed = processValues(data, getPortType(port.typeName), port, log, {
    passesOpaque: true,
    makers,
  })
  return applyFlags(processed, port.flags)
}

const nameOf = ({ id, port }: PreparedPort): string => port?.nickName || port?.name || id
