import { type DataValue, encodeNumber, type ObjectPart } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listItems } from '../../../archive/tree/find.ts'
import { findText } from '../../model/text.ts'
import type { ValueContext } from './value-context.ts'

/**
 * Reads geometry in the definition (ON_Data) or in a Rhino model (only an id).
 * Null for an empty reference; undefined for an item that is not geometry.
 */
export function readGeometry(
  chunk: Chunk,
  typeName: string | undefined,
  context: ValueContext,
): DataValue | null | undefined {
  const packed = findItem(chunk, 'ON_Data', 'bytearray')
  const reference = readReference(chunk, context)
  const { referenceId } = reference
  if (packed && packed.length > 0) return { ...unpack(packed, context), ...reference }
  const kind = findKind(chunk) ?? typeName ?? 'Object'
  if (referenceId) return { ...createSummary(kind, `${kind} in a Rhino model`), ...reference }
  return isEmptyReference(chunk) ? null : undefined
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const REFERENCE_ITEMS: readonly string[] = ['RefID', 'EdgeIndex', 'ON_Data', 'ON_Version', 'TypeName']

/** Whether the items are those of a reference that was never set. */
function isEmptyReference(chunk: Chunk): boolean {
  if (findRawReference(chunk) === undefined) return false
  return chunk.items.every(({ name }) => REFERENCE_ITEMS.includes(name))
}

/** The object in a Rhino model that the value refers to, and which part of it. */
export function readReference(
  chunk: Chunk,
  { reading }: Pick<ValueContext, 'reading'>,
): Pick<DataValue, 'referenceId' | 'referencePart'> {
  const referenceId = findRawReference(chunk)
  if (referenceId === undefined || referenceId === NO_ID) return {}
  const referencePart = reading === 1 ? undefined : findPart(chunk)
  return { referenceId, ...(referencePart ? { referencePart } : {}) }
}

/** An edge of a brep, or what ReferenceData says beside the id; a point object is no part. */
function findPart(chunk: Chunk): ObjectPart | undefined {
  const edge = findItem(chunk, 'EdgeIndex', 'int32') ?? -1
  if (edge >= 0) return { type: 'edge', index: edge }
  const data = findChunk(chunk, 'ReferenceData')
  const type = data && findText(data, 'RefType')
  if (!data || type === undefined || type === 'point_object') return undefined
  const index = findItem(data, 'RefIndex', 'int32') ?? -1
  const parameters = listItems(data, 'RefParam', 'double').map(encodeNumber)
  return {
    type,
    ...(index >= 0 ? { index } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
  }
}

function findRawReference(chunk: Chunk): string | undefined {
  const reference = findChunk(chunk, 'ReferenceData') ?? chunk
  return findItem(reference, 'RefID', 'guid')
}

function unpack(packed: Uint8Array, context: ValueContext): DataValue {
  const unpacked = context.unpackGeometry(packed)
  if (unpacked === 'unreadable') {
    context.report('unreadable_geometry')
    return createSummary('', 'Geometry that could not be read')
  }
  if (unpacked === 'left_out') {
    context.report('geometry_left_out')
    return createSummary('', 'Geometry beyond the limit of one definition')
  }
  const { type, description } = describeGeometry(unpacked.className)
  return { ...createSummary(type, description), geometry: unpacked.geometry }
}

/** The class named by the item, `Grasshopper.Kernel.Types.GH_Brep`. Only curves have an edge index. */
function findKind(chunk: Chunk): string | undefined {
  const named = findText(chunk, 'TypeName')
  if (named) return named.slice(named.lastIndexOf('.') + 1).replace(/^GH_/, '')
  return findItem(chunk, 'EdgeIndex', 'int32') === undefined ? undefined : 'Curve'
}

const TYPES = new Map<string, GeometryType>([
  ['curve', 'curve'],
  ['surface', 'surface'],
  ['brep', 'brep'],
  ['extrusion', 'brep'],
  ['mesh', 'mesh'],
])

function createSummary(kind: string, description: string): DataValue {
  const type = TYPES.get(kind.toLowerCase()) ?? 'unknown'
  return type === 'unknown'
    ? { type, value: { description } }
    : { type, value: { description, boundingBox: null } }
}

/** The types of value that stand for geometry without a short form. */
export type GeometryType = 'curve' | 'surface' | 'brep' | 'mesh' | 'unknown'

/** The type of value for a class of RhinoCommon, and its name in words: `Rhino.Geometry.LineCurve`, `Line curve`. */
function describeGeometry(className: string): { type: GeometryType; description: string } {
  const name = className.slice(className.lastIndexOf('.') + 1)
  const [first = '', ...rest] = name.split(/(?<=[a-z])(?=[A-Z][a-z])/)
  return { type: findType(name), description: [first, ...rest.map((word) => word.toLowerCase())].join(' ') }
}

function findType(name: string): GeometryType {
  if (name.endsWith('Curve')) return 'curve'
  if (name.endsWith('Surface')) return 'surface'
  if (name === 'Brep' || name === 'Extrusion') return 'brep'
  return name === 'Mesh' ? 'mesh' : 'unknown'
}
