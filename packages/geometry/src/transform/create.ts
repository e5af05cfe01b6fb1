import type { Plane, Xyz } from '../values/points.ts'
import type { Transform } from '../values/value.ts'
import { dot, findUnit, scale } from '../values/vector.ts'
import { compose, createTransform } from './matrix.ts'

export function createTranslation({ x, y, z }: Xyz): Transform {
  return createTransform([
    [1, 0, 0, x],
    [0, 1, 0, y],
    [0, 0, 1, z],
  ])
}

/**
 * Sines and cosines this close to 0 or 1 are rounded, so that quarter turns are exact. Source:
 * `ON_Xform::Rotation`.
 */
const NOISE = 1.490116119385e-8

function clean(value: number, other: number): number {
  if (Math.abs(value) <= NOISE && Math.abs(other) >= 1 - NOISE) return 0
  return Math.abs(value) >= 1 - NOISE && Math.abs(other) <= NOISE ? Math.sign(value) : value
}

/** A rotation, counter-clockwise seen against the axis, in radians; undefined for an axis without length. */
export function findRotation(centre: Xyz, axis: Xyz, angle: number): Transform | undefined {
  const unit = findUnit(axis)
  if (!unit || !Number.isFinite(angle)) return undefined
  const { x, y, z } = unit
  const [sin, cos] = [clean(Math.sin(angle), Math.cos(angle)), clean(Math.cos(angle), Math.sin(angle))]
  const rest = 1 - cos
  return aroundPoint(centre, [
    [x * x * rest + cos, x * y * rest - z * sin, x * z * rest + y * sin],
    [x * y * rest + z * sin, y * y * rest + cos, y * z * rest - x * sin],
    [x * z * rest - y * sin, y * z * rest + x * sin, z * z * rest + cos],
  ])
}

/** Scales by a factor along each axis of a plane, around its origin. */
export function createScaling(plane: Plane, x: number, y: number, z: number): Transform {
  const inPlane = createTransform([
    [x, 0, 0, 0],
    [0, y, 0, 0],
    [0, 0, z, 0],
  ])
  return compose(compose(fromWorld(plane), inPlane), toWorld(plane))
}

/** Scales uniformly. */
export function createUniformScaling(centre: Xyz, factor: number): Transform {
  return aroundPoint(centre, [
    [factor, 0, 0],
    [0, factor, 0],
    [0, 0, factor],
  ])
}

/** Mirrors at a plane. */
export function createMirroring({ origin, zAxis }: Plane): Transform {
  return takeHeight(origin, zAxis, scale(zAxis, 2))
}

/** Projects onto a plane, along its normal. */
export function createProjection({ origin, zAxis }: Plane): Transform {
  return takeHeight(origin, zAxis, zAxis)
}

/** Projects onto a plane along a direction; undefined for a direction in the plane. */
export function findProjectionAlong({ origin, zAxis }: Plane, direction: Xyz): Transform | undefined {
  const unit = findUnit(direction)
  const slope = unit ? dot(unit, zAxis) : 0
  return unit && Math.abs(slope) > FLAT ? takeHeight(origin, zAxis, scale(unit, 1 / slope)) : undefined
}

/** Smaller sines count as zero. */
const FLAT = 1e-12

/** Maps the coordinates of one plane to those of another. */
export function createReorientation(source: Plane, target: Plane): Transform {
  return compose(fromWorld(source), toWorld(target))
}

type Linear = readonly (readonly [number, number, number])[]

/** The affine transform of a linear part with a fixed point. */
function aroundPoint(centre: Xyz, linear: Linear): Transform {
  const point = [centre.x, centre.y, centre.z] as const
  return createTransform(
    linear.map(([x, y, z], row) => {
      return [x, y, z, (point[row] ?? 0) - (x * point[0] + y * point[1] + z * point[2])] as const
    }),
  )
}

/** Moves each point along `step` times its height above the plane, backwards. */
function takeHeight(origin: Xyz, normal: Xyz, step: Xyz): Transform {
  const move = scale(step, dot(normal, origin))
  const row = (axis: 'x' | 'y' | 'z') => {
    const factor = (other: 'x' | 'y' | 'z') => (axis === other ? 1 : 0) - step[axis] * normal[other]
    return [factor('x'), factor('y'), factor('z'), move[axis]] as const
  }
  return createTransform([row('x'), row('y'), row('z')])
}

/** Converts coordinates of a plane to world coordinates. */
function toWorld({ origin, xAxis, yAxis, zAxis }: Plane): Transform {
  return createTransform([
    [xAxis.x, yAxis.x, zAxis.x, origin.x],
    [xAxis.y, yAxis.y, zAxis.y, origin.y],
    [xAxis.z, yAxis.z, zAxis.z, origin.z],
  ])
}

/** Converts world coordinates to coordinates of a plane. */
function fromWorld({ origin, xAxis, yAxis, zAxis }: Plane): Transform {
  return createTransform(
    [xAxis, yAxis, zAxis].map((axis) => [axis.x, axis.y, axis.z, 0 - dot(axis, origin)] as const),
  )
}
