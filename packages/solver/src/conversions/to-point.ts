import { pointAt, xyPlane } from '@meadow/geometry/values/planes'
import {
  type Box,
  type Plane,
  type Point,
  toPoint,
  toVector,
  type Vector,
  type Xyz,
} from '@meadow/geometry/values/points'
import type { Domain, Value } from '@meadow/geometry/values/value'
import { subtract } from '@meadow/geometry/values/vector'
import { findXyz } from './from-text.ts'
import { toLine } from './to-curve.ts'

/** A point from a point, vector or text, or the centre of a plane, circle, arc, rectangle or box. */
export function toPointValue(value: Value): Point | undefined {
  if (typeof value === 'string') return wrap(findXyz(value), toPoint)
  if (typeof value !== 'object') return undefined
  switch (value.type) {
    case 'point':
      return value
    case 'vector':
      return toPoint(value)
    case 'plane':
      return toPoint(value.origin)
    case 'circle':
    case 'arc':
      return toPoint(value.plane.origin)
    case 'rectangle':
      return pointAt(value.plane, middle(value.x), middle(value.y))
    case 'box':
      return getBoxCentre(value)
    default:
      return undefined
  }
}

/** A vector from a vector, a point, a text, a straight curve (from start to end) or a plane (its normal). */
export function toVectorValue(value: Value): Vector | undefined {
  if (typeof value === 'string') return wrap(findXyz(value), toVector)
  if (typeof value !== 'object') return undefined
  switch (value.type) {
    case 'vector':
      return value
    case 'point':
      return toVector(value)
    case 'plane':
      return toVector(value.zAxis)
    default: {
      const straight = toLine(value)
      return straight && toVector(subtract(straight.to, straight.from))
    }
  }
}

/** A plane from a plane, from a point, vector or text (parallel to XY, at that location), or of a planar geometry. */
export function toPlaneValue(value: Value): Plane | undefined {
  if (typeof value === 'string') return wrap(findXyz(value), xyPlane)
  if (typeof value !== 'object') return undefined
  switch (value.type) {
    case 'plane':
      return value
    case 'point':
      return xyPlane(value)
    case 'vector':
      return xyPlane(toPoint(value))
    case 'circle':
    case 'arc':
    case 'rectangle':
    case 'box':
      return value.plane
    default:
      return undefined
  }
}

function getBoxCentre({ plane, x, y, z }: Box): Point {
  return pointAt(plane, middle(x), middle(y), middle(z))
}

function middle({ start, end }: Domain): number {
  return (start + end) / 2
}

function wrap<T>(xyz: Xyz | undefined, make: (xyz: Xyz) => T): T | undefined {
  return xyz && make(xyz)
}
