import { createHash } from 'node:crypto'
import type { Chunk, Item } from '../archive/tree/archive.ts'
import { createMeanings, type FindMeaning, REWRITTEN } from '../meaning/meaning.ts'

type Bytes = Item & { value: Uint8Array }

/**
 * Returns the three sides with the same bytes where geometry or an icon means the same: those of ours, otherwise of
 * theirs. If a side only wrote it with other bytes, that is then not a change.
 */
export function unifyRewritten(base: Chunk, ours: Chunk, theirs: Chunk): [Chunk, Chunk, Chunk] {
  const rewritten = [ours, theirs, base].map(listRewritten)
  const isSame = (item: Bytes) => rewritten.every((items) => items.has(digestOf(item)))
  const find = createMeanings()
  const byMeaning = new Map<string, Bytes>()
  const unified = new Map<string, Bytes>()
  for (const [digest, item] of rewritten.flatMap((items) => [...items])) {
    if (unified.has(digest)) continue
    const meaning = isSame(item) ? undefined : findMeaningOf(item, find)
    const first = meaning === undefined ? item : (byMeaning.get(meaning) ?? item)
    if (meaning !== undefined) byMeaning.set(meaning, first)
    unified.set(digest, first)
  }
  const unify = (chunk: Chunk): Chunk => ({
    ...chunk,
    items: chunk.items.map((item) =>
      isRewritten(item) ? ({ ...item, value: unified.get(digestOf(item))!.value } as Item) : item,
    ),
    chunks: chunk.chunks.map(unify),
  })
  return [unify(base), unify(ours), unify(theirs)]
}

const findMeaningOf = (item: Bytes, find: FindMeaning): string | undefined => {
  const meaning = find(item)
  return meaning === undefined ? undefined : `${item.name} ${item.type} ${meaning}`
}

const isRewritten = (item: Item): item is Bytes & Item =>
  REWRITTEN.has(item.name) && item.value instanceof Uint8Array

const digestOf = (item: Bytes): string =>
  `${item.name} ${item.type} ${createHash('sha256').update(item.value).digest('base64')}`

/** The items of a side, each of its bytes once. */
function listRewritten(chunk: Chunk): Map<string, Bytes> {
  const found = new Map<string, Bytes>()
  const walk = ({ items, chunks }: Chunk): void => {
    for (const item of items) if (isRewritten(item)) found.set(digestOf(item), item)
    chunks.forEach(walk)
  }
  walk(chunk)
  return found
}
