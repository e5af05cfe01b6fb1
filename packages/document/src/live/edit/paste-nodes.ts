import type { Group, Node, PortReference } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import { createRecord } from '../../graph/record.ts'
import { findNode } from '../projection/find-node.ts'
import { getRoots } from '../schema/layout.ts'
import { checkRoom } from './checks.ts'
import { createPropertyMap, formatGroup } from './create-live-document.ts'
import { makeEdit } from './make-edit.ts'
import { insertNodes } from './nodes.ts'

/** Copied nodes and groups of this document or another. */
export interface Clipping {
  nodes: readonly Node[]
  groups?: readonly Group[]
}

export interface Pasted {
  /** The new id of each node and port, by its id in the clipping. */
  ids: ReadonlyMap<string, string>
  groupIds: readonly string[]
}

/**
 * Adds copies with new ids, moved by `offset`. Wires among the copies are kept, and wires from other nodes if the
 * document has the sender. Groups keep the members that are copied too.
 */
export function pasteNodes(
  doc: Y.Doc,
  { nodes, groups = [] }: Clipping,
  offset: Node['position'],
  origin?: unknown,
): Pasted {
  const ids = new Map<string, string>()
  for (const { instanceId, inputs, outputs } of nodes) {
    for (const id of [instanceId, ...Object.keys(inputs), ...Object.keys(outputs)]) {
      if (!ids.has(id)) ids.set(id, uuidv4())
    }
  }
  const groupIds = new Map(groups.map(({ id }) => [id, uuidv4()]))
  const copies = nodes.map((node) => copyNode(doc, node, ids, offset))
  const copiedGroups = groups.map((group) => ({
    ...group,
    id: groupIds.get(group.id)!,
    nodeInstanceIds: group.nodeInstanceIds.flatMap((id) => ids.get(id) ?? []),
    groupIds: group.groupIds.flatMap((id) => groupIds.get(id) ?? []),
  }))
  makeEdit(doc, origin, (plan) => {
    insertNodes(doc, copies, plan)
    const texts = copiedGroups.map(formatGroup)
    checkRoom(doc, texts)
    for (const [at, { id }] of copiedGroups.entries()) {
      plan.write(() => getRoots(doc).groups.set(id, createPropertyMap(texts[at]!)))
    }
  })
  return { ids, groupIds: [...groupIds.values()] }
}

function copyNode(
  doc: Y.Doc,
  node: Node,
  ids: ReadonlyMap<string, string>,
  { x, y }: Node['position'],
): Node {
  const rename = <T>(record: Readonly<Record<string, T>>) =>
    createRecord(
      Object.entries(record).flatMap(([id, value]) => (ids.has(id) ? [[ids.get(id)!, value] as const] : [])),
    )
  const reconnect = (wire: PortReference): PortReference[] => {
    const [nodeInstanceId, portInstanceId] = [ids.get(wire.nodeInstanceId), ids.get(wire.portInstanceId)]
    if (nodeInstanceId && portInstanceId) return [{ nodeInstanceId, portInstanceId }]
    const sender = findNode(wire.nodeInstanceId, getRoots(doc).nodes.get(wire.nodeInstanceId))
    return sender && Object.hasOwn(sender.outputs, wire.portInstanceId) ? [wire] : []
  }
  const sources = Object.entries(node.sources).map(([id, wires]) => [id, wires.flatMap(reconnect)] as const)
  return {
    ...node,
    instanceId: ids.get(node.instanceId)!,
    position: { x: node.position.x + x, y: node.position.y + y },
    inputs: rename(node.inputs),
    outputs: rename(node.outputs),
    sources: rename(createRecord(sources.filter(([, wires]) => wires.length > 0))),
    values: rename(node.values),
    ports: rename(node.ports),
  }
}
