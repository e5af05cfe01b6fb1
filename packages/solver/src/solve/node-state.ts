import type { Completeness, GraphContent, NodeState } from '@meadow/contract'
import type { MessageLog, SolutionMessage } from './messages.ts'
import type { PreparedNode, PreparedPort } from './prepare-graph.ts'
import type { Data, PortData, SolveContext } from './solve-context.ts'

/**
 * The state of a node from its messages and outputs; undefined for nodes without ports. Reports why an enabled node has
 * no values unless another message does (rule E-1).
 */
export function findNodeState(
  prepared: PreparedNode,
  outputs: PortData,
  log: MessageLog,
  context: Pick<SolveContext, 'solved' | 'clusterInputs'>,
): NodeState | undefined {
  if (prepared.inputs.length + prepared.outputs.length === 0) return undefined
  if (!prepared.node.status.isEnabled) return 'disabled'
  if (log.has('unsupported', 'limit')) return 'unsupported'
  if (log.has('unknown')) return 'unknown'
  const isEmpty = outputs.size > 0 && !hasValues(outputs.values())
  // The cluster reports inputs without data itself.
  if (isEmpty && !context.clusterInputs?.has(prepared.node.instanceId)) reportEmpty(prepared, log, context)
  if (log.list().some(({ level, code }) => level === 'error' && code === 'failed')) return 'failed'
  return isEmpty ? 'empty' : 'solved'
}

function reportEmpty(
  prepared: PreparedNode,
  log: MessageLog,
  { solved }: Pick<SolveContext, 'solved'>,
): void {
  if (log.list().some(({ level, code }) => level !== 'remark' || code === 'empty')) return
  const { node, inputs } = prepared
  const isParameter = prepared.outputs.some(({ id }) => id === inputs[0]?.id)
  const lacking = inputs.find(({ id }) => {
    const wires = node.sources[id] ?? []
    const trees = wires.map((wire) => solved.get(wire.nodeInstanceId)?.get(wire.portInstanceId))
    return wires.length > 0 && !hasValues(trees)
  })
  if (lacking)
    log.add('remark', `No values reach ${isParameter ? 'it' : `input ${nameOf(lacking)}`}`, 'empty')
  else if (isParameter)
    log.add('warning', `Floating parameter ${nameOf(inputs[0])} failed to collect data`, 'empty')
  else log.add('remark', 'There is no result for these inputs', 'empty')
}

const nameOf = (prepared: PreparedPort | undefined): string =>
  prepared?.port?.nickName || prepared?.port?.name || ''

function hasValues(trees: Iterable<Data | undefined>): boolean {
  for (const tree of trees) {
    for (const { values } of tree?.branches ?? []) {
      for (const value of values) if (value !== null) return true
    }
  }
  return false
}

/** Why nodes of a document could not be solved, and how many have this reason. */
export interface UnsolvedCause {
  /** Names the component: `C# Script: Scripts are not run`. */
  cause: string
  nodes: number
}

/** The causes of everything that is unsupported or met a limit, the most frequent first. */
export function listCauses(
  { nodes }: GraphContent,
  { messages }: { messages: readonly SolutionMessage[] },
): UnsolvedCause[] {
  const affected = new Map<string, Set<string>>()
  for (const { nodeInstanceId, code, message } of messages) {
    if (code !== 'unsupported' && code !== 'limit') continue
    const name = nodes[nodeInstanceId]?.name ?? ''
    const cause = message.startsWith(name) ? message : `${name}: ${message}`
    const known = affected.get(cause)
    if (known) known.add(nodeInstanceId)
    else affected.set(cause, new Set([nodeInstanceId]))
  }
  return [...affected]
    .map(([cause, ids]) => ({ cause, nodes: ids.size }))
    .sort((a, b) => b.nodes - a.nodes || (a.cause < b.cause ? -1 : 1))
}

/**
 * Counts the states of all enabled nodes with ports, by node id (decisions 34 and 47). An empty node is solved. A node
 * without outputs that is not solved keeps no value from anybody.
 */
export function countCompleteness(
  states: ReadonlyMap<string, NodeState>,
  { nodes }: GraphContent,
): Completeness {
  const counts = { nodes: 0, solved: 0, failed: 0, unsupported: 0, unknown: 0 }
  let unsupportedWithoutOutputs = 0
  let valuesComplete = true
  for (const [nodeId, state] of states) {
    if (state === 'disabled') continue
    counts.nodes++
    counts[state === 'empty' ? 'solved' : state]++
    if (state !== 'unsupported' && state !== 'unknown') continue
    if (Object.keys(nodes[nodeId]?.outputs ?? {}).length > 0) valuesComplete = false
    else if (state === 'unsupported') unsupportedWithoutOutputs++
  }
  const isComplete = counts.unsupported + counts.unknown === 0
  return { isComplete, valuesComplete, ...counts, unsupportedWithoutOutputs }
}
