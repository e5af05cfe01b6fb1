import type { Chunk, Item } from '../archive/tree/archive.ts'
import { findChunk } from '../archive/tree/find.ts'
import { describeIds, describeObject, findInstanceId, findPortName } from '../text/objects.ts'
import type { MergeConflict } from './merge-archives.ts'

/**
 * Removes the wires whose sender one side removed while the other made or kept the wire. Returns the merged document
 * and these wires, each of which is a conflict.
 */
export function removeLostWires(
  merged: Chunk,
  ours: Chunk,
  theirs: Chunk,
): { root: Chunk; lost: MergeConflict[] } {
  const present = describeIds(objectsOf(merged))
  const [inOurs, inTheirs] = [ours, theirs].map((root) => describeIds(objectsOf(root)))
  const lost: MergeConflict[] = []
  const root = mapObjects(merged, (object) =>
    filterWires(object, (chunk, sender) => {
      const name = inOurs!.get(sender) ?? inTheirs!.get(sender)
      if (present.has(sender) || name === undefined) return true
      lost.push({
        where: `${describeObject(object)} (${findInstanceId(object) ?? 'no id'}), ${findPortName(chunk) ?? 'its input'}`,
        what: `it has a wire from ${name}, which ${inOurs!.has(sender) ? 'they' : 'we'} removed`,
      })
      return false
    }),
  )
  return { root: lost.length === 0 ? merged : root, lost }
}

/** Keeps of the wires into a chunk those that `isKept` accepts. */
function filterWires(chunk: Chunk, isKept: (chunk: Chunk, sender: string) => boolean): Chunk {
  const isWire = (item: Item) => item.name === 'Source' && item.index >= 0 && item.type === 'guid'
  const kept = chunk.items.filter((item) => !isWire(item) || isKept(chunk, item.value as string))
  const count = kept.filter(isWire).length
  let next = 0
  const items =
    kept.length === chunk.items.length
      ? chunk.items
      : kept.map((item) => {
          if (isWire(item)) return { ...item, index: next++ }
          return item.name === 'SourceCount' && item.type === 'int32' ? { ...item, value: count } : item
        })
  return { ...chunk, items, chunks: chunk.chunks.map((child) => filterWires(child, isKept)) }
}

/** The list of objects is in the Definition of a file, and directly in the root of a cluster. */
const listOfObjects = (root: Chunk): Chunk | undefined =>
  findChunk(findChunk(root, 'Definition') ?? root, 'DefinitionObjects')

const objectsOf = (root: Chunk): readonly Chunk[] => listOfObjects(root)?.chunks ?? []

function mapObjects(root: Chunk, change: (object: Chunk) => Chunk): Chunk {
  const list = listOfObjects(root)
  const replace = (chunk: Chunk): Chunk => {
    if (chunk === list) return { ...chunk, chunks: chunk.chunks.map(change) }
    return chunk === root || chunk.name === 'Definition'
      ? { ...chunk, chunks: chunk.chunks.map(replace) }
      : chunk
  }
  return replace(root)
}
