import type { GraphContent } from '@meadow/contract'
import { listClosingEdges } from './closing-edges.ts'

/**
 * The ids of the nodes of one cycle in the direction that data flows, or undefined when there is none.
 * Wires from nodes that do not exist are ignored. Time grows with nodes and wires; no recursion.
 */
export function findCycle(content: GraphContent): string[] | undefined {
  const senders = new Map(
    Object.entries(content.nodes).map(([id, { sources }]) => [
      id,
      Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId)),
    ]),
  )
  for (const { to, listTrail } of listClosingEdges(senders)) {
    const trail = listTrail() // leads against the wires
    return trail.slice(trail.indexOf(to)).reverse()
  }
  return undefined
}
