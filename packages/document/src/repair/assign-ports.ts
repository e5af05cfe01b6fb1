import type { Node } from '@meadow/contract'
import type { Report } from './repair.ts'

/** The ports assigned to a node, in order. */
export interface NodePorts {
  inputs: ReadonlySet<string>
  outputs: ReadonlySet<string>
}

/**
 * Decides which ports exist: a port id belongs to one side of one node, the first in the order of node ids, not in
 * that of the record. A node's own id may be on both of its sides (a parameter object).
 */
export function assignPorts(
  nodes: Readonly<Record<string, Pick<Node, 'inputs' | 'outputs'>>>,
  report: Report,
): Map<string, NodePorts> {
  const taken = new Set(Object.keys(nodes))
  const ports = new Map<string, NodePorts>()
  for (const id of [...taken].sort()) {
    const node = nodes[id]!
    const assign = (portId: string) => {
      if (portId === id) return true
      if (taken.has(portId)) {
        report({ kind: 'port_dropped', nodeInstanceId: id, portInstanceId: portId })
        return false
      }
      taken.add(portId)
      return true
    }
    ports.set(id, {
      inputs: new Set(listInOrder(node.inputs).filter(assign)),
      outputs: new Set(listInOrder(node.outputs).filter(assign)),
    })
  }
  return ports
}

/** The keys by their order, then by id; values that are not numbers come last. */
function listInOrder(orders: Record<string, number>): string[] {
  const rank = (id: string) => (Number.isNaN(orders[id]) ? Number.POSITIVE_INFINITY : (orders[id] as number))
  return Object.keys(orders).sort((a, b) => {
    const [first, second] = [rank(a), rank(b)]
    if (first !== second) return first < second ? -1 : 1
    return a < b ? -1 : 1
  })
}
