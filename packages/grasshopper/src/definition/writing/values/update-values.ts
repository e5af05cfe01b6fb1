import type { DataTree, DataValue } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { createItem } from '../../../archive/create.ts'
import { ensureChunk, removeChunks, setChunks, setItem } from '../../../archive/edit.ts'
import { findChunk, findItem } from '../../../archive/find.ts'
import { isEmpty, sameTree } from '../../compare/same-tree.ts'
import { keepItems } from './kept-items.ts'
import { makeItem, type ValueFate } from './make-item.ts'
import type { FindOpaque } from './opaque-items.ts'

/** What writing values needs to know beside them. */
export interface ValueHelp {
  findOpaque: FindOpaque
  report(fate: ValueFate, value: DataValue): void
}

/**
 * Writes the values of a port as PersistentData where they differ. A value that was there before keeps its chunk,
 * and with it what the document does not show.
 */
export function updateValues(
  port: { chunk: Chunk; typeName: string },
  before: DataTree | undefined,
  after: DataTree | undefined,
  help: ValueHelp,
): void {
  if (sameTree(before, after)) return
  const { chunk, typeName } = port
  const kept = keepItems(chunk, before)
  const facts = { typeName, namesClass: kept.nameClasses }
  const branches = (isEmpty(after) ? [] : after.branches).map(({ path, values }) => ({
    path,
    items: values.map((value, index) => {
      const known = kept.find(value, path, index) ?? findElsewhere(value, typeName, help)
      return known ? { ...known } : makeItem(value, facts, help.report)
    }),
  }))
  const isOf2011 = findItem(chunk, 'PersistentCount', 'int32') !== undefined
  if (isOf2011 && !findChunk(chunk, 'PersistentData'))
    writeList(
      chunk,
      branches.flatMap(({ items }) => items),
    )
  else writeBranches(chunk, branches)
}

function findElsewhere(value: DataValue | null, typeName: string, help: ValueHelp): Chunk | undefined {
  const found = value?.type === 'unknown' ? help.findOpaque(value, typeName) : undefined
  if (value && found && !found.isOnly) help.report('uncertain', value)
  return found?.chunk
}

/** 2011 files know one list of values. */
function writeList(chunk: Chunk, items: Chunk[]): void {
  setChunks(chunk, 'Data', items)
  setItem(chunk, 'int32', 'PersistentCount', items.length)
}

function writeBranches(chunk: Chunk, branches: { path: string; items: Chunk[] }[]): void {
  if (branches.length === 0) {
    removeChunks(chunk, 'PersistentData')
    return
  }
  const data = ensureChunk(chunk, 'PersistentData')
  setItem(data, 'int32', 'Count', branches.length)
  setChunks(data, 'Branch', branches.map(createBranch))
}

function createBranch({ path, items }: { path: string; items: Chunk[] }): Chunk {
  const branch: Chunk = {
    name: 'Branch',
    index: -1,
    items: [createItem('int32', 'Count', items.length), createItem('string', 'Path', path)],
    chunks: [],
  }
  setChunks(branch, 'Item', items)
  return branch
}
