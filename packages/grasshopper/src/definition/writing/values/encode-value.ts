import {
  type DataValue,
  type Domain,
  decodeNumber,
  type Plane,
  SUMMARISED,
  type ValueType,
  type Xyz,
} from '@meadow/document'
import type { Chunk, Item, ItemValues } from '../../../archive/tree/archive.ts'
import { createItem } from '../../../archive/tree/edit.ts'
import { isGuid, toInt32, toText } from '../../model/coerce.ts'
import { findColour } from '../../model/colour.ts'
import { findGeometryClass, packGeometry } from './pack-geometry.ts'

type Parts = (Item | Chunk)[]

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The content of the Item chunk of a value, as `findPersistentData` reads it. Undefined for a value that no file can hold. */
export function encodeValue(value: DataValue): Parts | undefined {
  if (SUMMARISED.includes(value.type)) return encodeGeometry(value)
  const plain = encodePlain(value)
  return plain && value.referenceId !== undefined ? withReference(plain, value.referenceId) : plain
}

/** Geometry in the definition itself, or the id of an object in a Rhino model. */
function encodeGeometry(value: DataValue): Parts | undefined {
  const { type, geometry, referenceId, referencePart } = value
  const reference = createItem('guid', 'RefID', isGuid(referenceId) ? referenceId : NO_ID)
  const edgeIndex = referencePart?.type === 'edge' ? toInt32(referencePart.index) : -1
  const edge = type === 'curve' ? [createItem('int32', 'EdgeIndex', edgeIndex)] : []
  if (!geometry) return referenceId === undefined ? undefined : [...edge, reference]
  const className = findGeometryClass(value)
  if (className === undefined) return undefined
  return [...edge, createItem('bytearray', 'ON_Data', packGeometry(geometry, className)), reference]
}

function withReference(parts: Parts, referenceId: string): Parts {
  const others = parts.filter(({ name }) => name !== 'RefID')
  return [...others, createItem('guid', 'RefID', isGuid(referenceId) ? referenceId : NO_ID)]
}

function encodePlain(data: DataValue): Parts | undefined {
  switch (data.type) {
    case 'boolean':
      return [createItem('bool', 'boolean', data.value === true)]
    case 'integer':
      return [createItem('int32', 'number', toInt32(data.value))]
    case 'number':
      return [createItem('double', 'number', decodeNumber(data.value))]
    case 'string':
      return [createItem('bool', 'null_string', false), createItem('string', 'string', toText(data.value))]
    case 'colour':
      return [createItem('drawing_color', 'color', findColour(data.value) ?? 0xff000000)]
    case 'domain':
      return [createItem('interval1d', 'Interval', fromDomain(data.value))]
    case 'vector':
      return [createItem('point3d', 'vector', fromXyz(data.value))]
    case 'point':
      return [createItem('point3d', 'Coordinate', fromXyz(data.value))]
    case 'path':
      return [createItem('string', 'path', toText(data.value))]
    default:
      return encodeShape(data)
  }
}

function encodeShape(data: DataValue): Parts | undefined {
  switch (data.type) {
    case 'plane':
      return [createItem('plane', 'plane', fromPlane(data.value))]
    case 'line': {
      const { from, to } = data.value
      return [createItem('line', 'Line', { from: fromXyz(from), to: fromXyz(to) })]
    }
    case 'circle':
      return [
        createItem('plane', 'Plane', fromPlane(data.value.plane)),
        createItem('double', 'Radius', decodeNumber(data.value.radius)),
      ]
    case 'rectangle': {
      const { plane, x, y } = data.value
      return [
        createItem('plane', 'Plane', fromPlane(plane)),
        createItem('interval2d', 'Size', { u: fromDomain(x), v: fromDomain(y) }),
      ]
    }
    case 'box': {
      const { plane, x, y, z } = data.value
      return [
        createItem('plane', 'Plane', fromPlane(plane)),
        createItem('guid', 'RefID', NO_ID),
        createItem('interval1d', 'X', fromDomain(x)),
        createItem('interval1d', 'Y', fromDomain(y)),
        createItem('interval1d', 'Z', fromDomain(z)),
      ]
    }
    default:
      return undefined
  }
}

/** The class of each type of value, which files name in ports that hold values of any type. */
const CLASSES: Partial<Record<ValueType, string>> = {
  boolean: 'GH_Boolean',
  integer: 'GH_Integer',
  number: 'GH_Number',
  string: 'GH_String',
  colour: 'GH_Colour',
  domain: 'GH_Interval',
  vector: 'GH_Vector',
  plane: 'GH_Plane',
  point: 'GH_Point',
  line: 'GH_Line',
  circle: 'GH_Circle',
  rectangle: 'GH_Rectangle',
  box: 'GH_Box',
  curve: 'GH_Curve',
  surface: 'GH_Surface',
  brep: 'GH_Brep',
  mesh: 'GH_Mesh',
  path: 'GH_StructurePath',
}

/** `Grasshopper.Kernel.Types.GH_Number`; undefined for a value without a known class. */
export function findValueClass(value: DataValue): string | undefined {
  const geometryClass = value.geometry && findGeometryClass(value)
  const isOwnKind = geometryClass === 'Extrusion' || geometryClass === 'SubD'
  const name = isOwnKind ? `GH_${geometryClass}` : CLASSES[value.type]
  return name && `Grasshopper.Kernel.Types.${name}`
}

function fromXyz([x, y, z]: Xyz): ItemValues['point3d'] {
  return { x: decodeNumber(x), y: decodeNumber(y), z: decodeNumber(z) }
}

function fromDomain({ start, end }: Domain): ItemValues['interval1d'] {
  return { a: decodeNumber(start), b: decodeNumber(end) }
}

function fromPlane({ origin, xAxis, yAxis }: Plane): ItemValues['plane'] {
  return { origin: fromXyz(origin), xAxis: fromXyz(xAxis), yAxis: fromXyz(yAxis) }
}
