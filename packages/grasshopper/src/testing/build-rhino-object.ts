import { deflateRawSync } from 'node:zlib'

/** ON_Data as Grasshopper packs it, around any bytes. */
export function buildPackedGeometry(className: string, data: Uint8Array): Uint8Array {
  return deflateRawSync(buildRhinoObject(className, data))
}

/** The record of .NET's BinaryFormatter for one RhinoCommon object. */
export function buildRhinoObject(className: string, data: Uint8Array): Uint8Array {
  const members = ['version', 'archive3dm', 'opennurbs', 'data']
  return Buffer.concat([
    bytes(0),
    ...[1, -1, 1, 0].map(int32),
    bytes(0x0c),
    int32(2),
    text('RhinoCommon, Version=7.0.0.0'),
    bytes(0x05),
    int32(1),
    text(className),
    int32(members.length),
    ...members.map(text),
    bytes(0, 0, 0, 7, 8, 8, 8, 2),
    int32(2),
    ...[10000, 60, 2345].map(int32),
    bytes(0x09),
    int32(3),
    bytes(0x0f),
    int32(3),
    int32(data.length),
    bytes(2),
    data,
    bytes(0x0b),
  ])
}

function bytes(...values: number[]): Buffer {
  return Buffer.from(values)
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32LE(value)
  return buffer
}

/** Up to 127 bytes: the length is one byte. */
function text(value: string): Buffer {
  return Buffer.concat([bytes(value.length), Buffer.from(value, 'utf8')])
}
