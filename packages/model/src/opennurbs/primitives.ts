import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'

export function writeXyz(writer: ChunkWriter, { x, y, z }: Xyz): void {
  writer.float64(x, y, z)
}

export function readXyz(reader: ChunkReader): Xyz {
  const x = reader.float64()
  const y = reader.float64()
  return { x, y, z: reader.float64() }
}

/** Writes the origin, the axes, and the plane equation, which follows from them. */
export function writePlane(writer: ChunkWriter, { origin, xAxis, yAxis, zAxis }: Plane): void {
  for (const part of [origin, xAxis, yAxis, zAxis, zAxis]) writeXyz(writer, part)
  writer.float64(-(zAxis.x * origin.x + zAxis.y * origin.y + zAxis.z * origin.z))
}

export function readPlane(reader: ChunkReader): Plane {
  const origin = readXyz(reader)
  const xAxis = readXyz(reader)
  const yAxis = readXyz(reader)
  const zAxis = readXyz(reader)
  reader.skip(32)
  return { type: 'plane', origin, xAxis, yAxis, zAxis }
}

/** Writes the box that openNURBS uses for unknown: its minimum is above its maximum. */
export function writeUnknownBox(writer: ChunkWriter): void {
  writer.float64(1, 0, 0, -1, 0, 0)
}
