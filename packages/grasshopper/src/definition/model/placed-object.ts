import type { Node } from '@meadow/document'
import { readArchive } from '../../archive/read-archive.ts'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import { GrasshopperError } from '../../archive/tree/grasshopper-error.ts'
import { writeArchive } from '../../archive/write-archive.ts'
import { type DefinitionObject, readObject } from './definition-object.ts'

/** The chunk of an object in a definition, from its class and its items. */
export const wrapContainer = (classId: string, container: Chunk): Chunk =>
  createChunk('Object', [createItem('guid', 'GUID', classId), { ...container, name: 'Container', index: -1 }])

/** The limit of an inflated object in bytes. The largest real library item has 2 MB. */
export const MAX_OBJECT_BYTES = 32 * 2 ** 20

/** The items of an object as the `object` of a node's state. */
export const packContainer = (container: Chunk): string =>
  Buffer.from(
    writeArchive({ root: { ...container, name: 'UserObject', index: -1 } }, { form: 'gh' }),
  ).toString('base64')

/**
 * The object of the library item that a node was placed from, with the ids of the item. Undefined for other nodes. Editors
 * write the state of nodes, so that it can be anything.
 * Fails: `GrasshopperError` for an object that cannot be read.
 */
export function findPlacedObject({ templateId, state }: Node): DefinitionObject | undefined {
  if (typeof state?.object !== 'string') return undefined
  const { root } = readArchive(Buffer.from(state.object, 'base64'), { maxBytes: MAX_OBJECT_BYTES })
  if (root.name === 'UserObject') return readObject(wrapContainer(templateId, root))
  throw new GrasshopperError(
    'malformed',
    'What a node keeps of its library item is no user object',
    root.name,
  )
}
