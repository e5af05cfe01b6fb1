import type { GraphContent } from '@meadow/document'
import type { Archive, Chunk } from '../../archive/archive.ts'
import { CLASS } from '../objects/class-ids.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { listObjects } from '../objects/list-objects.ts'
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
  exemplars: ReadonlyMap<string, readonly DefinitionObject[]>
}

export function createBase(archive: Archive): Base {
  const definition = getDefinition(archive)
  const objects = listObjects(definition)
  const nodes = objects.filter(({ classId }) => classId !== CLASS.group)
  const exemplars = Map.groupBy(nodes, ({ classId }) => classId)
  return { archive, definition, content: interpretArchive(archive).content, objects, exemplars }
}
