import {
  createRecord,
  type GraphContent,
  listClosingEdges,
  type Node,
  type PortReference,
} from '@meadow/document'
import { describeNode, type WriteContext } from '../write-context.ts'

/** The content without nodes of which no object can be made: Grasshopper could make nothing of them but a warning. */
export function leaveOutUnknown(
  content: GraphContent,
  isKnown: (node: Node) => boolean,
  { warn }: WriteContext,
): GraphContent {
  const unknown = Object.values(content.nodes).filter((node) => !isKnown(node))
  if (unknown.length === 0) return content
  const gone = new Set(unknown.map(({ instanceId }) => instanceId))
  for (const node of unknown) {
    warn({
      kind: 'unknown_component_left_out',
      nodeInstanceId: node.instanceId,
      message: `${describeNode(node)} is not in the file: what such a thing keeps there is not known.`,
    })
  }
  const stays = ({ nodeInstanceId }: PortReference) => !gone.has(nodeInstanceId)
  const { inputs, outputs } = content.configuration
  return {
    nodes: createRecord(
      Object.entries(content.nodes)
        .filter(([id]) => !gone.has(id))
        .map(([id, node]) => [id, filterWires(node, stays)]),
    ),
    groups: content.groups.map((group) => ({
      ...group,
      nodeInstanceIds: group.nodeInstanceIds.filter((id) => !gone.has(id)),
    })),
    configuration: { inputs: inputs.filter(stays), outputs: outputs.filter(stays) },
  }
}

/** The content without the wires that close a cycle, which Grasshopper refuses. */
export function leaveOutCycles(content: GraphContent, { warn }: WriteContext): GraphContent {
  const senders = new Map(
    Object.entries(content.nodes).map(([id, { sources }]) => [
      id,
      Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId)),
    ]),
  )
  const closing = new Map<string, Set<string>>()
  for (const { from, to } of listClosingEdges(senders)) {
    closing.set(from, (closing.get(from) ?? new Set()).add(to))
  }
  if (closing.size === 0) return content
  const nodes = Object.entries(content.nodes).map(([id, node]): [string, Node] => {
    const cut = closing.get(id)
    if (!cut) return [id, node]
    warn({
      kind: 'cyclic_wire_left_out',
      nodeInstanceId: id,
      message: `Wires into ${describeNode(node)} close a cycle and are not in the file.`,
    })
    return [id, filterWires(node, ({ nodeInstanceId }) => !cut.has(nodeInstanceId))]
  })
  return { ...content, nodes: createRecord(nodes) }
}

function filterWires(node: Node, stays: (wire: PortReference) => boolean): Node {
  const sources = Object.entries(node.sources)
    .map(([id, wires]) => [id, wires.filter(stays)] as const)
    .filter(([, wires]) => wires.length > 0)
  return { ...node, sources: createRecord(sources) }
}
