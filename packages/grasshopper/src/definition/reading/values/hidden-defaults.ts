import { isDeepStrictEqual } from 'node:util'
import type { Chunk, Item } from '../../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../../archive/tree/edit.ts'
import { findChunk, listChunks } from '../../../archive/tree/find.ts'
import { readNote, writeNote } from '../../model/own-notes.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'

/**
 * The default values of ports whose types have no values in a document. Without them, Grasshopper's Loft has no options
 * and does nothing. Source: files, in which unchanged options have these values.
 */
const DEFAULTS = new Map<string, readonly Item[]>([
  [
    'Loft Options',
    [
      createItem('bool', 'Adjust', false),
      createItem('bool', 'Closed', false),
      createItem('int32', 'LoftEnds', 0),
      createItem('int32', 'LoftSimp', 0),
      createItem('int32', 'LoftType', 0),
      createItem('int32', 'Rebuild', 10),
      createItem('double', 'Refit', 0.01),
    ],
  ],
  [
    'Mesher Settings',
    [
      createItem('int32', 'GridMaxCount', 0),
      createItem('int32', 'GridMinCount', 16),
      createItem('bool', 'JaggedSeams', false),
      createItem('double', 'MaxEdgeLength', 0),
      createItem('double', 'MinEdgeLength', 0.0001),
      createItem('double', 'MinTolerance', 0),
      createItem('bool', 'Refine', true),
      createItem('double', 'RefineAngle', 0),
      createItem('double', 'RelativeTolerance', 0.65),
      createItem('bool', 'SimplePlanes', true),
      createItem('double', 'Tolerance', 0),
    ],
  ],
  // X, Y and Z.
  ['Coordinate Mask', [createItem('int32', 'CMask', 4)]],
  ['Mesh Face', ['A', 'B', 'C', 'D'].map((name, corner) => createItem('int32', name, corner))],
  [
    'Shader',
    [
      createItem('drawing_color', 'ambient', 0xff000000),
      createItem('drawing_color', 'diffuse', 0xffff69b4),
      createItem('drawing_color', 'emission', 0xff4c2036),
      createItem('guid', 'rdk_id', NO_ID),
      createItem('double', 'shine', 0.5),
      createItem('drawing_color', 'specular', 0xffffffff),
      createItem('double', 'transparency', 0),
    ],
  ],
])

export function hasHiddenDefault(typeName: string): boolean {
  return DEFAULTS.has(typeName)
}

/** The items of the default value of this type. */
export function listHiddenItems(typeName: string): readonly Item[] {
  return DEFAULTS.get(typeName) ?? []
}

/** The PersistentData of a new port of this type; empty for types whose values a document can contain. */
export function listHiddenDefault(typeName: string): Chunk[] {
  const items = DEFAULTS.get(typeName)
  if (!items) return []
  const branch = createChunk(
    'Branch',
    [
      createItem('int32', 'Count', 1),
      createItem('string', 'Path', '{0}'),
      createChunk('Item', structuredClone(items), 0),
    ],
    0,
  )
  return [createChunk('PersistentData', [createItem('int32', 'Count', 1), branch])]
}

/** Whether a port holds only the default of its type. */
export function holdsHiddenDefault(port: Chunk, typeName: string | undefined): boolean {
  const data = findChunk(port, 'PersistentData')
  const [branch, ...others] = data ? listChunks(data, 'Branch') : []
  const items = branch && others.length === 0 ? listChunks(branch, 'Item') : []
  return items.length === 1 && isDeepStrictEqual(items[0]?.items, DEFAULTS.get(typeName ?? ''))
}

/** The ports that were written with a default for which the document has no values. */
export function readHiddenPorts(definition: Chunk): Set<string> {
  return new Set(readNote(definition, 'Meadow.Defaults'))
}

export function addHiddenPorts(definition: Chunk, portIds: readonly string[]): void {
  if (portIds.length === 0) return
  const known = readNote(definition, 'Meadow.Defaults')
  writeNote(definition, 'Meadow.Defaults', [...new Set([...known, ...portIds])])
}
