import type { GraphContent, Node, Port } from '@meadow/contract'
import type { ClusterContent } from '@meadow/document'
import { SolveError } from '../budget/solve-error.ts'
import { getPortType } from '../conversions/port-types.ts'
import { countWork, createList, EMPTY_TREE } from '../tree/tree.ts'
import { applyFlags } from './apply-flags.ts'
import { collectData } from './collect-data.ts'
import { listPorts } from './list-ports.ts'
import type { MessageBook, SolutionMessage } from './messages.ts'
import type { SolveContext } from './solve-context.ts'
import { emptyOutputs, nullOutputs, type PortData } from './solve-node.ts'
import { type Data, treatValues } from './treat-data.ts'

export const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'

/** As much of the name of a node inside as a reader needs to find it. */
const MAX_NAME_LENGTH = 80
/** Why nobody can look into a cluster of which nothing is told. */
const NOT_HERE = 'no Grasshopper file that this document was imported from holds it'

/** `solveGraph`, which knows this module. */
type SolveGraph = (
  graph: GraphContent,
  terms: Omit<SolveContext, 'solved'>,
) => { ports: ReadonlyMap<string, PortData>; messages: readonly SolutionMessage[] }

/** Solves a cluster by what is inside it (rules K-1 to K-7). Fails: `SolveError` when the solve has to end. */
export function solveCluster(
  node: Node,
  messages: MessageBook,
  context: SolveContext,
  solveGraph: SolveGraph,
): PortData {
  const inside = context.insides?.get(node.instanceId) ?? { unknown: NOT_HERE }
  if ('unknown' in inside) {
    messages.add('error', `What is inside this cluster is not known: ${inside.unknown}`)
    return nullOutputs(node)
  }
  const given = takeInputs(node, inside, messages, context)
  if (!given) return emptyOutputs(listPorts(node.outputs))
  // What is inside draws nothing: only what comes out of the cluster is seen.
  const { colours: _, ...terms } = context
  const solved = attempt(() => solveGraph(inside.content, { ...terms, insides: inside.clusters, given }))
  if (!solved) {
    messages.add('error', 'The wires inside this cluster run in a circle')
    return nullOutputs(node)
  }
  for (const { nodeInstanceId, level, message } of solved.messages) {
    const { nickName, name } = inside.content.nodes[nodeInstanceId]!
    messages.add(level, `${(nickName || name).slice(0, MAX_NAME_LENGTH)}: ${message}`)
  }
  return giveOutputs(node, inside, solved.ports, messages, context)
}

/** A circle of wires in a cluster is the cluster's fault, and does not stop the document. */
function attempt<T>(solve: () => T): T | undefined {
  try {
    return solve()
  } catch (error) {
    if (error instanceof SolveError && error.code === 'document_cyclic') return undefined
    throw error
  }
}

/** What the Cluster Inputs inside give, by their node id; undefined while an input that needs data has none. */
function takeInputs(
  node: Node,
  { hooks }: ClusterContent,
  messages: MessageBook,
  context: SolveContext,
): ReadonlyMap<string, Data> | undefined {
  const given = new Map<string, Data>()
  let lacks = false
  for (const id of listPorts(node.inputs)) {
    const [port, hook] = [node.ports[id], hooks.get(id)]
    if (!port || hook === undefined) {
      messages.add('error', `Inside this cluster nothing takes its input ${nameOf(port, id)}`)
      continue
    }
    const data = treat(collectData(node, id, messages, context), port, messages)
    given.set(hook, data)
    if (data.branches.length > 0 || port.options?.includes('optional')) continue
    messages.add('warning', `Input parameter ${nameOf(port, id)} failed to collect data`)
    lacks = true
  }
  return lacks ? undefined : given
}

function giveOutputs(
  node: Node,
  { hooks }: ClusterContent,
  solved: ReadonlyMap<string, PortData>,
  messages: MessageBook,
  { budget }: SolveContext,
): PortData {
  const give = (id: string): Data => {
    const [port, hook] = [node.ports[id], hooks.get(id)]
    if (!port || hook === undefined) {
      messages.add('error', `Inside this cluster nothing gives its output ${nameOf(port, id)}`)
      return createList([null])
    }
    const data = treat(solved.get(hook)?.get(hook) ?? EMPTY_TREE, port, messages)
    budget.reserve(countWork(data))
    return data
  }
  return new Map(listPorts(node.outputs).map((id) => [id, give(id)]))
}

/** The ports of a cluster are parameters: what they cannot look into they pass on. */
function treat(data: Data, port: Port, messages: MessageBook): Data {
  const treated = treatValues(data, getPortType(port.typeName), port, messages, { keepsUnread: true })
  return applyFlags(treated, port.flags)
}

const nameOf = (port: Port | undefined, id: string): string => port?.nickName || port?.name || id
