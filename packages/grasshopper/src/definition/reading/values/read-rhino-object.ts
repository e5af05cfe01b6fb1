import type { EncodedGeometry } from '@meadow/document'

/** A RhinoCommon object as .NET's BinaryFormatter wrote it. */
export interface RhinoObject {
  /** `Rhino.Geometry.NurbsCurve` */
  className: string
  geometry: EncodedGeometry
}

/** A class with four members: three int32 and a reference to a byte array (records 5, 8, 9 and 15 of MS-NRBF). */
const MEMBERS = ['version', 'archive3dm', 'opennurbs', 'data']
const MEMBER_TYPES = [0, 0, 0, 7, 8, 8, 8, 2]

/**
 * Reads the one shape of record that Grasshopper writes for geometry; undefined for any other bytes.
 * `data` is an openNURBS object, which `CommonObject.decode` of rhino3dm takes as it is (decision 23).
 */
export function findRhinoObject(bytes: Uint8Array): RhinoObject | undefined {
  try {
    return readRecord(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined // past the end
    throw error
  }
}

function readRecord(bytes: Uint8Array): RhinoObject | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const byte = () => buffer.readUInt8(at++)
  const int32 = () => {
    at += 4
    return buffer.readInt32LE(at - 4)
  }
  const take = (length: number) => {
    if (length < 0 || length > buffer.length - at) throw new RangeError('Past the end')
    at += length
    return buffer.subarray(at - length, at)
  }
  const text = () => {
    let length = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const group = byte()
      length |= (group & 0x7f) << shift
      if (group < 0x80) break
    }
    return take(length).toString('utf8')
  }
  const expect = (...values: number[]) => values.every((value) => byte() === value)

  if (!expect(0)) return undefined
  take(16) // ids of the root and version of the stream
  if (!expect(0x0c)) return undefined
  int32()
  text() // the assembly: RhinoCommon with its version
  if (!expect(0x05)) return undefined
  int32()
  const className = text()
  if (int32() !== MEMBERS.length || !MEMBERS.every((name) => text() === name)) return undefined
  if (!expect(...MEMBER_TYPES)) return undefined
  int32()
  const [version, archive3dm, opennurbs] = [int32(), int32(), int32()]
  if (!expect(0x09)) return undefined
  int32()
  if (!expect(0x0f)) return undefined
  int32()
  const length = int32()
  if (!expect(2)) return undefined
  const data = take(length).toString('base64')
  return { className, geometry: { version, archive3dm, opennurbs, data } }
}
