import type { GraphContent, Node, NodeState } from '@meadow/contract'
import { groupBy } from '@meadow/document'
import type { SolutionMessage } from './messages.ts'
import { listSourceNodes } from './prepare-graph.ts'
import type { GraphSolution, PortData } from './solve-context.ts'

/** A solved document. */
export interface EarlierSolve {
  readonly document: GraphContent
  readonly solution: GraphSolution
}

/** What an earlier solve computed for a node. */
export interface ReusedNode {
  readonly outputs: PortData
  readonly state: NodeState | undefined
  readonly messages: readonly SolutionMessage[]
  readonly durationMs: number
}

/**
 * Returns a function that finds what an earlier solve computed for a node, if the node and all nodes that it depends on
 * are the same objects in both documents. Call it for each node, in the order of solving. A node without outputs is
 * never found, because it may paint what comes in.
 */
export function openReuse({ document, solution }: EarlierSolve): (node: Node) => ReusedNode | undefined {
  const reused = new Set<string>()
  const messages = groupBy(solution.messages, ({ nodeInstanceId }) => nodeInstanceId)
  return (node) => {
    const id = node.instanceId
    const outputs = solution.ports.get(id)
    const isSame =
      outputs !== undefined &&
      outputs.size > 0 &&
      document.nodes[id] === node &&
      listSourceNodes(node).every((source) => reused.has(source))
    if (!isSame) return undefined
    reused.add(id)
    const [state, durationMs = 0] = [solution.states.get(id), solution.durationsMs.get(id)]
    return { outputs, state, messages: messages.get(id) ?? [], durationMs }
  }
}
