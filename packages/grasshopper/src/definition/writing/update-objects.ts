import { type GraphContent, type Group, isEmptyTree, type Node, sameJson } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import {
  createChunk,
  createItem,
  ensureChunk,
  setChunks,
  setItem,
  setItems,
  sortItems,
} from '../../archive/tree/edit.ts'
import { sameWires } from '../compare/differences.ts'
import { CLASS } from '../model/class-ids.ts'
import { toText } from '../model/coerce.ts'
import { findColour } from '../model/colour.ts'
import { type DefinitionObject, readObject } from '../model/definition-object.ts'
import { readNode } from '../reading/read-node.ts'
import { addHiddenPorts, hasHiddenDefault } from '../reading/values/hidden-defaults.ts'
import { createDefinitionContext } from '../reading/values/value-context.ts'
import { completePorts } from './complete-ports.ts'
import { createObject } from './create-object.ts'
import { updateNode } from './update-node.ts'
import { indexOpaqueItems } from './values/original-items.ts'
import type { Target, Warn } from './write-context.ts'

export interface WrittenObjects {
  /** All objects of the definition, in the order of the file. */
  objects: readonly DefinitionObject[]
  /** The nodes of objects that were not written to, by id. */
  unchanged: ReadonlyMap<string, Node>
}

/** A node and the object that it is written to. */
interface NodeUpdate {
  object: DefinitionObject
  /** The node as the object has it before it is written. */
  before: Node
  after: Node
  /** The earlier ids of ports that were given another id, by their present ids. */
  renamed: ReadonlyMap<string, string>
  isChanged: boolean
}

/** Makes the objects of the target those of the content: existing ones are updated in place, new ones come last. */
export function updateObjects(target: Target, content: GraphContent, warn: Warn): WrittenObjects {
  const context = { warn, findOpaqueItem: indexOpaqueItems(target) }
  const nodes: NodeUpdate[] = []
  const chunks: Chunk[] = []
  const hidden: string[] = []

  const groupIds = new Set(content.groups.map(({ id }) => id))
  for (const object of target.objects) {
    if (object.classId === CLASS.group) {
      if (groupIds.has(object.instanceId)) chunks.push(object.chunk)
      continue
    }
    const after = content.nodes[object.instanceId]
    if (after?.templateId !== object.classId) continue
    chunks.push(object.chunk)
    const before = target.content.nodes[object.instanceId] as Node
    const isChanged = !sameJson(before, after)
    if (isChanged) hidden.push(...completePorts(object, before))
    const renamed = isChanged ? updateNode(object, before, after, context) : new Map<string, string>()
    nodes.push({ object, before, after, renamed, isChanged })
  }

  const isNew = ({ instanceId, templateId }: Node) =>
    target.content.nodes[instanceId]?.templateId !== templateId
  const added = Object.values(content.nodes).filter(isNew)
  for (const after of added) {
    const object = createObject(after, target, warn)
    chunks.push(object.chunk)
    const before = readAlone(object, target)
    nodes.push({
      object,
      before,
      after,
      renamed: updateNode(object, before, after, context),
      isChanged: true,
    })
  }

  addHiddenPorts(target.definition, [...hidden, ...added.flatMap(listHiddenPorts)])
  updateWires(nodes)
  const arranged = arrange(chunks, updateGroups(target, content.groups))
  writeObjects(target, arranged)
  return listWritten(target, nodes, arranged)
}

/** The node of a new object by itself: without wires, and without hidden defaults, which no document contains. */
function readAlone(object: DefinitionObject, { reading }: Target): Node {
  const hiddenPorts = new Set(object.ports.inputs.map(({ id }) => id))
  const isolated = { libraries: new Map(), senders: new Map(), hiddenPorts }
  return readNode(object, { ...createDefinitionContext([], reading), ...isolated })
}

/** The ports of a new node for which the file has a hidden default and the document no values. */
function listHiddenPorts({ inputs, ports, values }: Node): string[] {
  return Object.keys(inputs).filter(
    (id) => hasHiddenDefault(ports[id]?.typeName ?? '') && isEmptyTree(values[id]),
  )
}

/**
 * Writes the wires that differ, after all ports exist: a wire from a port that could not be created is left out. Wires
 * without a sender, which the document does not show, are lost where the wires of a port are written.
 */
