import { createDataTree, type DataTree, type DataValue, findPath } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findChunk, findItem, listChunks } from '../../archive/find.ts'
import { findText } from '../text.ts'
import { readValue } from './read-value.ts'
import type { ValueContext } from './value-context.ts'

/**
 * The values that a port or parameter keeps; undefined when it keeps none.
 * 2011 files hold them as one list (`Data #i`), later ones as branches (PersistentData).
 */
export function findPersistentData(
  port: Chunk,
  typeName: string | undefined,
  context: ValueContext,
): DataTree | undefined {
  const data = findChunk(port, 'PersistentData')
  const read = (item: Chunk) => readValue(item, typeName, context)
  const branches = data
    ? listChunks(data, 'Branch').map((branch) => ({
        path: findPath(findText(branch, 'Path') ?? '') ?? [0],
        values: listValues(branch, read, context),
      }))
    : [{ path: [0], values: listChunks(port, 'Data').map(read) }]
  return branches.some(({ values }) => values.length > 0) ? createDataTree(branches) : undefined
}

/** Positions that the count promises and no chunk fills are nulls. */
function listValues(
  branch: Chunk,
  read: (item: Chunk) => DataValue | null,
  context: ValueContext,
): (DataValue | null)[] {
  const items = listChunks(branch, 'Item')
  const count = findItem(branch, 'Count', 'int32') ?? items.length
  if (count <= items.length) return items.map(read)
  const values: (DataValue | null)[] = context.createNulls(count)
  for (const item of items) {
    if (item.index < count) values[item.index] = read(item)
  }
  return values
}
