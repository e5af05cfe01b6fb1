import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Geometry, Transform } from '@meadow/geometry/values/value'
import { findCurve } from '../geometry/read-curve.ts'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { readPlane, readXyz } from '../opennurbs/primitives.ts'

/** The loops of a hatch as curves in its plane. Source: `ON_Hatch::Write`. Fails: `ModelFault`. */
export function readHatchLoops(data: ChunkReader): Geometry[] {
  data.version()
  const place = toTransform(readPlane(data))
  // Skips the scale, rotation and index of the pattern.
  data.skip(20)
  return Array.from({ length: data.count(MIN_LOOP_BYTES) }, () => readLoop(data)).flatMap((curve) => {
    const placed = curve && applyTransform(curve, place)
    return placed ? [placed] : []
  })
}

/** The smallest size of a loop: a version, a type, and an object with its id. */
const MIN_LOOP_BYTES = 33

/** Source: `ON_HatchLoop::Write`. Undefined for a curve of a class that is not read. */
function readLoop(data: ChunkReader): Geometry | undefined {
  data.version()
  data.skip(4)
  const { classId, data: curve } = readObject(data)
  return findCurve(classId, curve)
}

/** Returns the transform from coordinates in a plane to world coordinates. */
function toTransform({ origin, xAxis, yAxis, zAxis }: Plane): Transform {
  const row = (axis: keyof Xyz) => [xAxis[axis], yAxis[axis], zAxis[axis], origin[axis]]
  return { type: 'transform', matrix: [...row('x'), ...row('y'), ...row('z'), 0, 0, 0, 1] }
}

/** The points of a cloud. Source: `ON_PointCloud::Write`. Fails: `ModelFault`. */
export function readCloudPoints(data: ChunkReader): Xyz[] {
  data.version()
  return Array.from({ length: data.count(24) }, () => readXyz(data))
}

/** The place of a text dot. Source: `ON_TextDot::Write`. Fails: `ModelFault`. */
export function readDotPoint(data: ChunkReader): Xyz {
  data.version()
  return readXyz(data)
}
