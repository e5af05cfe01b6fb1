import { findPlaneFromAxes } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Transform } from '../values/value.ts'
import { dot, length } from '../values/vector.ts'
import { transformDirection, transformPoint } from './matrix.ts'

/**
 * Transforms a plane: x follows the old x axis, y is on the side of the old y axis. The plane stays right-
 * handed, so mirroring shows its other side. Undefined for collinear axes.
 * Source: `ON_Plane::Transform`.
 */
export function findTransformedPlane(plane: Plane, transform: Transform): Plane | undefined {
  return findFrame(plane, transform)?.plane
}

/** A transformed plane, and the effect of the transform on lengths and right angles along its axes. */
export interface TransformedFrame {
  readonly plane: Plane
  /** The scale factors along x and y, which are positive, and along z, negative where z is reversed. */
  readonly factors: Xyz
  /** Whether x and y stay perpendicular to each other. */
  readonly isSquare: boolean
  /** Whether z stays perpendicular to both. */
  readonly isUpright: boolean
}

/** The relative tolerance for perpendicular directions and equal factors. */
const NOISE = 1e-9

export function findFrame(plane: Plane, transform: Transform): TransformedFrame | undefined {
  const [x, y, z] = [plane.xAxis, plane.yAxis, plane.zAxis].map((axis) =>
    transformDirection(transform, axis),
  ) as [Xyz, Xyz, Xyz]
  const moved = findPlaneFromAxes(transformPoint(transform, plane.origin), x, y)
  if (!moved) return undefined
  const factors = { x: length(x), y: length(y), z: dot(z, moved.zAxis) }
  return { plane: moved, factors, isSquare: areSquare(x, y), isUpright: areSquare(x, z) && areSquare(y, z) }
}

/** Whether circles in the plane stay circles. */
export function preservesCircles({ factors, isSquare }: TransformedFrame): boolean {
  return isSquare && Math.abs(factors.x - factors.y) <= NOISE * Math.max(factors.x, factors.y)
}

function areSquare(a: Xyz, b: Xyz): boolean {
  return Math.abs(dot(a, b)) <= NOISE * length(a) * length(b)
}
