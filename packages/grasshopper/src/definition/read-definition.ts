import type { Archive, Chunk } from '../archive/archive.ts'
import { findChunk } from '../archive/find.ts'
import type { Limits } from '../archive/limits.ts'
import { readArchive } from '../archive/read-archive.ts'
import { GrasshopperError } from '../grasshopper-error.ts'
import type { Definition, Note } from './definition.ts'
import { listObjects } from './objects/list-objects.ts'
import { readContent } from './read-content.ts'
import { findThumbnail, readHeader } from './read-header.ts'
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
  const content = readContent(definition, objects, header.libraries, createDefinitionContext(notes))
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
