import type { Chunk, Item, Miscount } from './archive.ts'
import { printable } from './grasshopper-error.ts'
import { MAX_MISCOUNTS } from './limits.ts'

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

/** Returns the name of the elements that an item counts; undefined if it does not count any. */
export function findCounted(chunk: Chunk, item: Item): string | undefined {
  if (item.type !== 'int32' || item.index !== -1) return undefined
  const counted = item.name === 'Count' ? COUNTED_IN : COUNTED
  const key = item.name === 'Count' ? chunk.name : item.name
  return Object.hasOwn(counted, key) ? counted[key] : undefined
}

/** The counts of a chunk, found in one pass, which are valid while its number of items and chunks is the same. */
const COUNTS = new WeakMap<Chunk, { size: number; byName: Map<string, number> }>()

/** How many items and chunks of a name have an index. */
export function countElements(chunk: Chunk, name: string): number {
  const size = chunk.items.length + chunk.chunks.length
  const known = COUNTS.get(chunk)
  if (known?.size === size) return known.byName.get(name) ?? 0
  const byName = new Map<string, number>()
  for (const element of [...chunk.items, ...chunk.chunks])
    if (element.index >= 0) byName.set(element.name, (byName.get(element.name) ?? 0) + 1)
  COUNTS.set(chunk, { size, byName })
  return byName.get(name) ?? 0
}

/**
 * The items in a chunk and below it that count another number of elements than there are, at most `MAX_MISCOUNTS`. `path`
 * is that of the chunk. A branch may count more values than it has: the others are null (GHD-29).
 */
export function listMiscounts(chunk: Chunk, path: string): Miscount[] {
  const found: Miscount[] = []
  addMiscounts(chunk, path, found)
  return found
}

function addMiscounts(chunk: Chunk, where: string, found: Miscount[]): void {
  for (const item of chunk.items) {
    const elements = findCounted(chunk, item)
    if (elements === undefined || found.length >= MAX_MISCOUNTS) continue
    const announced = item.value as number
    const count = countElements(chunk, elements)
    if (announced === count || (chunk.name === 'Branch' && announced > count)) continue
    found.push({ where, elements, announced, found: count })
  }
  for (const child of chunk.chunks) {
    const label = child.index < 0 ? printable(child.name) : `${printable(child.name)} #${child.index}`
    addMiscounts(child, `${where}/${label}`, found)
  }
}
