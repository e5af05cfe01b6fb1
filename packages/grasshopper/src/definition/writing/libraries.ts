import type { Chunk } from '../../archive/archive.ts'
import { createChunk, createItem } from '../../archive/create.ts'
import { ensureChunk, setItem } from '../../archive/edit.ts'
import { findItem, listChunks } from '../../archive/find.ts'
import { toText } from './coerce.ts'

/** Sees that a plug-in is among the libraries of a definition, each of which Grasshopper looks for when it opens it. */
export function ensureLibrary(definition: Chunk, id: string, name: unknown): void {
  const libraries = ensureChunk(definition, 'GHALibraries')
  const known = listChunks(libraries, 'Library')
  if (known.some((library) => findItem(library, 'Id', 'guid') === id)) return
  const texts = Object.entries({ Author: '', Name: toText(name), Version: '' })
  const library = createChunk(
    'Library',
    [createItem('guid', 'Id', id), ...texts.map(([key, text]) => createItem('string', key, text))],
    known.length,
  )
  library.items.sort((a, b) => (a.name < b.name ? -1 : 1))
  libraries.chunks.push(library)
  setItem(libraries, 'int32', 'Count', known.length + 1)
}
