import type { EncodedGeometry } from '@meadow/contract'
import type { Box, Point } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import type { ChunkWriter } from '../opennurbs/chunk-writer.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { encodeWith } from '../opennurbs/encoded-geometry.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { writeXyz } from '../opennurbs/primitives.ts'
import { findBoxBrep } from './box-brep.ts'
import { writeBrep } from './write-brep.ts'
import { writeCurve } from './write-curve.ts'
import { writeMesh } from './write-mesh.ts'
import { writeSurface } from './write-surface.ts'

/**
 * Encodes a geometry as an openNURBS object, in the JSON format of rhino3dm and Rhino Compute (decision 23).
 * Undefined for geometry without an openNURBS object (a plane, a group, a flat box), for numbers that are not
 * finite, and for an inconsistent brep.
 * The bytes are written without the library; tests read them with rhino3dm.
 */
export function encodeGeometry(geometry: Geometry): EncodedGeometry | undefined {
  try {
    return encode(geometry)
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}

function encode(geometry: Geometry): EncodedGeometry | undefined {
  switch (geometry.type) {
    case 'point':
      return encodeWith((writer) => writePoint(writer, geometry))
    case 'line':
    case 'polyline':
    case 'circle':
    case 'arc':
    case 'rectangle':
    case 'nurbsCurve':
    case 'polyCurve':
      return encodeWith((writer) => writeCurve(writer, geometry))
    case 'nurbsSurface':
      return encodeWith((writer) => writeSurface(writer, geometry))
    case 'brep':
      return encodeWith((writer) => writeBrep(writer, geometry))
    case 'mesh':
      return encodeWith((writer) => writeMesh(writer, geometry))
    case 'box':
      return encodeBox(geometry)
    case 'plane':
    case 'group':
      return undefined
  }
}

function writePoint(writer: ChunkWriter, point: Point): void {
  writeObject(writer, CLASS.point, () => {
    writer.byte(0x10)
    writeXyz(writer, point)
  })
}

function encodeBox(box: Box): EncodedGeometry | undefined {
  const brep = findBoxBrep(box)
  return brep && encodeWith((writer) => writeBrep(writer, brep))
}
