import { createDataTree, type DataTree, type DataValue, findPath, type ValueType } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../../../archive/tree/find.ts'
import { findText } from '../../model/text.ts'
import { readGeometry, readReference } from './read-geometry.ts'
import { readUnknown } from './unknown-values.ts'
import type { ValueContext } from './value-context.ts'
import { VALUE_READERS } from './value-readers.ts'

/**
 * The literal values of a port or parameter; undefined if it has none.
 * Files of 2011 hold them as one list (`Data #i`), later ones as branches (PersistentData).
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

/** Positions within the count that have no chunk are nulls. */
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

/**
 * Reads one literal value. The names of its items determine its type.
 * Null for an empty chunk; `unknown` with a description for a value without a counterpart.
 * `typeName` is the type of the port, which determines the type of geometry in a Rhino model.
 */
function readValue(chunk: Chunk, typeName: string | undefined, context: ValueContext): DataValue | null {
  if (chunk.items.length === 0 && chunk.chunks.length === 0) return null
  const plain = isOfPlugin(chunk) ? undefined : VALUE_READERS.get(listNames(chunk))?.(chunk)
  if (plain === undefined) {
    const geometry = readGeometry(chunk, typeName, context)
    return geometry === undefined ? readUnknown(chunk, context.reading) : geometry
  }
  return plain && { ...plain, ...readReference(chunk, context) }
}

/** Whether a value is of a plug-in: in ports that hold values of any type, the item names its class. */
function isOfPlugin(chunk: Chunk): boolean {
  const typeName = findText(chunk, 'TypeName')
  return typeName !== undefined && !typeName.startsWith('Grasshopper.Kernel.Types.')
}

function listNames({ items }: Chunk): string {
  const names = items.map(({ name }) => name).filter((name) => name !== 'TypeName' && name !== 'RefID')
  return names.sort().join(',')
}

/** The parameter type for values of each type. */
const TYPE_NAMES: Partial<Record<ValueType, string>> = {
  boolean: 'Boolean',
  integer: 'Integer',
  number: 'Number',
  string: 'Text',
  colour: 'Colour',
  domain: 'Domain',
  vector: 'Vector',
  plane: 'Plane',
  point: 'Point',
  line: 'Line',
  circle: 'Circle',
  rectangle: 'Rectangle',
  box: 'Box',
  curve: 'Curve',
  surface: 'Surface',
  brep: 'Brep',
  mesh: 'Mesh',
  path: 'Data Path',
}

/** The type of a port, derived from its values if nothing else determines it. */
export function findTypeNameOfValues(tree: DataTree | undefined): string | undefined {
  const first = tree?.branches.flatMap(({ values }) => values).find((value) => value !== null)
  return first && TYPE_NAMES[first.type]
}
