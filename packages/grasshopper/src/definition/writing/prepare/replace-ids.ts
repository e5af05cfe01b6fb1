import { createRecord, type GraphContent, type Node, type PortReference } from '@meadow/document'
import { isGuid, toList } from '../coerce.ts'
import { stableGuid } from '../stable-guid.ts'
import type { WriteContext } from '../write-context.ts'

/** The content with an id that a file can hold for every node, port and group; most have one already. */
export function replaceIds(content: GraphContent, { warn }: WriteContext): GraphContent {
  const ids = listIds(content)
  const taken = new Set(ids.filter(isGuid))
  const replaced = new Map<string, string>()
  for (const id of ids) {
    if (taken.has(id) || replaced.has(id)) continue
    const guid = findFree(id, taken)
    taken.add(guid)
    replaced.set(id, guid)
    warn({
      kind: 'id_replaced',
      message: `The id ${JSON.stringify(id.slice(0, 60))} is no GUID; the file has ${guid}.`,
    })
  }
  return replaced.size === 0 ? content : rename(content, (id) => replaced.get(id) ?? id)
}

function listIds({ nodes, groups }: GraphContent): string[] {
  return [
    ...Object.entries(nodes).flatMap(([id, { ports }]) => [id, ...Object.keys(ports)]),
    ...groups.map(({ id }) => id),
  ]
}

/** A GUID in capitals is the same in small letters, if nothing else has that. */
function findFree(id: string, taken: ReadonlySet<string>): string {
  const small = id.toLowerCase()
  if (isGuid(small) && !taken.has(small)) return small
  for (let attempt = 0; ; attempt++) {
    const guid = stableGuid('id', id, String(attempt))
    if (!taken.has(guid)) return guid
  }
}

function rename(content: GraphContent, toId: (id: string) => string): GraphContent {
  const toPort = ({ nodeInstanceId, portInstanceId }: PortReference): PortReference => ({
    nodeInstanceId: toId(nodeInstanceId),
    portInstanceId: toId(portInstanceId),
  })
  const { inputs, outputs } = content.configuration
  return {
    nodes: createRecord(
      Object.entries(content.nodes).map(([id, node]) => [toId(id), renameNode(node, toId, toPort)]),
    ),
    groups: content.groups.map((group) => ({
      ...group,
      id: toId(group.id),
      nodeInstanceIds: group.nodeInstanceIds.map(toId),
      groupIds: group.groupIds.map(toId),
    })),
    configuration: { inputs: inputs.map(toPort), outputs: outputs.map(toPort) },
  }
}

function renameNode(
  node: Node,
  toId: (id: string) => string,
  toPort: (port: PortReference) => PortReference,
): Node {
  const renameKeys = <T>(record: Record<string, T>) =>
    createRecord(Object.entries(record).map(([id, value]) => [toId(id), value] as const))
  // Keys that look like numbers come first in a record, whatever their order; GUIDs stay where they are put.
  const inOrder = (side: Node['inputs']) =>
    createRecord(
      Object.entries(side)
        .sort(([, a], [, b]) => a - b)
        .map(([id, order]) => [toId(id), order]),
    )
  return {
    ...node,
    instanceId: toId(node.instanceId),
    inputs: inOrder(node.inputs),
    outputs: inOrder(node.outputs),
    sources: createRecord(Object.entries(node.sources).map(([id, wires]) => [toId(id), wires.map(toPort)])),
    values: renameKeys(node.values),
    ports: renameKeys(node.ports),
    ...(node.state?.kind === 'timer'
      ? { state: { ...node.state, targetIds: toList(node.state.targetIds).map((id) => toId(String(id))) } }
      : {}),
  }
}
