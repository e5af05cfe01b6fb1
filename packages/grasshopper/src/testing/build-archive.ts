import type { Archive, Chunk, Item, ItemType, ItemValues } from '../archive/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'

/** Definitions for tests, made item by item. */

export function buildItem<T extends ItemType>(type: T, name: string, value: ItemValues[T], index = -1): Item {
  return { name, index, type, value } as Item
}

export function buildChunk(name: string, parts: readonly (Item | Chunk)[] = [], index = -1): Chunk {
  const items = parts.filter((part): part is Item => 'type' in part)
  const chunks = parts.filter((part): part is Chunk => !('type' in part))
  return { name, index, items, chunks }
}

/** A GUID that shows its number. */
export function buildId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`
}

/** Text items by name, for what tests only look at. */
export function buildTexts(texts: Record<string, string>): Item[] {
  return Object.entries(texts).map(([name, text]) => buildItem('string', name, text))
}

interface ObjectParts {
  guid: string
  /** The number of its InstanceGuid. */
  id: number
  name?: string
  nickName?: string
  libraryId?: string
  /** What the Container holds beside names and id. */
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
    buildItem('guid', 'InstanceGuid', buildId(id)),
  ]
  return buildChunk('Object', [
    buildItem('guid', 'GUID', guid),
    buildItem('string', 'Name', name),
    ...(libraryId === undefined ? [] : [buildItem('guid', 'Lib', libraryId)]),
    buildChunk('Container', [...identity, ...container]),
  ])
}

/** The items that make a Container a parameter object, with its wires by the number of the sender. */
export function buildSources(...senders: number[]): Item[] {
  return [
    buildItem('int32', 'SourceCount', senders.length),
    ...senders.map((sender, i) => buildItem('guid', 'Source', buildId(sender), i)),
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
    buildItem('guid', 'InstanceGuid', buildId(id)),
  ]
  return buildChunk(chunkName, [...identity, ...buildSources(...senders), ...parts], index)
}

/** PersistentData with branches by path, each value by its parts; null for a chunk without items. */
export function buildPersistentData(branches: Record<string, (readonly (Item | Chunk)[] | null)[]>): Chunk {
  const entries = Object.entries(branches)
  return buildChunk('PersistentData', [
    buildItem('int32', 'Count', entries.length),
    ...entries.map(([path, values], i) =>
      buildChunk(
        'Branch',
        [
          buildItem('string', 'Path', path),
          buildItem('int32', 'Count', values.length),
          ...values.map((parts, j) => buildChunk('Item', parts ?? [], j)),
        ],
        i,
      ),
    ),
  ])
}

export function buildArchive(objects: readonly Chunk[], more: readonly (Item | Chunk)[] = []): Archive {
  const numbered = objects.map((object, index) => ({ ...object, index }))
  const list = buildChunk('DefinitionObjects', [
    buildItem('int32', 'ObjectCount', objects.length),
    ...numbered,
  ])
  return { root: buildChunk('Root', [buildChunk('Definition', [...more, list])]) }
}

/** The bytes of a .gh file. */
export function buildDefinition(objects: readonly Chunk[], more: readonly (Item | Chunk)[] = []): Uint8Array {
  return writeArchive(buildArchive(objects, more), { form: 'gh' })
}
