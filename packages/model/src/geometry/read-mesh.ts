import type { Mesh, MeshFace } from '@meadow/geometry/values/mesh'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Colour } from '@meadow/geometry/values/value'
import { inflateZlib } from '@meadow/inflate'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault, UnsupportedForm } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

/** Source: `ON_Mesh::Read` of openNURBS, versions 3.x. Fails: `ModelFault` for invalid data. */
export function readMesh(data: ChunkReader): Mesh {
  const { major, minor } = data.version()
  if (major !== 3) throw new UnsupportedForm(`a mesh of form ${major}`)
  const vertexCount = data.int32()
  const faceCount = data.int32()
  if (vertexCount < 0 || faceCount < 0) throw new ModelFault('a mesh of less than nothing')
  data.skip(80 + 64 + 4)
  // Skips meshing parameters and curvature statistics, if there are any.
  for (let i = 0; i < 5; i++) if (data.bool()) data.chunkOf(TYPE.anonymous)
  const faces = readFaces(data, faceCount, vertexCount)
  if (vertexCount === 0) return { type: 'mesh', vertices: [], faces }

  const singles = readBuffer(data, 12 * vertexCount)
  const normals = readBuffer(data, 12 * vertexCount)
  readBuffer(data, 8 * vertexCount)
  readBuffer(data, 16 * vertexCount)
  const colours = readBuffer(data, 4 * vertexCount)
  const doubles = minor >= 7 ? readDoubles(data, vertexCount) : undefined
  if (!singles) throw new ModelFault('a mesh without vertices')
  return {
    type: 'mesh',
    vertices: doubles ? toPoints(new Float64Array(doubles)) : toPoints(new Float32Array(singles)),
    faces,
    ...(colours && { colours: toColours(new Uint8Array(colours)) }),
    ...(normals && { normals: toPoints(new Float32Array(normals)) }),
  }
}

function readFaces(data: ChunkReader, count: number, vertexCount: number): MeshFace[] {
  const size = data.int32()
  if (size !== 1 && size !== 2 && size !== 4) throw new ModelFault(`face corners of ${size} bytes`)
  const { bytes, view } = data
  let at = data.skip(4 * size * count)
  const corner = () => {
    const index = size === 1 ? bytes[at]! : size === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
    at += size
    if (index >= vertexCount) throw new UnsupportedForm(`a face at a vertex ${index} that is not there`)
    return index
  }
  return Array.from({ length: count }, () => ({
    type: 'meshFace',
    a: corner(),
    b: corner(),
    c: corner(),
    d: corner(),
  }))
}

/** Reads a buffer; undefined if it is empty. Any other buffer must have exactly this size. */
function readBuffer(data: ChunkReader, size: number): ArrayBuffer | undefined {
  const claimed = data.uint32()
  if (claimed === 0) return undefined
  if (claimed !== size) throw new ModelFault(`a buffer of ${claimed} bytes where ${size} belong`)
  data.skip(4)
  const isCompressed = data.bool()
  if (!isCompressed) {
    const start = data.skip(size)
    return copy(data.bytes.subarray(start, start + size))
  }
  const { body } = data.chunkOf(TYPE.anonymous)
  return inflate(body.bytes.subarray(body.at, body.at + body.remaining), size)
}

function inflate(packed: Uint8Array, size: number): ArrayBuffer {
  const { end, bytes } = inflateZlib(packed, size)
  if (end !== 'whole') throw new ModelFault('a buffer that does not inflate')
  if (bytes.length !== size) throw new ModelFault('a buffer that inflates to too little')
  return copy(bytes)
}

/** Copies bytes, because typed arrays must be aligned. */
function copy(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}

/** Reads the vertices in double precision, which follow the surface parameters and the mapping from version 3.7 on. */
function readDoubles(data: ChunkReader, vertexCount: number): ArrayBuffer | undefined {
  data.skip(4 + 16)
  readBuffer(data, 16 * vertexCount)
  data.chunkOf(TYPE.anonymous)
  data.skip(3)
  const hasPolygons = data.bool()
  if (hasPolygons) data.chunkOf(TYPE.anonymous)
  if (!data.bool()) return undefined
  const { body } = data.chunkOf(TYPE.anonymous)
  body.skip(8)
  return body.int32() === vertexCount ? readBuffer(body, 24 * vertexCount) : undefined
}

function toPoints(numbers: Float32Array | Float64Array): Xyz[] {
  if (!numbers.every(Number.isFinite)) throw new ModelFault('a vertex that is not finite')
  return Array.from({ length: numbers.length / 3 }, (_, i) => ({
    x: numbers[3 * i]!,
    y: numbers[3 * i + 1]!,
    z: numbers[3 * i + 2]!,
  }))
}

/** In openNURBS alpha is the transparency: 0 is opaque. */
function toColours(bytes: Uint8Array): Colour[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => ({
    type: 'colour',
    red: bytes[4 * i]!,
    green: bytes[4 * i + 1]!,
    blue: bytes[4 * i + 2]!,
    alpha: 255 - bytes[4 * i + 3]!,
  }))
}
