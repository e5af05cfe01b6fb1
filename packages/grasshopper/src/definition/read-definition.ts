import { readArchive } from '../archive/read-archive.ts'
import type { Archive, Chunk } from '../archive/tree/archive.ts'
import { listMiscounts } from '../archive/tree/counts.ts'
import { findChunk, findItem } from '../archive/tree/find.ts'
import type { Limits } from '../archive/tree/limits.ts'
import { formatDate } from './model/date.ts'
import type { Definition, DefinitionHeader, Note } from './model/definition.ts'
import { getDefinition, listObjects } from './model/definition-object.ts'
import { findAuthor, findPicture } from './model/file-parts.ts'
import { findText } from './model/text.ts'
import { listLibraries, readGraph } from './reading/read-graph.ts'
import { createDefinitionContext } from './reading/values/value-context.ts'

/**
 * Reads the bytes of a .gh or .ghx file as a node graph (rules GHD-1 to GHD-30 of SPEC.md).
 * Fails: `GrasshopperError` as `readArchive`, and with `not_a_definition` for other archives, `malformed` for objects
 * without identity, `duplicate_id` and `cyclic_wires` naming the objects, `too_large`.
 * Time and memory grow with the size of the archive; literal geometry is bounded by `MAX_GEOMETRY_BYTES`.
 */
export function readDefinition(bytes: Uint8Array, limits: Partial<Limits> = {}): Definition {
  const original = readArchive(bytes, limits)
  const definition = getDefinition(original)
  const header = readHeader(original, definition)
  const objects = listObjects(definition)
  const notes: Note[] = listWrongCounts(original, definition)
  const content = readGraph(definition, objects, createDefinitionContext(notes))
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

/** Counts of the lists that a definition depends on; other counts of real files are of things that they do not hold. */
function listWrongCounts({ miscounts = [] }: Archive, definition: Chunk): Note[] {
  const counted = definition.chunks
    .filter(({ name }) => name === 'DefinitionObjects' || name === 'GHALibraries')
    .flatMap((chunk) => listMiscounts(chunk, `Root/Definition/${chunk.name}`))
  return [...miscounts, ...counted].map((miscount) => ({ kind: 'miscounted', ...miscount }))
}

/** Header and properties of the file. Files of 2011 call the DocumentHeader DefinitionHeader. */
function readHeader({ root }: Archive, definition: Chunk): DefinitionHeader {
  const header = findChunk(definition, 'DocumentHeader') ?? findChunk(definition, 'DefinitionHeader')
  const properties = findChunk(definition, 'DefinitionProperties')
  const author = findAuthor(definition)
  const archiveVersion = findVersion(root, 'ArchiveVersion')
  const pluginVersion = findVersion(definition, 'plugin_version')
  const documentId = header && findItem(header, 'DocumentID', 'guid')
  const projection = properties && findChunk(properties, 'Projection')
  const view = projection && findView(projection)
  const savedAt = properties && formatDate(findItem(properties, 'Date', 'date'))
  return {
    ...(archiveVersion ? { archiveVersion } : {}),
    ...(pluginVersion ? { pluginVersion } : {}),
    ...(documentId ? { documentId } : {}),
    name: (properties && findText(properties, 'Name')) ?? '',
    description: (properties && findText(properties, 'Description')) ?? '',
    ...(savedAt ? { savedAt } : {}),
    ...(author ? { author } : {}),
    ...(view ? { view } : {}),
    libraries: listLibraries(definition),
  }
}

/** Returns the view of the canvas; undefined if its zoom would show nothing. */
function findView(projection: Chunk): DefinitionHeader['view'] {
  const target = findItem(projection, 'Target', 'drawing_point')
  const zoom = findItem(projection, 'Zoom', 'single')
  return target && zoom && zoom > 0 && Number.isFinite(zoom) ? { x: target.x, y: target.y, zoom } : undefined
}

function findVersion(chunk: Chunk, name: string): string | undefined {
  const version = findItem(chunk, name, 'version')
  return version && `${version.major}.${version.minor}.${version.revision}`
}

/** The picture of the canvas in the file. */
function findThumbnail({ root }: Archive): Uint8Array | undefined {
  const chunk = findChunk(root, 'Thumbnail')
  return findPicture(chunk && findItem(chunk, 'Thumbnail', 'drawing_bitmap'))
}
