import type { Node, PortReference } from '@meadow/document'

/** The part of a document that is compared: also that of a cluster. */
export interface Graph {
  nodes: Record<string, Node>
}

/** A wire, seen from one of its nodes. */
export interface Connection {
  side: 'input' | 'output'
  portId: string
  /** The port at the other end. */
  other: PortReference
}

/** A node with what a document says of it elsewhere. */
export interface IndexedNode {
  node: Node
  /** Port ids in order. */
  inputs: readonly string[]
  outputs: readonly string[]
  /** All its wires, the incoming ones first. */
  connections: readonly Connection[]
}

/** Nodes by id, in the order of ids, so that nothing depends on the order of a record. */
export type GraphIndex = ReadonlyMap<string, IndexedNode>

/** Indexes a graph. Wires from nodes that do not exist are kept: they are wires of their receiver alone. */
export function indexGraph({ nodes }: Graph): GraphIndex {
  const index = new Map<string, IndexedNode & { connections: Connection[] }>()
  for (const id of Object.keys(nodes).sort()) {
    const node = nodes[id]!
    index.set(id, { node, inputs: inOrder(node.inputs), outputs: inOrder(node.outputs), connections: [] })
  }
  for (const { node, inputs, connections } of index.values()) {
    for (const portId of inputs) {
      for (const other of node.sources[portId] ?? []) connections.push({ side: 'input', portId, other })
    }
  }
  for (const [id, { node, inputs }] of index) {
    for (const input of inputs) {
      for (const { nodeInstanceId, portInstanceId } of node.sources[input] ?? []) {
        const other = { nodeInstanceId: id, portInstanceId: input }
        index.get(nodeInstanceId)?.connections.push({ side: 'output', portId: portInstanceId, other })
      }
    }
  }
  return index
}

function inOrder(orders: Readonly<Record<string, number>>): string[] {
  const ids = Object.keys(orders)
  const isSorted = ids.every((id, i) => i === 0 || orders[ids[i - 1]!]! < orders[id]!)
  return isSorted ? ids : ids.sort((a, b) => orders[a]! - orders[b]! || (a < b ? -1 : 1))
}
