import { createRecord, type GraphContent, repairGraph } from '@meadow/document'
import type { Chunk } from '../archive/archive.ts'
import { checkCycles } from './check-cycles.ts'
import { checkIds } from './check-ids.ts'
import type { Library } from './definition.ts'
import { CLASS } from './objects/class-ids.ts'
import type { DefinitionObject } from './objects/definition-object.ts'
import { readPins } from './pins.ts'
import { listPorts } from './ports/list-ports.ts'
import type { ObjectPorts } from './ports/port-chunk.ts'
import { readConfiguration } from './read-configuration.ts'
import { readGroups } from './read-groups.ts'
import { readNode } from './read-node.ts'
import { readHiddenPorts } from './values/hidden-defaults.ts'
import type { DefinitionContext } from './values/value-context.ts'

/**
 * The objects of a definition, or of a cluster's inside, as a valid graph.
 * Fails: `GrasshopperError`: `malformed`, `duplicate_id`, `cyclic_wires`, `too_large`.
 */
export function readContent(
  definition: Chunk,
  objects: readonly DefinitionObject[],
  libraries: readonly Library[],
  shared: DefinitionContext,
): GraphContent {
  const groups = objects.filter(({ classId }) => classId === CLASS.group)
  const nodeObjects = objects
    .filter(({ classId }) => classId !== CLASS.group)
    .map((object) => ({ object, ports: listPorts(object) }))
  checkIds([...nodeObjects, ...groups.map((object) => ({ object, ports: { inputs: [], outputs: [] } }))])
  const context = {
    ...shared,
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
  for (const repair of repairs) shared.notes.push({ kind: 'repaired', repair })
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
