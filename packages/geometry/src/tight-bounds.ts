import { isParallelogram } from './breps/face-integrals.ts'
import { getFacePart } from './breps/face-part.ts'
import { findCurveMaximumAlong, findMaximumAlong } from './surfaces/surface-bounds.ts'
import { applyTransform } from './transform/apply-transform.ts'
import { createTransform } from './transform/matrix.ts'
import type { Bounds } from './values/bounding-box.ts'
import { findBounds, findBoundsOfPoints, listBoxCorners, unite } from './values/bounding-box.ts'
import type { Plane, Xyz } from './values/points.ts'
import type { Geometry } from './values/value.ts'
import { dot, scale, X_AXIS, Y_AXIS, Z_AXIS } from './values/vector.ts'

const AXES = [X_AXIS, Y_AXIS, Z_AXIS] as const

/**
 * The bounding box in the coordinates of a plane. Tight for NURBS curves and surfaces; for trimmed faces that
 * are not flat it is that of the part of the surface around the outer loop.
 */
export function findTightBounds(
  geometry: Geometry,
  { origin, xAxis, yAxis, zAxis }: Plane,
): Bounds | undefined {
  const intoPlane = createTransform(
    [xAxis, yAxis, zAxis].map(({ x, y, z }, i) => [x, y, z, -dot(origin, [xAxis, yAxis, zAxis][i] as Xyz)]),
  )
  const moved = applyTransform(geometry, intoPlane)
  return moved && measure(moved)
}

function measure(geometry: Geometry): Bounds | undefined {
  switch (geometry.type) {
    case 'nurbsCurve':
      return createBounds((direction) => findCurveMaximumAlong(geometry, direction))
    case 'nurbsSurface':
      return createBounds((direction) => findMaximumAlong(geometry, direction))
    case 'polyCurve':
      return unite(geometry.segments.map(measure))
    case 'group':
      return unite(geometry.members.map(measure))
    case 'box':
      return findBoundsOfPoints(listBoxCorners(geometry))
    case 'brep': {
      const bent = geometry.faces.filter(({ surface }) => !isParallelogram(surface))
      return unite([
        ...geometry.edges.map(({ curve }) => measure(curve)),
        ...bent.map((face) => measure(getFacePart(face))),
      ])
    }
    default:
      return findBounds(geometry)
  }
}

function createBounds(getFurthest: (direction: Xyz) => number): Bounds {
  const [x, y, z] = AXES.map(getFurthest)
  const [negativeX, negativeY, negativeZ] = AXES.map((axis) => -getFurthest(scale(axis, -1)))
  return {
    min: { x: negativeX as number, y: negativeY as number, z: negativeZ as number },
    max: { x: x as number, y: y as number, z: z as number },
  }
}
