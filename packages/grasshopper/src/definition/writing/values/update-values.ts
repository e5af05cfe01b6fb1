import { type DataTree, type DataValue, decodeNumber, isEmptyTree, sameTree } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import {
  createChunk,
  createItem,
  ensureChunk,
  removeChunks,
  setChunks,
  setItem,
  sortItems,
} from '../../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../../archive/tree/find.ts'
import { encodeValue, findValueClass } from './encode-value.ts'
import { fitValue, holdsAny } from './fit-value.ts'
import { type FindOpaqueItem, indexPortItems } from './original-items.ts'

/** The outcome for a value that the file cannot represent exactly. */
export type ValueOutcome = 'left_out' | 'converted' | 'uncertain'

interface ValueContext {
  findOpaqueItem: FindOpaqueItem
  report(outcome: ValueOutcome, value: DataValue): void
}

/**
 * Writes the literal values of a port as PersistentData if they differ. A value that existed before keeps its chunk,
 * which may hold more than the document shows.
 */
export function updateValues(
  port: { chunk: Chunk; typeName: string },
  before: DataTree | undefined,
  after: DataTree | undefined,
  context: ValueContext,
): void {
  if (sameTree(before, after)) return
  const { chunk, typeName } = port
  const existing = indexPortItems(chunk, before)
  const target = { typeName, namesClass: existing.nameClasses }
  const branches = (isEmptyTree(after) ? [] : after.branches).map(({ path, values }) => ({
    path,
    items: values.map((value, index) => {
      const known = existing.find(value, path, index) ?? findOpaque(value, typeName, context)
      return known ? { ...known } : createItemChunk(value, target, context.report)
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

/** The chunk of an opaque value anywhere in the original. */
function findOpaque(value: DataValue | null, typeName: string, context: ValueContext): Chunk | undefined {
  const found = value?.type === 'unknown' ? context.findOpaqueItem(value, typeName) : undefined
  if (value && found && !found.isUnique) context.report('uncertain', value)
  return found?.chunk
}

/** Files of 2011 have one list of values. */
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

/** The Item chunk of a value in a port of this type. If the port cannot hold the value it is empty, which is null. */
function createItemChunk(
  value: DataValue | null,
  { typeName, namesClass }: { typeName: string; namesClass: boolean },
  report: (outcome: ValueOutcome, value: DataValue) => void,
): Chunk {
  if (value === null) return createChunk('Item')
  const fitted = fitValue(value, typeName)
  const parts = fitted && encode(fitted.value, typeName, namesClass || holdsAny(typeName))
  if (!parts) {
    report('left_out', value)
    return createChunk('Item')
  }
  if (fitted.how) report(fitted.how, value)
  return sortItems(createChunk('Item', parts))
}

function encode(value: DataValue, typeName: string, namesClass: boolean): ReturnType<typeof encodeValue> {
  if (typeName === 'Point' && value.type === 'unknown' && !value.geometry) return encodePointReference(value)
  const parts = encodeValue(value)
  if (!parts || !namesClass) return parts
  const className = findValueClass(value)
  return className === undefined ? undefined : [...parts, createItem('string', 'TypeName', className)]
}

/** A point in a Rhino model, which is stored differently from other references. */
function encodePointReference({ referenceId, referencePart }: DataValue): ReturnType<typeof encodeValue> {
  if (referenceId === undefined) return undefined
  const { type = 'point_object', index = -1, parameters = [0, 0] } = referencePart ?? {}
  return [
    createChunk('ReferenceData', [
      createItem('guid', 'RefID', referenceId),
      createItem('int32', 'RefIndex', index),
      ...parameters.map((parameter, at) => createItem('double', 'RefParam', decodeNumber(parameter), at)),
      createItem('string', 'RefType', type),
    ]),
  ]
}
