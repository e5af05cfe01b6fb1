import { type DataTree, type DataValue, findPath, formatPath } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { findChunk, findItem, listChunks } from '../../../archive/find.ts'
import { SUMMARISED, sameValue } from '../../compare/same-tree.ts'
import { findText } from '../../text.ts'

/** The Item chunks that a port had. */
export interface KeptItems {
  /** Whether they name their class, as values do where a port holds any. */
  nameClasses: boolean
  /** The chunk of this value, if it stood in this place, or anywhere where it is a kind that only its chunk tells. */
  find(value: DataValue | null, path: string, index: number): Chunk | undefined
}

/** The values of a port before, each with its chunk. */
export function keepItems(port: Chunk, before: DataTree | undefined): KeptItems {
  const byPlace = new Map<string, Chunk>()
  const byContent = new Map<string, Chunk>()
  const values = new Map<string, DataValue | null>()
  for (const { path, values: list } of before?.branches ?? []) {
    for (const [index, value] of list.entries()) values.set(placeOf(path, index), value)
  }
  for (const { place, chunk } of listPlaced(port)) {
    byPlace.set(place, chunk)
    const value = values.get(place)
    if (value && SUMMARISED.includes(value.type)) byContent.set(contentOf(value), chunk)
  }
  return {
    nameClasses: [...byPlace.values()].some((chunk) => findItem(chunk, 'TypeName', 'string') !== undefined),
    find(value, path, index) {
      const place = placeOf(path, index)
      const earlier = values.get(place)
      if (earlier !== undefined && sameValue(value, earlier)) return byPlace.get(place)
      return value && SUMMARISED.includes(value.type) ? byContent.get(contentOf(value)) : undefined
    },
  }
}

const placeOf = (path: string, index: number) => `${path} ${index}`

/** What makes two opaque values the same; see `sameValue`. */
export function contentOf({ type, value, geometry, referenceId }: DataValue): string {
  return JSON.stringify([type, referenceId, geometry ?? value])
}

/** The values of a port that only their chunk tells whole, each with it. */
export function listOpaqueItems(port: Chunk, tree: DataTree): { value: DataValue; chunk: Chunk }[] {
  const values = new Map(
    tree.branches.flatMap(({ path, values: list }) =>
      list.map((value, index) => [placeOf(path, index), value] as const),
    ),
  )
  return listPlaced(port).flatMap(({ place, chunk }) => {
    const value = values.get(place)
    return value?.type === 'unknown' ? [{ value, chunk }] : []
  })
}

/** As `findPersistentData` reads them: branches of one path are one, and positions may be left out. */
function listPlaced(port: Chunk): { place: string; chunk: Chunk }[] {
  const data = findChunk(port, 'PersistentData')
  if (!data) return listChunks(port, 'Data').map((chunk, i) => ({ place: placeOf('{0}', i), chunk }))
  const lengths = new Map<string, number>()
  return listChunks(data, 'Branch').flatMap((branch) => {
    const path = formatPath(findPath(findText(branch, 'Path') ?? '') ?? [0])
    const items = listChunks(branch, 'Item')
    const count = findItem(branch, 'Count', 'int32') ?? items.length
    const start = lengths.get(path) ?? 0
    const isWhole = count <= items.length
    lengths.set(path, start + Math.max(count, items.length))
    return items.map((chunk, i) => ({ place: placeOf(path, start + (isWhole ? i : chunk.index)), chunk }))
  })
}
