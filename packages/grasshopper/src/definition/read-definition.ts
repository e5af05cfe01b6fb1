import { createRecord, type GraphContent, repairGraph } from '@meadow/document'
import type { Archive, Chunk } from '../archive/archive.ts'
import { findChunk } from '../archive/find.ts'
import type { Limits } from '../archive/limits.ts'
import { readArchive } from '../archive/read-archive.ts'
import { GrasshopperError } from '../grasshopper-error.ts'
import { checkCycles } from './check-cycles.ts'
import { checkIds } from './check-ids.ts'
import type { Definition, Library, Note } from './definition.ts'
import { CLASS } from './objects/class-ids.ts'
import type { DefinitionObject } from './objects/definition-object.ts'
import { listObjects } from './objects/list-objects.ts'
import { readPins } from './pins.ts'
import { listPorts } from './ports/list-ports.ts'
import type { ObjectPorts } from './ports/port-chunk.ts'
import { readConfiguration } from './read-configuration.ts'
import { readGroups } from './read-groups.ts'
import { findThumbnail, readHeader } from './read-header.ts'
import { readNode } from './read-node.ts'
import { readHiddenPorts } from './values/hidden-defaults.ts'
import { createDefinitionContext } from './values/value-context.ts'

/**
 * Reads the bytes of a .gh or .ghx file as a node graph (rules GHD-1 to GHD-30 of SPEC.md).
 * Fails: `GrasshopperError` as `readArchive`, and with `not_a_definition` for other archives, `malformed` for objects
 * without identity, `duplicate_id` and `cyclic_wires` naming the objects, `too_large`.
 * Time and memory grow with the size of the archive; typed-in geometry is bounded by `MAX_GEOMETRY_BYTES`.
 */
export function readDefinition(bytes: Uint8Array, limits: Partial<Limits> = {}): Definition {
  return interpretArchive(readArchive(bytes, limits))
}

/** The same for an archive that is read already. */
export function interpretArchive(original: Archive): Definition {
  const definition = getDefinition(original)
  const header = readHeader(original, definition)
  const objects = listObjects(definition)
  const notes: Note[] = []
  const content = readContent(definition, objects, header.libraries, notes)
  const thumbnail = findThumbnail(original)
  return {
    content,
    notes,
    header,
    ...(thumbnail ? { thumbnail } : {}),
    original,
    objects: new Map(objects.map(({ instanceId, chunk }) => [instanceId, chunk])),
  }
}

const OTHER_ARCHIVES = new Map([
  ['UserObject', 'a user object'],
  ['Cluster', 'a cluster'],
  ['Document', "a cluster's inside"],
])

/** Fails: `not_a_definition` for other archives. */
export function getDefinition({ root }: Archive): Chunk {
  const definition = findChunk(root, 'Definition')
  if (root.name === 'Root' && definition) return definition
  const other = OTHER_ARCHIVES.get(root.name) ?? 'an archive without a definition'
  throw new GrasshopperError('not_a_definition', `This is ${other}, not a definition`, 'Root')
}

function readContent(
  definition: Chunk,
  objects: DefinitionObject[],
  libraries: Library[],
  notes: Note[],
): GraphContent {
  const groups = objects.filter(({ classId }) => classId === CLASS.group)
  const nodeObjects = objects
    .filter(({ classId }) => classId !== CLASS.group)
    .map((object) => ({ object, ports: listPorts(object) }))
  checkIds([...nodeObjects, ...groups.map((object) => ({ object, ports: { inputs: [], outputs: [] } }))])
  const context = {
    ...createDefinitionContext(notes),
    libraries: new Map(libraries.map((library) => [library.id, library])),
    senders: mapSenders(nodeObjects),
    hiddenPorts: readHiddenPorts(definition),
  }
  const nodes = createRecord(
    nodeObjects.map(({ object, ports }) => [object.instanceId, readNode(object, ports, context)]),
  )
  const documentGroups = readGroups(groups, new Set(Object.keys(nodes)))
  const configuration = readPins(definition, readConfiguration(nodes, documentGroups))
  const read = { nodes, groups: documentGroups, configuration }
  const { content, repairs } = repairGraph(read)
  for (const repair of repairs) notes.push({ kind: 'repaired', repair })
  checkCycles(content, objects)
  return content
}

function mapSenders(nodeObjects: { object: DefinitionObject; ports: ObjectPorts }[]): Map<string, string> {
  return new Map(
    nodeObjects.flatMap(({ object, ports }) =>
      ports.outputs.map(({ id }) => [id, object.instanceId] as const),
    ),
  )
}
