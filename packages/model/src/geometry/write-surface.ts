import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { ChunkWriter } from '../opennurbs/chunk-writer.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { writeUnknownBox } from '../opennurbs/primitives.ts'
import { writeControlPoint } from './write-curve.ts'

export function writeSurface(writer: ChunkWriter, surface: NurbsSurface): void {
  const { degreeU, degreeV, points, weights, knotsU, knotsV } = surface
  const countV = points[0]?.length ?? 0
  writeObject(writer, CLASS.nurbsSurface, () => {
    writer.byte(0x10)
    writer.int32(3)
    writer.int32(weights ? 1 : 0)
    writer.int32(degreeU + 1)
    writer.int32(degreeV + 1)
    writer.int32(points.length)
    writer.int32(countV)
    writer.int32(0)
    writer.int32(0)
    writeUnknownBox(writer)
    writer.float64Array(knotsU)
    writer.float64Array(knotsV)
    writer.int32(points.length * countV)
    points.forEach((row, i) => {
      row.forEach((point, j) => {
        writeControlPoint(writer, point, weights?.[i]?.[j])
      })
    })
  })
}
