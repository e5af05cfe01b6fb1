import type { Archive, Chunk } from '../archive/archive.ts'
import { findChunk, findItem, listChunks } from '../archive/find.ts'
import { formatDate } from './date.ts'
import type { Author, DefinitionHeader, Library } from './definition.ts'
import { findText } from './text.ts'

/** The facts of a definition as a file. 2011 files say DefinitionHeader for DocumentHeader. */
export function readHeader({ root }: Archive, definition: Chunk): DefinitionHeader {
  const header = findChunk(definition, 'DocumentHeader') ?? findChunk(definition, 'DefinitionHeader')
  const properties = findChunk(definition, 'DefinitionProperties')
  const author = findChunk(definition, 'Author')
  const archiveVersion = findVersion(root, 'ArchiveVersion')
  const pluginVersion = findVersion(definition, 'plugin_version')
  const documentId = header && findItem(header, 'DocumentID', 'guid')
  const savedAt = properties && formatDate(findItem(properties, 'Date', 'date'))
  return {
    ...(archiveVersion ? { archiveVersion } : {}),
    ...(pluginVersion ? { pluginVersion } : {}),
    ...(documentId ? { documentId } : {}),
    name: (properties && findText(properties, 'Name')) ?? '',
    description: (properties && findText(properties, 'Description')) ?? '',
    ...(savedAt ? { savedAt } : {}),
    ...(author ? { author: readAuthor(author) } : {}),
    libraries: listLibraries(definition),
  }
}

/** The picture of the canvas that the file carries. */
export function findThumbnail({ root }: Archive): Uint8Array | undefined {
  const chunk = findChunk(root, 'Thumbnail')
  const picture = chunk && findItem(chunk, 'Thumbnail', 'drawing_bitmap')
  return picture && picture.length > 0 ? picture : undefined
}

function findVersion(chunk: Chunk, name: string): string | undefined {
  const version = findItem(chunk, name, 'version')
  return version && `${version.major}.${version.minor}.${version.revision}`
}

function readAuthor(chunk: Chunk): Author {
  return {
    name: findText(chunk, 'Name') ?? '',
    company: findText(chunk, 'Company') ?? '',
    email: findText(chunk, 'EMail') ?? '',
    copyright: findText(chunk, 'Copyright') ?? '',
    website: findText(chunk, 'Website') ?? '',
  }
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
