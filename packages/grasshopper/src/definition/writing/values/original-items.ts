import { isDeepStrictEqual } from 'node:util'
import {
  type DataTree,
  type DataValue,
  findPath,
  formatPath,
  type GraphContent,
  SUMMARISED,
  sameValue,
} from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../../../archive/tree/find.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText } from '../../model/text.ts'

/*
 * Values that a document cannot contain in full (materials, loft options, values of plug-ins) are `unknown` with a
 * description. Their Item chunks are taken from the original, also when such a value was moved or copied.
 */

/** The Item chunk of an opaque value. `isUnique`: all chunks with this description are equal. */
interface OpaqueItem {
  chunk: Chunk
  isUnique: boolean
}

interface Original {
  objects: readonly DefinitionObject[]
  content: GraphContent
}

/** Finds the chunk of an opaque value among the ports of one type. */
export type FindOpaqueItem = (value: DataValue, typeName: string) => OpaqueItem | undefined

/** Indexes the opaque values of the original, before it is changed. */
export function indexOpaqueItems({ objects, content }: Original): FindOpaqueItem {
  const keyOf = (value: DataValue, typeName: string) => `${typeName} ${contentOf(value)}`
  const found = new Map<string, OpaqueItem>()
  for (const { instanceId, ports } of objects) {
    const node = content.nodes[instanceId]
    if (!node || !Object.values(node.values).some(hasOpaqueValue)) continue
    for (const { id, chunk: port } of [...ports.inputs, ...ports.outputs]) {
      const tree = node.values[id]
      for (const { value, chunk } of tree ? listOpaqueItems(port, tree) : []) {
        const key = keyOf(value, node.ports[id]?.typeName ?? '')
        const earlier = found.get(key)
        found.set(key, {
          chunk: earlier?.chunk ?? chunk,
          isUnique: !earlier || (earlier.isUnique && holdSame(earlier.chunk, chunk)),
        })
      }
    }
  }
  return (value, typeName) => found.get(keyOf(value, typeName))
}

function hasOpaqueValue({ branches }: DataTree): boolean {
  return branches.some(({ values }) => values.some((value) => value?.type === 'unknown'))
}

function listOpaqueItems(port: Chunk, tree: DataTree): { value: DataValue; chunk: Chunk }[] {
  const values = mapValues(tree)
  return listItemChunks(port).flatMap(({ key, chunk }) => {
    const value = values.get(key)
    return value?.type === 'unknown' ? [{ value, chunk }] : []
  })
}

function holdSame(a: Chunk, b: Chunk): boolean {
  return isDeepStrictEqual([a.items, a.chunks], [b.items, b.chunks])
}

/** The Item chunks of one port before it is written. */
export interface PortItems {
  /** Whether the chunks name the class of their value, as in ports that hold values of any type. */
  nameClasses: boolean
  /** The chunk of an equal value at this position; for a value that only its chunk holds in full, at any position. */
  find(value: DataValue | null, path: string, index: number): Chunk | undefined
}

export function indexPortItems(port: Chunk, before: DataTree | undefined): PortItems {
  const byKey = new Map<string, Chunk>()
  const byContent = new Map<string, Chunk>()
  const values = mapValues(before)
  for (const { key, chunk } of listItemChunks(port)) {
    byKey.set(key, chunk)
    const value = values.get(key)
    if (value && SUMMARISED.includes(value.type)) byContent.set(contentOf(value), chunk)
  }
  return {
    nameClasses: [...byKey.values()].some((chunk) => findItem(chunk, 'TypeName', 'string') !== undefined),
    find(value, path, index) {
      const key = positionOf(path, index)
      const earlier = values.get(key)
      if (earlier !== undefined && sameValue(value, earlier)) return byKey.get(key)
      return value && SUMMARISED.includes(value.type) ? byContent.get(contentOf(value)) : undefined
    },
  }
}

const positionOf = (path: string, index: number) => `${path} ${index}`

function mapValues(tree: DataTree | undefined): Map<string, DataValue | null> {
  const branches = tree?.branches ?? []
  return new Map(
    branches.flatMap(({ path, values }) =>
      values.map((value, index) => [positionOf(path, index), value] as const),
    ),
  )
}

/** Returns a text that is equal for equal bytes. Values that are equal by `sameValue` can have different ones. */
function contentOf({ type, value, geometry, referenceId, referencePart }: DataValue): string {
  return JSON.stringify([type, referenceId, referencePart, geometry ?? value])
}

/** The Item chunks with their positions, as `findPersistentData` reads them: branches of one path are joined. */
function listItemChunks(port: Chunk): { key: string; chunk: Chunk }[] {
  const data = findChunk(port, 'PersistentData')
  if (!data) return listChunks(port, 'Data').map((chunk, i) => ({ key: positionOf('{0}', i), chunk }))
  const lengths = new Map<string, number>()
  return listChunks(data, 'Branch').flatMap((branch) => {
    const path = formatPath(findPath(findText(branch, 'Path') ?? '') ?? [0])
    const items = listChunks(branch, 'Item')
    const count = findItem(branch, 'Count', 'int32') ?? items.length
    const start = lengths.get(path) ?? 0
    const isComplete = count <= items.length
    lengths.set(path, start + Math.max(count, items.length))
    return items.map((chunk, i) => ({ key: positionOf(path, start + (isComplete ? i : chunk.index)), chunk }))
  })
}
