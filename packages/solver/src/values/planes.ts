import type { Plane, Point, Xyz } from './points.ts'
import { point } from './points.ts'
import {
  addScaled,
  cross,
  dot,
  findPerpendicular,
  findUnit,
  ORIGIN,
  scale,
  subtract,
  X_AXIS,
  Y_AXIS,
  Z_AXIS,
} from './vector.ts'

export function plane(origin: Xyz, xAxis: Xyz, yAxis: Xyz, zAxis: Xyz): Plane {
  return { type: 'plane', origin, xAxis, yAxis, zAxis }
}

export const WORLD_XY = plane(ORIGIN, X_AXIS, Y_AXIS, Z_AXIS)

/** Parallel to the world's XY plane. */
export function xyPlane(origin: Xyz): Plane {
  return plane(origin, X_AXIS, Y_AXIS, Z_AXIS)
}

/**
 * The plane whose x axis is `xDirection`, with `yDirection` on the side of its y axis.
 * Undefined where the two are parallel or one has no length.
 */
export function findPlaneFromAxes(origin: Xyz, xDirection: Xyz, yDirection: Xyz): Plane | undefined {
  const xAxis = findUnit(xDirection)
  if (!xAxis) return undefined
  const yAxis = findUnit(addScaled(yDirection, xAxis, -dot(yDirection, xAxis)))
  return yAxis && plane(origin, xAxis, yAxis, cross(xAxis, yAxis))
}

/** The plane square to `normal`; its x axis as openNURBS chooses it. Undefined for a normal without length. */
export function findPlaneFromNormal(origin: Xyz, normal: Xyz): Plane | undefined {
  const zAxis = findUnit(normal)
  const xAxis = zAxis && findPerpendicular(zAxis)
  return zAxis && xAxis && plane(origin, xAxis, cross(zAxis, xAxis), zAxis)
}

/** The place in space at (u, v, w) along the plane's axes. */
export function pointAt({ origin, xAxis, yAxis, zAxis }: Plane, u: number, v: number, w = 0): Point {
  return point(
    origin.x + xAxis.x * u + yAxis.x * v + zAxis.x * w,
    origin.y + xAxis.y * u + yAxis.y * v + zAxis.y * w,
    origin.z + xAxis.z * u + yAxis.z * v + zAxis.z * w,
  )
}

/** The coordinates of a place along the plane's axes. */
export function toLocal({ origin, xAxis, yAxis, zAxis }: Plane, location: Xyz): Xyz {
  const offset = subtract(location, origin)
  return { x: dot(offset, xAxis), y: dot(offset, yAxis), z: dot(offset, zAxis) }
}

/** Turned over: y becomes x, x becomes y, the normal points the other way. */
export function flipPlane({ origin, xAxis, yAxis, zAxis }: Plane): Plane {
  return plane(origin, yAxis, xAxis, scale(zAxis, -1))
}
