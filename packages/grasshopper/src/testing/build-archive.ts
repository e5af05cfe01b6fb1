import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { createChunk, createItem } from '../archive/tree/edit.ts'
import { writeArchive } from '../archive/write-archive.ts'

/** Builds definitions for tests item by item. */

export { createChunk as buildChunk, createItem as buildItem }

/** A GUID that shows its number. */
export function buildId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`
}

/** Text items by name. */
export function buildTexts(texts: Record<string, string>): Item[] {
  return Object.entries(texts).map(([name, text]) => createItem('string', name, text))
}

interface ObjectParts {
  guid: string
  /** The number of its InstanceGuid. */
  id: number
  name?: string
  nickName?: string
  libraryId?: string
  /** The content of the Container beside names and id. */
  container?: readonly (Item | Chunk)[]
}

/** An Object chunk, without index: `buildDefinition` numbers them. */
export function buildObject({
  guid,
  id,
  name = 'Thing',
  nickName = name,
  libraryId,
  container = [],
}: ObjectParts): Chunk {
  const identity = [
    ...buildTexts({ Name: name, NickName: nickName }),
    createItem('guid', 'InstanceGuid', buildId(id)),
  ]
  return createChunk('Object', [
    createItem('guid', 'GUID', guid),
    createItem('string', 'Name', name),
    ...(libraryId === undefined ? [] : [createItem('guid', 'Lib', libraryId)]),
    createChunk('Container', [...identity, ...container]),
  ])
}

/** The items that make a Container a parameter object, with its wires by the number of the sender. */
export function buildSources(...senders: number[]): Item[] {
  return [
    createItem('int32', 'SourceCount', senders.length),
    ...senders.map((sender, i) => createItem('guid', 'Source', buildId(sender), i)),
  ]
}

/** A port chunk, `param_input`, `OutputParam` … */
export function buildPort(
  chunkName: string,
  index: number,
  id: number,
  { senders = [], parts = [] }: { senders?: number[]; parts?: readonly (Item | Chunk)[] } = {},
): Chunk {
  const identity = [
    ...buildTexts({ Name: `Port ${id}`, NickName: `P${id}` }),
    createItem('guid', 'InstanceGuid', buildId(id)),
  ]
  return createChunk(chunkName, [...identity, ...buildSources(...senders), ...parts], index)
}

/** PersistentData with branches by path, each value by its parts; null for a chunk without items. */
export function buildPersistentData(branches: Record<string, (readonly (Item | Chunk)[] | null)[]>): Chunk {
  const entries = Object.entries(branches)
  return createChunk('PersistentData', [
    createItem('int32', 'Count', entries.length),
    ...entries.map(([path, values], i) =>
      createChunk(
        'Branch',
        [
          createItem('string', 'Path', path),
          createItem('int32', 'Count', values.length),
          ...values.map((parts, j) => createChunk('Item', parts ?? [], j)),
        ],
        i,
      ),
    ),
  ])
}

export function buildArchive(objects: readonly Chunk[], more: readonly (Item | Chunk)[] = []): Archive {
  const numbered = objects.map((object, index) => ({ ...object, index }))
  const list = createChunk('DefinitionObjects', [
    createItem('int32', 'ObjectCount', objects.length),
    ...numbered,
  ])
  return { root: createChunk('Root', [createChunk('Definition', [...more, list])]) }
}

/** The bytes of a .gh file. */
export function buildDefinition(objects: readonly Chunk[], more: readonly (Item | Chunk)[] = []): Uint8Array {
  return writeArchive(buildArchive(objects, more), { form: 'gh' })
}
