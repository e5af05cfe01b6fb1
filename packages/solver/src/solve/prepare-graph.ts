import type { GraphContent, Node, Port } from '@meadow/contract'
import { findCycle } from '@meadow/document'
import { SolveError } from '@meadow/geometry/budget/solve-error'

/** A node with its ports in order, so that solving it needs no lookups. */
export interface PreparedNode {
  readonly node: Node
  readonly inputs: readonly PreparedPort[]
  readonly outputs: readonly PreparedPort[]
}

export interface PreparedPort {
  readonly id: string
  /** The port; undefined if the document lists it without describing it. */
  readonly port: Port | undefined
}

/**
 * The nodes of a graph in solving order: each after all nodes that its inputs are wired to, otherwise in the order of
 * the document. Wires from nodes that do not exist are ignored. Takes linear time in nodes and wires.
 * Fails: `SolveError` `document_cyclic`.
 */
export function prepareGraph(content: GraphContent): PreparedNode[] {
  const pending = new Map<string, number>()
  const receivers = new Map<string, string[]>()
  for (const [id, node] of Object.entries(content.nodes)) {
    const sources = listSourceNodes(node).filter((source) => Object.hasOwn(content.nodes, source))
    pending.set(id, sources.length)
    for (const source of sources) {
      const others = receivers.get(source)
      if (others) others.push(id)
      else receivers.set(source, [id])
    }
  }
  const ready = [...pending].filter(([, count]) => count === 0).map(([id]) => id)
  for (const id of ready) {
    for (const receiver of receivers.get(id) ?? []) {
      const count = (pending.get(receiver) ?? 0) - 1
      pending.set(receiver, count)
      if (count === 0) ready.push(receiver)
    }
  }
  if (ready.length < pending.size) throw new SolveError('document_cyclic', findCycle(content))
  return ready.map((id) => prepareNode(content.nodes[id] as Node))
}

/** The nodes that a node's inputs are wired to, each once. */
export function listSourceNodes({ sources }: Node): string[] {
  const ids = Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId))
  return [...new Set(ids)]
}

export function prepareNode(node: Node): PreparedNode {
  const listPorts = (order: Node['inputs']): PreparedPort[] =>
    Object.entries(order)
      .sort(([, a], [, b]) => a - b)
      .map(([id]) => ({ id, port: node.ports[id] }))
  return { node, inputs: listPorts(node.inputs), outputs: listPorts(node.outputs) }
}
