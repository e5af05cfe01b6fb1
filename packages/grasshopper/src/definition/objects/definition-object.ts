import type { Chunk } from '../../archive/archive.ts'

/** An object of a definition: a node, or a group. */
export interface DefinitionObject {
  /** For messages: `Root/Definition/DefinitionObjects/Object #3`. */
  where: string
  chunk: Chunk
  /** The object's own state. */
  container: Chunk
  /** The GUID of its class. */
  classId: string
  instanceId: string
  name: string
  nickName: string
  /** The GUID of the plug-in that it comes from; undefined for what comes with Grasshopper. */
  libraryId?: string
}
