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

/** A plane parallel to world XY. */
export function xyPlane(origin: Xyz): Plane {
  return plane(origin, X_AXIS, Y_AXIS, Z_AXIS)
}

/**
 * A plane with the x axis `xDirection`, and `yDirection` on the side of its y axis. Undefined for parallel
 * directions or directions without length.
 */
export function findPlaneFromAxes(origin: Xyz, xDirection: Xyz, yDirection: Xyz): Plane | undefined {
  const xAxis = findUnit(xDirection)
  if (!xAxis) return undefined
  const yAxis = findUnit(addScaled(yDirection, xAxis, -dot(yDirection, xAxis)))
  return yAxis && plane(origin, xAxis, yAxis, cross(xAxis, yAxis))
}

/**
 * A plane perpendicular to `normal`, with the x axis that openNURBS chooses. Undefined for a normal without
 * length.
 */
export function findPlaneFromNormal(origin: Xyz, normal: Xyz): Plane | undefined {
  const zAxis = findUnit(normal)
  const xAxis = zAxis && findPerpendicular(zAxis)
  return zAxis && xAxis && plane(origin, xAxis, cross(zAxis, xAxis), zAxis)
}

/** The point in space at (u, v, w) along the plane's axes. */
export function pointAt({ origin, xAxis, yAxis, zAxis }: Plane, u: number, v: number, w = 0): Point {
  return point(
    origin.x + xAxis.x * u + yAxis.x * v + zAxis.x * w,
    origin.y + xAxis.y * u + yAxis.y * v + zAxis.y * w,
    origin.z + xAxis.z * u + yAxis.z * v + zAxis.z * w,
  )
}

/** World coordinates as coordinates of a plane. */
export function toLocal({ origin, xAxis, yAxis, zAxis }: Plane, location: Xyz): Xyz {
  const offset = subtract(location, origin)
  return { x: dot(offset, xAxis), y: dot(offset, yAxis), z: dot(offset, zAxis) }
}

/** Swaps the x and y axes, which reverses the normal. */
export function flipPlane({ origin, xAxis, yAxis, zAxis }: Plane): Plane {
  return plane(origin, yAxis, xAxis, scale(zAxis, -1))
}
