import type { DataValue, EncodedGeometry } from '@meadow/document'
import { deflateSync } from 'fflate'
import { toInt32, toText } from '../coerce.ts'
import { findClassName } from './geometry-classes.ts'

/** The oldest RhinoCommon that Grasshopper 1 came with: later ones take what it wrote. */
const LIBRARY = 'RhinoCommon, Version=6.13.19058.371, Culture=neutral, PublicKeyToken=552281e97c755530'
const MEMBERS = ['version', 'archive3dm', 'opennurbs', 'data']

/** The class that stands for a type of value where the bytes don't tell. */
const USUAL_CLASSES: Partial<Record<DataValue['type'], string>> = {
  curve: 'NurbsCurve',
  surface: 'NurbsSurface',
  brep: 'Brep',
  mesh: 'Mesh',
}

/** The name of the RhinoCommon class of a geometric value, `NurbsCurve`; undefined where nothing tells. */
export function findGeometryClass({ type, geometry }: DataValue): string | undefined {
  return (geometry && findClassName(toBytes(geometry))) ?? USUAL_CLASSES[type]
}

/**
 * ON_Data: the record that .NET's BinaryFormatter writes for a RhinoCommon object, deflated.
 * The counterpart of `findRhinoObject`.
 */
export function packGeometry(geometry: EncodedGeometry, className: string): Uint8Array {
  const data = toBytes(geometry)
  const record = Buffer.concat([
    bytes(0),
    int32(1, -1, 1, 0),
    bytes(0x0c),
    int32(2),
    text(LIBRARY),
    bytes(0x05),
    int32(1),
    text(`Rhino.Geometry.${className}`),
    int32(MEMBERS.length),
    ...MEMBERS.map(text),
    bytes(0, 0, 0, 7, 8, 8, 8, 2),
    int32(2, toInt32(geometry.version), toInt32(geometry.archive3dm), toInt32(geometry.opennurbs)),
    bytes(0x09),
    int32(3),
    bytes(0x0f),
    int32(3, data.length),
    bytes(2),
    data,
    bytes(0x0b),
  ])
  return deflateSync(record)
}

function toBytes({ data }: EncodedGeometry): Buffer {
  return Buffer.from(toText(data), 'base64')
}

function bytes(...values: number[]): Buffer {
  return Buffer.from(values)
}

function int32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) buffer.writeInt32LE(value, 4 * i)
  return buffer
}

/** Up to 127 bytes: the length is one byte. */
function text(value: string): Buffer {
  return Buffer.concat([bytes(value.length), Buffer.from(value, 'latin1')])
}
