import type { DataValue } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem } from '../../../archive/tree/find.ts'
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
  const referenceId = findReferenceId(chunk)
  const reference = referenceId === undefined ? {} : { referenceId, ...readEdge(chunk) }
  if (packed && packed.length > 0) return { ...unpack(packed, context), ...reference }
  const kind = findKind(chunk) ?? typeName ?? 'Object'
  if (referenceId) return { ...createSummary(kind, describeReference(chunk, kind)), ...reference }
  return isEmptyReference(chunk) ? null : undefined
}

/** The edge of a brep that a curve is; −1 for other curves. */
function readEdge(chunk: Chunk): { referenceEdge?: number } {
  const edge = findItem(chunk, 'EdgeIndex', 'int32') ?? -1
  return edge < 0 ? {} : { referenceEdge: edge }
}

/** A point is an object, or lies on one: `RefType` is then another than `point_object`. */
function describeReference(chunk: Chunk, kind: string): string {
  const data = findChunk(chunk, 'ReferenceData')
  const type = data && findText(data, 'RefType')
  const isOnObject = type !== undefined && type !== 'point_object'
  return isOnObject ? `${kind} on an object in a Rhino model (${type})` : `${kind} in a Rhino model`
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const REFERENCE_ITEMS: readonly string[] = ['RefID', 'EdgeIndex', 'ON_Data', 'ON_Version', 'TypeName']

/** Whether the items are those of a reference that was never set. */
function isEmptyReference(chunk: Chunk): boolean {
  if (findRawReference(chunk) === undefined) return false
  return chunk.items.every(({ name }) => REFERENCE_ITEMS.includes(name))
}

/** The id of the object in a Rhino model that the value refers to. */
export function findReferenceId(chunk: Chunk): string | undefined {
  const id = findRawReference(chunk)
  return id === NO_ID ? undefined : id
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
