import type { Chunk, Item } from '../archive/tree/archive.ts'

/** The items that count others of the same chunk, with the name of what they count. */
const COUNTED: Readonly<Record<string, string>> = {
  SourceCount: 'Source',
  ID_Count: 'ID',
  ObjectCount: 'Object',
  InputCount: 'InputParam',
  OutputCount: 'OutputParam',
  ListCount: 'ListItem',
  GroupCount: 'Group',
  ItemCount: 'Target',
  TargetCount: 'Target',
  RevisionCount: 'Revision',
  ReferenceCount: 'Reference',
  StateCount: 'State',
  ViewCount: 'View',
  GripCount: 'Grip',
  MarkCount: 'Mark',
  VertexCount: 'V',
  gene_count: 'gene',
  lexer_count: 'source',
}

/** What the item `Count` counts, by the chunk that it is in. */
const COUNTED_IN: Readonly<Record<string, string>> = {
  PersistentData: 'Branch',
  Branch: 'Item',
  GHALibraries: 'Library',
  ParamMap: 'Key',
  GeneData: 'Value',
  VariableInput: 'ID',
  VariableOutput: 'ID',
}

/** The name of the elements that an item counts; undefined if it is no such item. */
export function findCounted(chunk: Chunk, item: Item): string | undefined {
  if (item.type !== 'int32' || item.index !== -1) return undefined
  const counted = item.name === 'Count' ? COUNTED_IN : COUNTED
  const key = item.name === 'Count' ? chunk.name : item.name
  return Object.hasOwn(counted, key) ? counted[key] : undefined
}

/** How many items and chunks of a name have an index. */
export function countElements(chunk: Chunk, name: string): number {
  const isCounted = (element: Chunk | Item) => element.name === name && element.index >= 0
  return chunk.items.filter(isCounted).length + chunk.chunks.filter(isCounted).length
}
