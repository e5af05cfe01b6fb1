import type { Chunk } from '../../archive/archive.ts'
import { findChunk, findItem, listChunks } from '../../archive/find.ts'
import { GrasshopperError } from '../../grasshopper-error.ts'
import { findText } from '../text.ts'
import type { DefinitionObject } from './definition-object.ts'

/** The objects of a definition in document order. Fails: `malformed` for one without identity. */
export function listObjects(definition: Chunk): DefinitionObject[] {
  const list = findChunk(definition, 'DefinitionObjects')
  const place = definition.name === 'Definition' ? undefined : definition.name
  return list ? listChunks(list, 'Object').map((chunk) => readObject(chunk, place)) : []
}

/** `place` is that of the definition, for messages. Fails: `malformed` for an object without identity. */
export function readObject(chunk: Chunk, place = 'Root/Definition'): DefinitionObject {
  const where = `${place}/DefinitionObjects/Object #${chunk.index}`
  const container = findChunk(chunk, 'Container')
  const classId = findItem(chunk, 'GUID', 'guid')
  const instanceId = container && findItem(container, 'InstanceGuid', 'guid')
  if (!container || !classId || !instanceId) {
    throw new GrasshopperError('malformed', 'An object lacks its GUID, Container or InstanceGuid', where)
  }
  const name = findText(container, 'Name') ?? findText(chunk, 'Name') ?? ''
  const libraryId = findItem(chunk, 'Lib', 'guid')
  return {
    where,
    chunk,
    container,
    classId,
    instanceId,
    name,
    nickName: findText(container, 'NickName') ?? '',
    ...(libraryId === undefined ? {} : { libraryId }),
  }
}
