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
