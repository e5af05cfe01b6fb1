import type { DataValue, EncodedGeometry } from '@meadow/document'
import { deflateSync } from 'fflate'
import { toInt32, toText } from '../../model/coerce.ts'

/** The oldest RhinoCommon with Grasshopper 1; later versions read what it wrote. */
const LIBRARY = 'RhinoCommon, Version=6.13.19058.371, Culture=neutral, PublicKeyToken=552281e97c755530'
const MEMBERS = ['version', 'archive3dm', 'opennurbs', 'data']

/** The class for a type of value if the bytes do not determine it. */
const USUAL_CLASSES: Partial<Record<DataValue['type'], string>> = {
  curve: 'NurbsCurve',
  surface: 'NurbsSurface',
  brep: 'Brep',
  mesh: 'Mesh',
}

/** The name of the RhinoCommon class of a geometric value, `NurbsCurve`; undefined if it cannot be determined. */
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

/** Encodes a text of up to 127 bytes, whose length is one byte. */
function text(value: string): Buffer {
  return Buffer.concat([bytes(value.length), Buffer.from(value, 'latin1')])
}

/**
 * The RhinoCommon class of each openNURBS class, by class id. Rhino uses further ids for some classes.
 * Source: `ON_OBJECT_IMPLEMENT` in openNURBS, consistent with files.
 */
const CLASS_NAMES = new Map([
  ['c3101a1d-f157-11d3-bfe7-0010830122f0', 'Point'],
  ['2488f347-f8fa-11d3-bfec-0010830122f0', 'PointCloud'],
  ['4ed7d4db-e947-11d3-bfe5-0010830122f0', 'LineCurve'],
  ['4ed7d4e6-e947-11d3-bfe5-0010830122f0', 'PolylineCurve'],
  ['cf33be2a-09b4-11d4-bffb-0010830122f0', 'ArcCurve'],
  ['4ed7d4e0-e947-11d3-bfe5-0010830122f0', 'PolyCurve'],
  ['4ed7d4dd-e947-11d3-bfe5-0010830122f0', 'NurbsCurve'],
  ['5eaf1119-0b51-11d4-bffe-0010830122f0', 'NurbsCurve'],
  ['4ed7d4de-e947-11d3-bfe5-0010830122f0', 'NurbsSurface'],
  ['4760c817-0be3-11d4-bffe-0010830122f0', 'NurbsSurface'],
  ['4ed7d4df-e947-11d3-bfe5-0010830122f0', 'PlaneSurface'],
  ['a16220d3-163b-11d4-8000-0010830122f0', 'RevSurface'],
  ['c4cd5359-446d-4690-9ff5-29059732472b', 'SumSurface'],
  ['60b5dbc5-e660-11d3-bfe4-0010830122f0', 'Brep'],
  ['f06fc243-a32a-4608-9dd8-a7d2c4ce2a36', 'Brep'],
  ['36f53175-72b8-4d47-bf1f-b4e6fc24f4b9', 'Extrusion'],
  ['4ed7d4e4-e947-11d3-bfe5-0010830122f0', 'Mesh'],
  ['f09ba4d9-455b-42c3-ba3b-e6ccacef853b', 'SubD'],
  ['f9cfb638-b9d4-4340-87e3-c56e7865d96a', 'InstanceReferenceGeometry'],
])

/** The chunk that holds the id of an object's class. */
const CLASS_ID_CHUNK = 0x0002fffb
/** An object's chunk starts with a type code and a length of 4 bytes, of 8 in archives from version 50 on. */
const LENGTHS = [8, 4]

/** The name of the RhinoCommon class of an openNURBS object; undefined for other bytes. */
function findClassName(data: Buffer): string | undefined {
  for (const length of LENGTHS) {
    const at = 4 + length
    if (data.length < at + 4 + length + 16 || data.readUInt32LE(at) !== CLASS_ID_CHUNK) continue
    const id = data.subarray(at + 4 + length, at + 4 + length + 16)
    return CLASS_NAMES.get(formatId(id))
  }
  return undefined
}

function formatId(id: Buffer): string {
  const first = id.readUInt32LE(0).toString(16).padStart(8, '0')
  const [second, third] = [4, 6].map((at) => id.readUInt16LE(at).toString(16).padStart(4, '0'))
  return `${first}-${second}-${third}-${id.toString('hex', 8, 10)}-${id.toString('hex', 10)}`
}
