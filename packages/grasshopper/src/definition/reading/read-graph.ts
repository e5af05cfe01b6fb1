import {
  createRecord,
  findCycle,
  type GraphContent,
  type Group,
  type Node,
  repairGraph,
} from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../archive/tree/find.ts'
import { GrasshopperError, printable } from '../../archive/tree/grasshopper-error.ts'
import { CLASS } from '../model/class-ids.ts'
import { formatColour } from '../model/colour.ts'
import type { Library } from '../model/definition.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import { addLeftOutPorts } from '../model/left-out-ports.ts'
import { findText } from '../model/text.ts'
import { readConfiguration, readPins } from './pins.ts'
import { readNode } from './read-node.ts'
import { readHiddenPorts } from './values/hidden-defaults.ts'
import type { DefinitionContext } from './values/value-context.ts'

/**
 * Reads the objects of a definition, or of a cluster, as a valid graph. Nodes in `known` are taken as they are.
 * Fails: `GrasshopperError`: `malformed`, `duplicate_id`, `cyclic_wires`, `too_large`.
 */
export function readGraph(
  definition: Chunk,
  objects: readonly DefinitionObject[],
  shared: DefinitionContext,
  known: ReadonlyMap<string, Node> = new Map(),
): GraphContent {
  const nodeObjects = objects.filter(({ classId }) => classId !== CLASS.group)
  if (shared.reading >= 3) nodeObjects.forEach(addLeftOutPorts)
  const groupObjects = objects.filter(({ classId }) => classId === CLASS.group)
  checkIds([...nodeObjects, ...groupObjects])
  const context = {
    ...shared,
    libraries: new Map(listLibraries(definition).map((library) => [library.id, library])),
    senders: mapSenders(nodeObjects),
    hiddenPorts: readHiddenPorts(definition),
  }
  const nodes = createRecord(
    nodeObjects.map((object) => [
      object.instanceId,
      known.get(object.instanceId) ?? readNode(object, context),
    ]),
  )
  const groups = readGroups(groupObjects, new Set(Object.keys(nodes)))
  const configuration = readPins(definition, readConfiguration(nodes, groups))
  const { content, repairs } = repairGraph({ nodes, groups, configuration })
  for (const repair of repairs) shared.notes.push({ kind: 'repaired', repair })
  checkCycles(content, objects)
  return content
}

/** The plug-ins that the objects of a definition come from. */
export function listLibraries(definition: Chunk): Library[] {
  const libraries = findChunk(definition, 'GHALibraries')
  if (!libraries) return []
  return listChunks(libraries, 'Library').map((chunk) => ({
    id: findItem(chunk, 'Id', 'guid') ?? '',
    name: findText(chunk, 'Name') ?? '',
    author: findText(chunk, 'Author') ?? '',
    version: findText(chunk, 'AssemblyVersion') ?? findText(chunk, 'Version') ?? '',
  }))
}

/**
 * Checks that all objects (groups included) and ports have distinct ids, since wires refer to ids.
 * Fails: `duplicate_id`, naming both owners.
 */
function checkIds(objects: readonly DefinitionObject[]): void {
  const owners = new Map<string, DefinitionObject>()
  const setOwner = (id: string, object: DefinitionObject) => {
    const owner = owners.get(id)
    if (owner) {
      const what = `${describe(owner)} and ${describe(object)} share the id ${id}`
      throw new GrasshopperError('duplicate_id', what, object.where)
    }
    owners.set(id, object)
  }
  for (const object of objects) setOwner(object.instanceId, object)
  for (const object of objects) {
    for (const { id, chunk } of [...object.ports.inputs, ...object.ports.outputs]) {
      if (chunk !== object.container) setOwner(id, object)
    }
  }
}

function describe({ name, where }: DefinitionObject): string {
  return `${printable(name) || 'Nameless'} (${where.slice(where.lastIndexOf('/') + 1)})`
}

/** The node of each output, by port id. */
function mapSenders(objects: readonly DefinitionObject[]): Map<string, string> {
  return new Map(
    objects.flatMap(({ instanceId, ports }) => ports.outputs.map(({ id }) => [id, instanceId] as const)),
  )
}

/** The colour of a new group, 0xAARRGGBB. */
const GROUP_COLOUR = 0x96aa87ff

/**
 * The groups with their existing members. In real files a fourth of the ids belong to deleted objects, which
 * Grasshopper ignores too.
 */
function readGroups(objects: readonly DefinitionObject[], nodeIds: ReadonlySet<string>): Group[] {
  const groupIds = new Set(objects.map(({ instanceId }) => instanceId))
  return objects.map(({ instanceId, nickName, container }) => {
    const members = [...new Set(listItems(container, 'ID', 'guid'))]
    return {
      id: instanceId,
      label: nickName,
      colour: formatColour(findItem(container, 'Colour', 'drawing_color') ?? GROUP_COLOUR),
      nodeInstanceIds: members.filter((id) => nodeIds.has(id)),
      groupIds: members.filter((id) => groupIds.has(id)),
    }
  })
}

/** How many objects of a cycle a message names. */
const MAX_NAMED = 5

/** Grasshopper never writes a cycle and cannot solve one. Fails: `cyclic_wires`, naming the objects. */
function checkCycles(content: GraphContent, objects: readonly DefinitionObject[]): void {
  const cycle = findCycle(content)
  if (!cycle) return
  const byId = new Map(objects.map((object) => [object.instanceId, object]))
  const named = cycle
    .slice(0, MAX_NAMED)
    .map((id) => `${printable(byId.get(id)?.name ?? '') || 'Nameless'} (${id})`)
  const more = cycle.length > MAX_NAMED ? ` and ${cycle.length - MAX_NAMED} more` : ''
  const where = byId.get(cycle[0] ?? '')?.where ?? ''
  throw new GrasshopperError('cyclic_wires', `Wires form a cycle: ${named.join(', ')}${more}`, where)
}
