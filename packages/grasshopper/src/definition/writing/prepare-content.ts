import {
  createRecord,
  type GraphContent,
  listClosingEdges,
  type Node,
  type Port,
  type PortReference,
  repairGraph,
} from '@meadow/document'
import { isGuid, toList } from '../model/coerce.ts'
import { stableGuid } from '../model/stable-guid.ts'
import { isParameterNode } from '../reading/pins.ts'
import { canCreateObject } from './create-object.ts'
import { describeNode, type Target, type Warn } from './write-context.ts'

/**
 * Prepares a document for a file: valid, with GUIDs as ids, without unknown classes and without cycles. The steps depend
 * on each other in this order.
 */
export function prepareContent(document: GraphContent, target: Target, warn: Warn): GraphContent {
  const valid = repair(document, warn)
  const withGuids = replaceIds(valid, warn)
  const known = removeUnknown(withGuids, target, warn)
  const acyclic = removeCycles(known, warn)
  return unifyNames(acyclic, target.content)
}

function repair(document: GraphContent, warn: Warn): GraphContent {
  const { content, repairs } = repairGraph(document)
  for (const { kind, droppedId, ...where } of repairs) {
    const what = kind.replaceAll('_', ' ')
    warn({ kind: 'repaired', ...where, message: `The document was not valid: ${what}.` })
  }
  return content
}

/** Replaces the ids of nodes, ports and groups that are not GUIDs; most are. */
function replaceIds(content: GraphContent, warn: Warn): GraphContent {
  const ids = listIds(content)
  const taken = new Set(ids.filter(isGuid))
  const replaced = new Map<string, string>()
  for (const id of ids) {
    if (taken.has(id) || replaced.has(id)) continue
    const guid = findFreeId(id, taken)
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

/** A GUID in upper case becomes lower case, unless that id is taken; any other id becomes a derived GUID. */
function findFreeId(id: string, taken: ReadonlySet<string>): string {
  const lower = id.toLowerCase()
  if (isGuid(lower) && !taken.has(lower)) return lower
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
  // Keys that look like integers come first in a record, whatever their order; GUIDs keep their insertion order.
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

/** Removes nodes for which no object can be created. Grasshopper would only show a warning instead. */
function removeUnknown(content: GraphContent, target: Target, warn: Warn): GraphContent {
  const unknown = Object.values(content.nodes).filter((node) => !canCreateObject(node, target))
  if (unknown.length === 0) return content
  const removed = new Set(unknown.map(({ instanceId }) => instanceId))
  for (const node of unknown) {
    warn({
      kind: 'unknown_component_left_out',
      nodeInstanceId: node.instanceId,
      message: `${describeNode(node)} is not in the file: what such a thing keeps there is not known.`,
    })
  }
  const isKept = ({ nodeInstanceId }: PortReference) => !removed.has(nodeInstanceId)
  const { inputs, outputs } = content.configuration
  return {
    nodes: createRecord(
      Object.entries(content.nodes)
        .filter(([id]) => !removed.has(id))
        .map(([id, node]) => [id, filterWires(node, isKept)]),
    ),
    groups: content.groups.map((group) => ({
      ...group,
      nodeInstanceIds: group.nodeInstanceIds.filter((id) => !removed.has(id)),
    })),
    configuration: { inputs: inputs.filter(isKept), outputs: outputs.filter(isKept) },
  }
}

/** Removes the wires that close a cycle, which Grasshopper rejects. */
function removeCycles(content: GraphContent, warn: Warn): GraphContent {
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

function filterWires(node: Node, isKept: (wire: PortReference) => boolean): Node {
  const sources = Object.entries(node.sources)
    .map(([id, wires]) => [id, wires.filter(isKept)] as const)
    .filter(([, wires]) => wires.length > 0)
  return { ...node, sources: createRecord(sources) }
}

/** Gives a parameter and its port one name and nickname, as in a file: those of the port if only they were changed. */
function unifyNames(content: GraphContent, original: GraphContent): GraphContent {
  const nodes = Object.entries(content.nodes).map(([id, node]): [string, Node] => [
    id,
    isParameterNode(node) ? unifyNamesOf(node, original.nodes[id]) : node,
  ])
  return { ...content, nodes: createRecord(nodes) }
}

function unifyNamesOf(node: Node, original: Node | undefined): Node {
  const { instanceId: id } = node
  const port = node.ports[id] as Port
  const pick = (key: 'name' | 'nickName') => (original && node[key] === original[key] ? port[key] : node[key])
  const names = { name: pick('name'), nickName: pick('nickName') }
  return {
    ...node,
    ...names,
    ports: createRecord([...Object.entries(node.ports), [id, { ...port, ...names }]]),
  }
}
