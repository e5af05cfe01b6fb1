import type { Chunk, Item, ItemType, ItemValues } from './archive.ts'

export function createItem<T extends ItemType>(
  type: T,
  name: string,
  value: ItemValues[T],
  index = -1,
): Item {
  return { name, index, type, value } as Item
}

/** A chunk of items and chunks, each kind in the order given. */
export function createChunk(name: string, parts: readonly (Item | Chunk)[] = [], index = -1): Chunk {
  const items = parts.filter((part): part is Item => 'type' in part)
  const chunks = parts.filter((part): part is Chunk => !('type' in part))
  return { name, index, items, chunks }
}

/** Replaces an item in place, or inserts it in the order of archives: by name and index. */
export function setItem<T extends ItemType>(
  chunk: Chunk,
  type: T,
  name: string,
  value: ItemValues[T],
  index = -1,
): void {
  const item = createItem(type, name, value, index)
  const at = chunk.items.findIndex((it) => it.name === name && it.index === index)
  if (at >= 0) chunk.items[at] = item
  else insertItems(chunk, [item])
}

/** Replaces the items `name #0`, `name #1` … by these values. */
export function setItems<T extends ItemType>(
  chunk: Chunk,
  type: T,
  name: string,
  values: readonly ItemValues[T][],
): void {
  chunk.items = chunk.items.filter((it) => it.name !== name || it.index < 0)
  insertItems(
    chunk,
    values.map((value, index) => createItem(type, name, value, index)),
  )
}

/** Removes the item of this name without index. */
export function removeItem(chunk: Chunk, name: string): void {
  chunk.items = chunk.items.filter((it) => it.name !== name || it.index >= 0)
}

/** Sets a flag that only exists if it is true. */
export function setSwitch(chunk: Chunk, name: string, isOn: boolean): void {
  if (isOn) setItem(chunk, 'bool', name, true)
  else removeItem(chunk, name)
}

/** Sets a number that only exists if it is positive. */
export function setCode(chunk: Chunk, name: string, code: number): void {
  if (code > 0) setItem(chunk, 'int32', name, code)
  else removeItem(chunk, name)
}

/** Finds or creates the child of this name. */
export function ensureChunk(chunk: Chunk, name: string): Chunk {
  const found = chunk.chunks.find((it) => it.name === name && it.index < 0)
  if (found) return found
  const made = { name, index: -1, items: [], chunks: [] }
  chunk.chunks.push(made)
  return made
}

/** Removes the children of this name with any index. */
export function removeChunks(chunk: Chunk, name: string): void {
  chunk.chunks = chunk.chunks.filter((it) => it.name !== name)
}

/** Replaces the children `name #0`, `name #1` … at the position of the first one. */
export function setChunks(parent: Chunk, name: string, children: readonly Chunk[]): void {
  const isOne = (it: Chunk) => it.name === name && it.index >= 0
  const first = parent.chunks.findIndex(isOne)
  const others = parent.chunks.filter((it) => !isOne(it))
  const numbered = children.map((child, index) => Object.assign(child, { name, index }))
  const at = first < 0 ? others.length : first
  parent.chunks = [...others.slice(0, at), ...numbered, ...others.slice(at)]
}

/** Sorts the items of a chunk and of all its descendants, as Grasshopper does. */
export function sortItems(chunk: Chunk): Chunk {
  chunk.items.sort(compareItems)
  chunk.chunks.forEach(sortItems)
  return chunk
}

function insertItems(chunk: Chunk, items: readonly Item[]): void {
  const [first] = items
  if (!first) return
  const next = chunk.items.findIndex((it) => compareItems(it, first) > 0)
  const at = next < 0 ? chunk.items.length : next
  chunk.items = [...chunk.items.slice(0, at), ...items, ...chunk.items.slice(at)]
}

/** Orders items by name in the order of code units, capitals first, then by index. */
function compareItems(a: Item, b: Item): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.index - b.index
}