function updateWires(nodes: readonly NodeUpdate[]): void {
  const outputs = new Set(nodes.flatMap(({ object }) => object.ports.outputs.map(({ id }) => id)))
  for (const node of nodes) {
    const { object, renamed, before, after } = node
    for (const { id, chunk } of object.ports.inputs) {
      const wires = (after.sources[id] ?? []).filter(({ portInstanceId }) => outputs.has(portInstanceId))
      if (sameWires(before.sources[renamed.get(id) ?? id], wires)) continue
      const senderIds = wires.map(({ portInstanceId }) => portInstanceId)
      setItems(chunk, 'guid', 'Source', senderIds)
      setItem(chunk, 'int32', 'SourceCount', senderIds.length)
      node.isChanged = true
    }
  }
}

/** Updates or creates the groups; returns their chunks in the order of the document. */
function updateGroups({ objects, content: before }: Target, groups: readonly Group[]): Chunk[] {
  const known = new Map(objects.map((object) => [object.instanceId, object]))
  const earlier = new Map(before.groups.map((group) => [group.id, group]))
  return groups.map((group) => {
    const object = known.get(group.id)
    if (object?.classId !== CLASS.group) return createGroup(group)
    updateGroup(object.container, earlier.get(group.id), group)
    return object.chunk
  })
}

/** Writes the label, colour and members of a group that differ. Ids of deleted members are lost with them. */
function updateGroup(container: Chunk, before: Group | undefined, after: Group): void {
  if (after.label !== before?.label) setItem(container, 'string', 'NickName', toText(after.label))
  const colour = findColour(after.colour)
  if (after.colour !== before?.colour && colour !== undefined) {
    setItem(container, 'drawing_color', 'Colour', colour)
  }
  const members = [...after.nodeInstanceIds, ...after.groupIds]
  if (before && sameJson(members, [...before.nodeInstanceIds, ...before.groupIds])) return
  setItems(container, 'guid', 'ID', members)
  setItem(container, 'int32', 'ID_Count', members.length)
}

/** A group as Grasshopper writes a new one, without index. */
function createGroup(group: Group): Chunk {
  const container = createChunk('Container', [
    createItem('int32', 'Border', 1),
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', group.id),
    createItem('string', 'Name', 'Group'),
    createChunk('Attributes'),
  ])
  updateGroup(container, undefined, group)
  return sortItems(
    createChunk('Object', [
      createItem('guid', 'GUID', CLASS.group),
      createItem('string', 'Name', 'Group'),
      container,
    ]),
  )
}

/** The objects, with the groups, in their own order, at the positions where groups are; new groups come last. */
function arrange(chunks: readonly Chunk[], groups: readonly Chunk[]): Chunk[] {
  const rest = [...groups]
  const isGroup = new Set(rest)
  const arranged = chunks.map((chunk) => (isGroup.has(chunk) ? (rest.shift() as Chunk) : chunk))
  return [...arranged, ...rest]
}

function writeObjects({ definition, objects }: Target, chunks: readonly Chunk[]): void {
  if (chunks.length === objects.length && chunks.every((chunk, i) => chunk === objects[i]?.chunk)) return
  const list = ensureChunk(definition, 'DefinitionObjects')
  setChunks(list, 'Object', chunks)
  setItem(list, 'int32', 'ObjectCount', chunks.length)
}

/** The current objects of the definition; modified ones are read again. */
function listWritten(
  { notes }: Target,
  nodes: readonly NodeUpdate[],
  chunks: readonly Chunk[],
): WrittenObjects {
  // A wire without a sender can have one now.
  const incomplete = new Set(
    notes.flatMap((note) => (note.kind === 'dropped_wire' ? [note.nodeInstanceId] : [])),
  )
  const unchanged = nodes.filter(({ object, isChanged }) => !isChanged && !incomplete.has(object.instanceId))
  const byChunk = new Map(unchanged.map(({ object }) => [object.chunk, object]))
  return {
    objects: chunks.map((chunk) => byChunk.get(chunk) ?? readObject(chunk)),
    unchanged: new Map(unchanged.map(({ object, before }) => [object.instanceId, before])),
  }
}
