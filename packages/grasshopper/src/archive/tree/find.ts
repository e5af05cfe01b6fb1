import type { Chunk, ItemType, ItemValues } from './archive.ts'

/** The value of the first item with this name, type and index, or undefined. */
export function findItem<T extends ItemType>(
  chunk: Chunk,
  name: string,
  type: T,
  index = -1,
): ItemValues[T] | undefined {
  const item = chunk.items.find((it) => it.name === name && it.index === index && it.type === type)
  return item?.value as ItemValues[T] | undefined
}

/** The values of the items `name #0`, `name #1`, … of one type by index, without gaps, in a single pass. */
export function listItems<T extends ItemType>(chunk: Chunk, name: string, type: T): ItemValues[T][] {
  const items = chunk.items.filter((it) => it.name === name && it.index >= 0 && it.type === type)
  return items.sort(byIndex).map((it) => it.value as ItemValues[T])
}

/** The first child chunk with this name and index. */
export function findChunk(chunk: Chunk, name: string, index = -1): Chunk | undefined {
  return chunk.chunks.find((it) => it.name === name && it.index === index)
}

/** The child chunks `name #0`, `name #1`, … by index, without gaps, in a single pass. */
export function listChunks(chunk: Chunk, name: string): Chunk[] {
  return chunk.chunks.filter((it) => it.name === name && it.index >= 0).sort(byIndex)
}

function byIndex(a: { index: number }, b: { index: number }): number {
  return a.index - b.index
}
