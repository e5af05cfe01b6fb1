import type { EncodedGeometry } from '@meadow/contract'
import type { Geometry } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault, UnsupportedForm } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { openEncoded } from '../opennurbs/open-encoded.ts'
import { readXyz } from '../opennurbs/primitives.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { readBrep } from './read-brep.ts'
import { findCurve, readCurve } from './read-curve.ts'
import { readMesh } from './read-mesh.ts'
import { findSurface } from './read-surface.ts'

/**
 * Decodes an openNURBS object as a value of a graph: points, curves, surfaces, breps and meshes. Undefined
 * for other classes (an extrusion, a block), for objects without an exact form among the values of a graph, and
 * for invalid bytes. Never throws; memory and time are linear in the bytes.
 */
export function decodeGeometry(encoded: EncodedGeometry): Geometry | undefined {
  try {
    return readGeometry(encoded)
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}

/**
 * Whether the object is well-formed as far as it is read here, and thus safe for the library. Of damaged
 * objects passed to the library, one in fourteen blocked it for seconds.
 */
export function isSound(encoded: EncodedGeometry): boolean {
  try {
    const { classId, data } = readObject(openEncoded(encoded))
    if (classId === CLASS.extrusion) readProfile(data)
    else readGeometryOf(classId, data)
    return true
  } catch (error) {
    if (error instanceof UnsupportedForm) return true
    if (error instanceof ModelFault) return false
    throw error
  }
}

/** Reads a geometry. Fails: `ModelFault` with the reason. */
function readGeometry(encoded: EncodedGeometry): Geometry | undefined {
  const { classId, data } = readObject(openEncoded(encoded))
  return readGeometryOf(classId, data)
}

function readGeometryOf(classId: string, data: ChunkReader): Geometry | undefined {
  switch (classId) {
    case CLASS.point:
      return readPoint(data)
    case CLASS.mesh:
      return readMesh(data)
    case CLASS.brep:
      return readBrep(data)
    default:
      return findCurve(classId, data) ?? findSurface(classId, data)?.surface
  }
}

/** Reads the profile curve of an extrusion, the part that can be damaged. */
function readProfile(data: ChunkReader): void {
  const { body } = data.chunkOf(TYPE.anonymous)
  body.skip(8)
  readCurve(body)
}

function readPoint(data: ChunkReader): Geometry {
  data.version()
  return { type: 'point', ...readXyz(data) }
}
