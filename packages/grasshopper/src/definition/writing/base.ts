import type { GraphContent } from '@meadow/document'
import type { Archive, Chunk } from '../../archive/archive.ts'
import { CLASS } from '../objects/class-ids.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { listObjects } from '../objects/list-objects.ts'
import { listPorts } from '../ports/list-ports.ts'
import { getDefinition, interpretArchive } from '../read-definition.ts'

/** What a document is written over: the original, or a definition without objects. */
export interface Base {
  archive: Archive
  definition: Chunk
  /** What the archive says. */
  content: GraphContent
  /** Its objects in order, groups too. */
  objects: readonly DefinitionObject[]
  /** Those that are nodes, by class. */
  exemplars: ReadonlyMap<string, readonly Exemplar[]>
}

/** An object that another of its class can be a copy of. */
export interface Exemplar {
  object: DefinitionObject
  /** How many inputs and outputs it has in the original. */
  portCounts: readonly [inputs: number, outputs: number]
}

export function createBase(archive: Archive): Base {
  const definition = getDefinition(archive)
  const objects = listObjects(definition)
  const nodes = objects.filter(({ classId }) => classId !== CLASS.group)
  const exemplars = Map.groupBy(nodes.map(toExemplar), ({ object }) => object.classId)
  return { archive, definition, content: interpretArchive(archive).content, objects, exemplars }
}

function toExemplar(object: DefinitionObject): Exemplar {
  const { inputs, outputs } = listPorts(object)
  return { object, portCounts: [inputs.length, outputs.length] }
}
