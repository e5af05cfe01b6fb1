import type { GraphContent, Node } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { ensureChunk, setChunks, setItem } from '../../archive/edit.ts'
import { isEmpty } from '../compare/same-tree.ts'
import { CLASS } from '../objects/class-ids.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { readObject } from '../objects/list-objects.ts'
import { listPorts } from '../ports/list-ports.ts'
import { readNode } from '../read-node.ts'
import { addHiddenPorts, hasHiddenDefault } from '../values/hidden-defaults.ts'
import { createDefinitionContext } from '../values/value-context.ts'
import type { Base } from './base.ts'
import { makeObject } from './create/make-object.ts'
import { updateWires } from './ports/update-wires.ts'
import { createGroup, updateGroup } from './update-group.ts'
import { type UpdatedNode, updateNode } from './update-node.ts'
import type { WriteContext } from './write-context.ts'

/** Makes the objects of a definition those of the content: what stays is updated where it stands, what is new comes last. */
export function updateObjects(base: Base, content: GraphContent, context: WriteContext): void {
  const updated: UpdatedNode[] = []
  const groupIds = new Set(content.groups.map(({ id }) => id))
  const staying = base.objects.flatMap((object) => {
    if (object.classId === CLASS.group) return groupIds.has(object.instanceId) ? [object.chunk] : []
    const after = content.nodes[object.instanceId]
    if (after?.templateId !== object.classId) return []
    const before = base.content.nodes[object.instanceId] as Node
    updated.push(updateNode(object, before, after, context))
    return [object.chunk]
  })
  const isMade = (id: string) => base.content.nodes[id]?.templateId !== content.nodes[id]?.templateId
  const added = Object.values(content.nodes).filter(({ instanceId }) => isMade(instanceId))
  const made = added.map((node) => {
    const chunk = makeObject(node, base, context)
    const object = readObject(chunk)
    updated.push(updateNode(object, readAlone(object), node, context))
    return chunk
  })
  addHiddenPorts(base.definition, added.flatMap(listHiddenPorts))
  writeWires(updated)
  const groups = updateGroups(base, content)
  const list = ensureChunk(base.definition, 'DefinitionObjects')
  const objects = inOrder([...staying, ...made], groups)
  if (objects.length === base.objects.length && objects.every((chunk, i) => chunk === base.objects[i]?.chunk))
    return
  setChunks(list, 'Object', objects)
  setItem(list, 'int32', 'ObjectCount', objects.length)
}

/** The node that an object is by itself, without wires and without the defaults that no document tells. */
function readAlone(object: DefinitionObject): Node {
  const ports = listPorts(object)
  const hiddenPorts = new Set(ports.inputs.map(({ id }) => id))
  const nobody = { libraries: new Map(), senders: new Map(), hiddenPorts }
  return readNode(object, ports, { ...createDefinitionContext([]), ...nobody })
}

/** The ports of nodes that are new here where the file has a default and the document nothing. */
function listHiddenPorts({ inputs, ports, values }: Node): string[] {
  return Object.keys(inputs).filter(
    (id) => hasHiddenDefault(ports[id]?.typeName ?? '') && isEmpty(values[id]),
  )
}

/** Only what is really given can be received: of ports that could not be made nothing is. */
function writeWires(nodes: readonly UpdatedNode[]): void {
  const given = new Set(nodes.flatMap(({ ports }) => ports.outputs.map(({ id }) => id)))
  for (const { ports, renamed, before, after } of nodes) {
    for (const { id, chunk } of ports.inputs) {
      const wires = after.sources[id]?.filter(({ portInstanceId }) => given.has(portInstanceId))
      updateWires(chunk, before.sources[renamed.get(id) ?? id], wires)
    }
  }
}

/** The chunks of the groups, in the order of the document. */
function updateGroups({ objects, content: before }: Base, { groups }: GraphContent): Map<string, Chunk> {
  const known = new Map(objects.map((object) => [object.instanceId, object]))
  const earlier = new Map(before.groups.map((group) => [group.id, group]))
  return new Map(
    groups.map((group) => {
      const object = known.get(group.id)
      if (object?.classId !== CLASS.group) return [group.id, createGroup(group)]
      updateGroup(object.container, earlier.get(group.id), group)
      return [group.id, object.chunk]
    }),
  )
}

/** The objects, with the groups where groups were, in their order; new ones last. */
function inOrder(objects: readonly Chunk[], groups: ReadonlyMap<string, Chunk>): Chunk[] {
  const rest = [...groups.values()]
  const placed = new Set(rest)
  const arranged = objects.map((chunk) => (placed.has(chunk) ? (rest.shift() as Chunk) : chunk))
  return [...arranged, ...rest]
}
