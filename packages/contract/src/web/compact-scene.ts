import type { Scene, SceneBatch, SceneHeader, SceneSpan } from './scene.ts'

/**
 * A scene for a first sight: a tenth of the bytes. Positions are rounded to a grid. Normals are left out, since the reader
 * computes them from the faces. For the player, types, measures, branches and ids are left out too. The bytes, all numbers
 * little-endian:
 *
 *     0   "MDC1"
 *     4   uint32: the length of the header in bytes
 *     8   the header: JSON in UTF-8
 *     …   the numbers of all streams, in the order of `streams`
 *
 * A stream holds integers as what is left of them after a prediction from integers before: number `i` is predicted as
 * `v[i-1] + v[i-lag] - v[i-lag-1]` (with a lag of 1: `v[i-1]`), which is nearly exact on the regular grids that surfaces
 * are drawn as. What is left is stored as a sign and a magnitude, `2n` or `-2n - 1`, byte by byte: the lowest bytes of all
 * numbers, then the next ones. So it compresses well.
 */
export interface CompactHeader extends Omit<SceneHeader, 'batches' | 'solutionId'> {
  batches: CompactBatch[]
  grid: { origin: [number, number, number]; step: number }
  streams: CompactStream[]
}

/** A batch whose numbers are indices of streams. Positions have one stream for each axis. */
export type CompactBatch = Pick<SceneBatch, 'kind' | 'role'> & {
  /** The number of the port, from 0 on. */
  port: number
  positions: [x: number, y: number, z: number]
  starts: number
  indices?: number
  colours?: number
  /** What the values are. Left out for the player, where the number of the port stands for its ids. */
  values?: Pick<SceneBatch, 'nodeInstanceId' | 'portInstanceId' | 'branches'> & {
    types?: number
    /** The bits of float32 numbers. */
    measures?: number
  }
}

export interface CompactStream {
  length: number
  lag: number
  /** How many of the four bytes of each number are stored; the others are 0. */
  bytes: number
}

export const COMPACT_MAGIC = 'MDC1'
/** The offset of the header, in bytes. */
export const COMPACT_HEADER_AT = 8

/** Whether these are the bytes of a compact scene. */
export const isCompactScene = (bytes: Uint8Array): boolean =>
  new TextDecoder().decode(bytes.subarray(0, COMPACT_MAGIC.length)) === COMPACT_MAGIC

/** Reads a compact scene; without ids in it, numbers stand for them. Throws a `RangeError` for other bytes. */
export function readCompactScene(bytes: Uint8Array): Scene {
  const text = new TextDecoder()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isCompactScene(bytes)) throw new RangeError('Not a compact scene.')
  const start = COMPACT_HEADER_AT + view.getUint32(4, true)
  const header: CompactHeader = JSON.parse(text.decode(bytes.subarray(COMPACT_HEADER_AT, start)))
  let at = start
  const streams = header.streams.map((stream) => {
    const numbers = readStream(bytes.subarray(at), stream)
    at += stream.length * stream.bytes
    return numbers
  })
  const arrays: (Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)[] = []
  /** Returns a span whose offset is the index of the array in `arrays`. */
  const add = (array: (typeof arrays)[number]): SceneSpan => ({
    offset: arrays.push(array) - 1,
    length: array.length,
  })
  const toUint32 = (stream: number) => new Uint32Array(streams[stream]!.buffer)
  const batches = header.batches.map((batch): SceneBatch => {
    const { port, positions, starts, indices, colours, values, ...rest } = batch
    const { types, measures, ...ids } = values ?? {
      ...{ nodeInstanceId: String(port), portInstanceId: String(port), branches: [] },
    }
    const points = readPositions(positions, streams, header.grid)
    const corners = indices === undefined ? undefined : toUint32(indices)
    return {
      ...rest,
      ...ids,
      positions: add(points),
      starts: add(toUint32(starts)),
      ...(corners && { indices: add(corners) }),
      ...(corners && rest.kind === 'triangles' && { normals: add(computeNormals(points, corners)) }),
      ...(colours !== undefined && { colours: add(toUint32(colours)) }),
      ...(types !== undefined && { types: add(toUint32(types)) }),
      ...(measures !== undefined && { measures: add(new Float32Array(streams[measures]!.buffer)) }),
    }
  })
  const { grid: _, streams: __, ...properties } = header
  return {
    ...properties,
    batches,
    floats: ({ offset }) => arrays[offset] as Float32Array<ArrayBuffer>,
    integers: ({ offset }) => arrays[offset] as Uint32Array<ArrayBuffer>,
  }
}

function readStream(
  bytes: Uint8Array,
  { length, lag, bytes: width }: CompactStream,
): Int32Array<ArrayBuffer> {
  const values = new Int32Array(length)
  for (let i = 0; i < length; i++) {
    let left = 0
    for (let byte = 0; byte < width; byte++) left |= bytes[byte * length + i]! << (8 * byte)
    values[i] = predictNumber(values, i, lag) + ((left >>> 1) ^ -(left & 1))
  }
  return values
}

/** Predicts the i-th number from those before it. Sums wrap around as 32-bit integers do. */
export function predictNumber(values: Int32Array, i: number, lag: number): number {
  const last = i > 0 ? values[i - 1]! : 0
  if (lag === 1 || i <= lag) return last
  return (last + values[i - lag]! - values[i - lag - 1]!) | 0
}

function readPositions(
  axes: CompactBatch['positions'],
  streams: readonly Int32Array[],
  { origin, step }: CompactHeader['grid'],
): Float32Array<ArrayBuffer> {
  const count = streams[axes[0]]!.length
  const positions = new Float32Array(3 * count)
  for (const [axis, stream] of axes.entries()) {
    const values = streams[stream]!
    for (let i = 0; i < count; i++) positions[3 * i + axis] = origin[axis]! + values[i]! * step
  }
  return positions
}

/** Computes the normals of the vertices, each as the mean of the normals of its faces, weighted by their areas. */
function computeNormals(positions: Float32Array, indices: Uint32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(positions.length)
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [3 * indices[i]!, 3 * indices[i + 1]!, 3 * indices[i + 2]!] as const
    const [x, y, z] = computeFaceNormal(positions, corners)
    for (const corner of corners) {
      normals[corner]! += x
      normals[corner + 1]! += y
      normals[corner + 2]! += z
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1
    for (let axis = 0; axis < 3; axis++) normals[i + axis]! /= length
  }
  return normals
}

/** Returns the normal of a face, with a length of twice its area. `a`, `b` and `c` are where its corners start. */
export function computeFaceNormal(
  p: Float32Array,
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!]
  const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!]
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}
