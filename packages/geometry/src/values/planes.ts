import type { Plane, Point, Xyz } from './points.ts'
import { point } from './points.ts'
import {
  addScaled,
  cross,
  dot,
  findPerpendicular,
  findUnit,
  length,
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
 * Directions are parallel below this sine of the angle between them.
 * Source: `ON_Plane::CreateFromFrame`, which refuses a y direction that is not perpendicular to the normal by more than
 * the square root of the machine epsilon: at smaller angles the normal is a matter of rounding.
 */
const PARALLEL = 1.490116119385e-8

/**
 * A plane with the x axis `xDirection`, and `yDirection` on the side of its y axis. Undefined for parallel
 * directions, directions without length, and coordinates that are not finite. All planes that are not moved or turned
 * ones come from here or from `findPlaneFromNormal`: the axes are perpendicular and of length 1, whatever their size.
 */
export function findPlaneFromAxes(
  origin: Xyz,
  xDirection: Xyz,
  yDirection: Xyz,
  tolerance = PARALLEL,
): Plane | undefined {
  const [xAxis, size] = [findUnit(xDirection), length(yDirection)]
  if (!xAxis || !isFinitePlace(origin)) return undefined
  const rest = reject(yDirection, xAxis)
  const towards = length(rest) > tolerance * size ? findUnit(rest) : undefined
  // At small angles rounding errors leave a part along x.
  const isSquare = towards !== undefined && Math.abs(dot(towards, xAxis)) < 4 * Number.EPSILON
  const yAxis = isSquare || !towards ? towards : findUnit(reject(towards, xAxis))
  return yAxis && plane(origin, xAxis, yAxis, cross(xAxis, yAxis))
}

/** `a` without its part along a unit vector. */
function reject(a: Xyz, unit: Xyz): Xyz {
  return addScaled(a, unit, -dot(a, unit))
}

function isFinitePlace({ x, y, z }: Xyz): boolean {
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)
}

/**
 * The plane through three points: the origin, the x axis towards the second, the third on the side of the y axis.
 * Undefined for points on one line, as far as their coordinates have the digits to tell.
 */
export function findPlaneFromPoints(a: Xyz, b: Xyz, c: Xyz): Plane | undefined {
  const [along, towards] = [subtract(b, a), subtract(c, a)]
  const largest = [a, b, c]
    .flatMap(({ x, y, z }) => [x, y, z])
    .reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const rounding = (4 * Number.EPSILON * largest) / Math.min(length(along), length(towards))
  return findPlaneFromAxes(a, along, towards, Math.max(PARALLEL, rounding))
}

/** A plane perpendicular to `normal` with the x axis on the side of `xDirection`; undefined as `findPlaneFromAxes`. */
export function findPlaneAcross(origin: Xyz, normal: Xyz, xDirection: Xyz): Plane | undefined {
  const turned = findPlaneFromAxes(origin, normal, xDirection)
  return turned && plane(origin, turned.yAxis, turned.zAxis, turned.xAxis)
}

/**
 * A plane perpendicular to `normal`, with the x axis that openNURBS chooses. Undefined for a normal without
 * length, and coordinates that are not finite.
 */
export function findPlaneFromNormal(origin: Xyz, normal: Xyz): Plane | undefined {
  const zAxis = findUnit(normal)
  const xAxis = zAxis && findPerpendicular(zAxis)
  return zAxis && xAxis && isFinitePlace(origin)
    ? plane(origin, xAxis, cross(zAxis, xAxis), zAxis)
    : undefined
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
