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

/** A graph with what is asked of it again and again, found when it is asked first: most nodes never are. */
export class GraphIndex {
  /** The nodes in the order of ids, so that nothing depends on the order of a record. */
  readonly nodes: ReadonlyMap<string, IndexedNode>
  #receivers: Map<string, Connection[]> | undefined

  constructor({ nodes }: Graph) {
    const ids = Object.keys(nodes).sort()
    this.nodes = new Map(ids.map((id) => [id, new IndexedNode(nodes[id]!, this)]))
  }

  /** The wires from a node, in the order of their receivers. */
  listOutgoing(id: string): readonly Connection[] {
    this.#receivers ??= this.#findReceivers()
    return this.#receivers.get(id) ?? []
  }

  #findReceivers(): Map<string, Connection[]> {
    const receivers = new Map<string, Connection[]>()
    for (const [id, { node, inputs }] of this.nodes) {
      for (const input of inputs) {
        for (const { nodeInstanceId, portInstanceId } of node.sources[input] ?? []) {
          const other = { nodeInstanceId: id, portInstanceId: input }
          const wire: Connection = { side: 'output', portId: portInstanceId, other }
          const known = receivers.get(nodeInstanceId)
          if (known) known.push(wire)
          else receivers.set(nodeInstanceId, [wire])
        }
      }
    }
    return receivers
  }
}

/** A node with its ports in order and its wires on both sides. */
export class IndexedNode {
  readonly node: Node
  readonly #index: GraphIndex
  #inputs: readonly string[] | undefined
  #outputs: readonly string[] | undefined

  constructor(node: Node, index: GraphIndex) {
    this.node = node
    this.#index = index
  }

  /** Port ids in order. */
  get inputs(): readonly string[] {
    this.#inputs ??= inOrder(this.node.inputs)
    return this.#inputs
  }

  get outputs(): readonly string[] {
    this.#outputs ??= inOrder(this.node.outputs)
    return this.#outputs
  }

  /** All its wires, the incoming ones first. */
  listConnections(): Connection[] {
    const incoming = this.inputs.flatMap((portId) =>
      (this.node.sources[portId] ?? []).map((other): Connection => ({ side: 'input', portId, other })),
    )
    return [...incoming, ...this.#index.listOutgoing(this.node.instanceId)]
  }
}

function inOrder(orders: Readonly<Record<string, number>>): string[] {
  const ids = Object.keys(orders)
  const isSorted = ids.every((id, i) => i === 0 || orders[ids[i - 1]!]! < orders[id]!)
  return isSorted ? ids : ids.sort((a, b) => orders[a]! - orders[b]! || (a < b ? -1 : 1))
}
