import { crc32 } from 'node:zlib'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Colour } from '@meadow/geometry/values/value'
import type { ChunkWriter } from '../opennurbs/chunk-writer.ts'
import { CLASS, NIL_ID } from '../opennurbs/class-ids.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

/** The number that openNURBS uses for "not set". */
const UNSET = -1.23432101234321e308

/**
 * Writes a mesh with vertices in double and single precision, and normals and colours if it has them.
 * Source: `ON_Mesh::Write` of openNURBS, version 3.8.
 */
export function writeMesh(writer: ChunkWriter, mesh: Mesh): void {
  const { vertices, faces, normals, colours } = mesh
  writeObject(writer, CLASS.mesh, () => {
    writer.byte(0x38)
    writer.int32(vertices.length)
    writer.int32(faces.length)
    for (let i = 0; i < 10; i++) writer.float64(UNSET)
    writeBoxes(writer, vertices)
    writer.int32(-1)
    writer.bytes(new Uint8Array(5))
    writeFaces(writer, mesh)
    if (vertices.length > 0) {
      writeBuffer(writer, toFloats(vertices))
      writeBuffer(writer, toFloats(normals ?? []))
      writeBuffer(writer, new Uint8Array())
      writeBuffer(writer, new Uint8Array())
      writeBuffer(writer, toColours(colours ?? []))
    }
    writer.int32(0)
    writer.uuid(NIL_ID)
    if (vertices.length > 0) writeBuffer(writer, new Uint8Array())
    writeMappingTag(writer)
    writer.bytes(new Uint8Array(4))
    writeDoubles(writer, vertices)
    writer.float64(...getBox(vertices).flat())
  })
}

type Box = [min: [number, number, number], max: [number, number, number]]

function getBox(vertices: readonly Xyz[]): Box {
  if (vertices.length === 0)
    return [
      [UNSET, UNSET, UNSET],
      [UNSET, UNSET, UNSET],
    ]
  const box: Box = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  for (const { x, y, z } of vertices) {
    box[0] = [Math.min(box[0][0], x), Math.min(box[0][1], y), Math.min(box[0][2], z)]
    box[1] = [Math.max(box[1][0], x), Math.max(box[1][1], y), Math.max(box[1][2], z)]
  }
  return box
}

/** The bounding boxes of vertices, normals and texture coordinates; readers compute unknown ones. */
function writeBoxes(writer: ChunkWriter, vertices: readonly Xyz[]): void {
  if (vertices.length === 0) writer.float32(1, 1, 1, -1, -1, -1)
  else writer.float32(...getBox(vertices).flat())
  writer.float32(1, 1, 1, -1, -1, -1)
  writer.float32(1, 1, -1, -1)
}

/** Writes vertex indices in as few bytes as the number of vertices requires. */
function writeFaces(writer: ChunkWriter, { vertices, faces }: Mesh): void {
  const [size, Corners] =
    vertices.length < 256
      ? ([1, Uint8Array] as const)
      : vertices.length < 65_536
        ? ([2, Uint16Array] as const)
        : ([4, Uint32Array] as const)
  const corners = new Corners(4 * faces.length)
  faces.forEach(({ a, b, c, d }, i) => {
    corners.set([a, b, c, d], 4 * i)
  })
  writer.int32(size)
  writer.bytes(toBytes(corners))
}

function toBytes({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Doubles outside the range of single precision become infinite. */
function toFiniteBytes(numbers: Float32Array | Float64Array): Uint8Array {
  if (!numbers.every(Number.isFinite)) throw new ModelFault('a vertex that is not finite')
  return toBytes(numbers)
}

function toFloats(points: readonly Xyz[]): Uint8Array {
  const floats = new Float32Array(3 * points.length)
  points.forEach(({ x, y, z }, i) => {
    floats.set([x, y, z], 3 * i)
  })
  return toFiniteBytes(floats)
}

/** In openNURBS alpha is the transparency: 0 is opaque. */
function toColours(colours: readonly Colour[]): Uint8Array {
  const bytes = new Uint8Array(4 * colours.length)
  colours.forEach(({ red, green, blue, alpha }, i) => {
    bytes.set([red, green, blue, 255 - alpha], 4 * i)
  })
  return bytes
}

/** Writes bytes uncompressed: the library compresses files that it writes, and a thread that may be ended must not. */
function writeBuffer(writer: ChunkWriter, bytes: Uint8Array): void {
  writer.uint32(bytes.length)
  if (bytes.length === 0) return
  writer.uint32(crc32(bytes))
  writer.byte(0)
  writer.bytes(bytes)
}

/** Writes that there is no texture mapping: nil ids and an identity transform. */
function writeMappingTag(writer: ChunkWriter): void {
  writer.chunk(TYPE.anonymous, () => {
    writer.int32(1)
    writer.int32(1)
    writer.uuid(NIL_ID)
    writer.int32(0)
    for (let i = 0; i < 16; i++) writer.float64(i % 5 === 0 ? 1 : 0)
    writer.int32(0)
  })
}

function writeDoubles(writer: ChunkWriter, vertices: readonly Xyz[]): void {
  writer.byte(vertices.length > 0 ? 1 : 0)
  if (vertices.length === 0) return
  const doubles = new Float64Array(3 * vertices.length)
  vertices.forEach(({ x, y, z }, i) => {
    doubles.set([x, y, z], 3 * i)
  })
  writer.chunk(TYPE.anonymous, () => {
    writer.int32(1)
    writer.int32(0)
    writer.int32(vertices.length)
    writeBuffer(writer, toFiniteBytes(doubles))
  })
}
