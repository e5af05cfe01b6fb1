import type { GraphContent, Node } from '@meadow/contract'
import { findCanvasObject, findComponentName, findScript } from '@meadow/document'
import { SolveError } from '../budget/solve-error.ts'
import { findKind } from '../kinds/index.ts'
import { findUnsupported } from '../kinds/unsupported.ts'
import { EMPTY_TREE } from '../tree/tree.ts'
import { createMessageBook, type MessageBook, type SolutionMessage } from './messages.ts'
import { orderNodes } from './order-nodes.ts'
import { CLUSTER, solveCluster } from './solve-cluster.ts'
import type { SolveContext } from './solve-context.ts'
import { nullOutputs, type PortData, solveNode } from './solve-node.ts'
import { solveParameter } from './solve-parameter.ts'

/** A graph once it is solved. */
export interface SolvedGraph {
  /** By node id and port id. */
  ports: ReadonlyMap<string, PortData>
  /** In the order in which the nodes were solved. */
  messages: SolutionMessage[]
  /** Wall clock by node id, in milliseconds. */
  durationsMs: ReadonlyMap<string, number>
}

/** Solves a document, or what is inside a cluster. `onNode` hears of each node before. Fails: `SolveError`. */
export function solveGraph(
  graph: GraphContent,
  terms: Omit<SolveContext, 'solved'>,
  onNode?: (node: Node) => void,
): SolvedGraph {
  const ports = new Map<string, PortData>()
  const durationsMs = new Map<string, number>()
  const messages: SolutionMessage[] = []
  const context: SolveContext = { ...terms, solved: ports }
  for (const node of orderNodes(graph)) {
    onNode?.(node)
    const start = performance.now()
    const book = createMessageBook(node.instanceId)
    ports.set(node.instanceId, solveLocated(node, book, context))
    durationsMs.set(node.instanceId, performance.now() - start)
    for (const message of book.list()) messages.push(message)
  }
  return { ports, messages, durationsMs }
}

/** A solve that has to end tells at which node it was; inside a cluster, at which cluster. */
function solveLocated(node: Node, messages: MessageBook, context: SolveContext): PortData {
  try {
    return solveAnyNode(node, messages, context)
  } catch (error) {
    throw error instanceof SolveError ? new SolveError(error.code, [node.instanceId]) : error
  }
}

function solveAnyNode(node: Node, messages: MessageBook, context: SolveContext): PortData {
  context.budget.reserve()
  if (!node.status.isEnabled) return new Map(Object.keys(node.outputs).map((id) => [id, EMPTY_TREE]))
  try {
    if (node.templateId === CLUSTER) return solveCluster(node, messages, context, solveGraph)
    const kind = findKind(node.templateId)
    if (!kind) {
      const reason = findReason(node)
      if (reason) messages.add('error', reason)
      return nullOutputs(node)
    }
    return 'type' in kind
      ? solveParameter(node, kind, messages, context)
      : solveNode(node, kind, messages, context)
  } catch (error) {
    if (error instanceof SolveError) throw error
    messages.add('error', `Solution exception: ${error instanceof Error ? error.message : String(error)}`)
    return nullOutputs(node)
  }
}

/** Why a node is not solved; undefined for what only decorates the canvas. */
function findReason({ templateId, name, inputs, outputs, state }: Node): string | undefined {
  if (Object.keys(inputs).length + Object.keys(outputs).length === 0) return undefined
  if (findScript(templateId) || state?.kind === 'script') return 'Scripts are not run'
  const leftOut = findUnsupported(templateId)
  if (leftOut) return `${leftOut.name} is not supported: ${leftOut.reason}`
  const known = findComponentName(templateId) ?? findCanvasObject(templateId)?.name
  return `${known ?? (name || 'This component')} is not supported`
}
