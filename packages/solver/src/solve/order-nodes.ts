import type { GraphContent, Node } from '@meadow/contract'
import { findCycle } from '@meadow/document'
import { SolveError } from '../budget/solve-error.ts'

/**
 * The nodes so that each comes after all that feed it, otherwise in the order of the document.
 * Wires from nodes that do not exist are ignored. Time grows with nodes and wires.
 * Fails: `document_cyclic`.
 */
export function orderNodes(content: GraphContent): Node[] {
  const waiting = new Map<string, number>()
  const fed = new Map<string, string[]>()
  for (const [id, node] of Object.entries(content.nodes)) {
    const senders = listSenders(node).filter((sender) => Object.hasOwn(content.nodes, sender))
    waiting.set(id, senders.length)
    for (const sender of senders) {
      const receivers = fed.get(sender)
      if (receivers) receivers.push(id)
      else fed.set(sender, [id])
    }
  }
  const ready = [...waiting].filter(([, count]) => count === 0).map(([id]) => id)
  for (const id of ready) {
    for (const receiver of fed.get(id) ?? []) {
      const left = (waiting.get(receiver) ?? 0) - 1
      waiting.set(receiver, left)
      if (left === 0) ready.push(receiver)
    }
  }
  if (ready.length < waiting.size) throw new SolveError('document_cyclic', findCycle(content))
  return ready.map((id) => content.nodes[id] as Node)
}

/** The nodes that feed a node, each once. */
function listSenders({ sources }: Node): string[] {
  const senders = Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId))
  return [...new Set(senders)]
}
