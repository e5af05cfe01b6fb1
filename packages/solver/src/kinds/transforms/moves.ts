import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import {
  createReorientation,
  createTranslation,
  createUniformScaling,
  findRotation,
} from '@meadow/geometry/transform/create'
import { compose, createTransform, IDENTITY } from '@meadow/geometry/transform/matrix'
import { isCurve } from '@meadow/geometry/values/curves'
import { pointAt, toLocal, WORLD_XY } from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Geometry, Transform } from '@meadow/geometry/values/value'
import {
  cross,
  dot,
  findPerpendicular,
  findUnit,
  interpolate,
  length,
  ORIGIN,
  scale,
  subtract,
} from '@meadow/geometry/values/vector'
import { toPointValue } from '../../conversions/to-point.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { createTransformOutputs } from './transform-outputs.ts'

/** Moves whose direction follows from geometry, and the shear that leads from one point to another. */
export const MOVES: readonly Kind[] = [
  defineKind({
    guid: 'dd9f597a-4db0-42b1-9cb2-5607ec97db09',
    description: 'Moves geometry away from the closest point of another one, or towards it.',
    solve: ([geometry, emitter, distance], context) => {
      const centre = findCentre(geometry)
      const closest = centre && findClosest(emitter, centre)
      if (!centre || !closest) {
        context.limit('Which points of such geometry count for its distance is not published')
        return []
      }
      const away = findUnit(subtract(centre, closest)) ?? ORIGIN
      return createTransformOutputs(geometry, createTranslation(scale(away, distance)), context)
    },
  }),
  defineKind({
    guid: '4fe87ef8-49e4-4605-9859-87940d62e1de',
    description: 'Moves geometry along the normal of a plane until its lowest point lies in the plane.',
    solve: ([geometry, plane, movesFromAbove, movesFromBelow], context) => {
      const lowest = findTightBounds(geometry, plane)?.min.z ?? 0
      const moves = lowest > 0 ? movesFromAbove : movesFromBelow
      const motion = scale(plane.zAxis, moves ? -lowest : 0)
      return createTransformOutputs(geometry, createTranslation(motion), context)
    },
  }),
  defineKind({
    guid: '5a27203a-e05f-4eea-b80f-a5f29a00fdf2',
    description: 'Shears geometry along a plane, so that one point goes to another at the same height.',
    solve: ([geometry, plane, grip, target], context) => {
      const [from, to] = [toLocal(plane, grip), toLocal(plane, target)]
      const way = subtract(to, from)
      if (Math.abs(way.z) > context.tolerance || Math.abs(from.z) <= context.tolerance) {
        context.limit('How points in the plane, or at different heights, are sheared is not published')
        return []
      }
      const shear = createTransform([
        [1, 0, way.x / from.z, 0],
        [0, 1, way.y / from.z, 0],
        [0, 0, 1, 0],
      ])
      return createTransformOutputs(geometry, applyInPlane(plane, shear), context)
    },
  }),
]

/** Transformations that lead from one direction to another, or tilt a plane. */
export const DIRECTIONS: readonly Kind[] = [
  defineKind({
    guid: '5edaea74-32cb-4586-bd72-66694eb73160',
    description: 'Rotates geometry around a point, so that one direction becomes another.',
    solve: ([geometry, centre, from, to], context) => {
      const rotation = turn(centre, from, to, context)
      return rotation ? createTransformOutputs(geometry, rotation, context) : []
    },
  }),
  defineKind({
    guid: '1602b2cc-007c-4b79-8926-0067c6184e44',
    description: 'Moves, rotates and scales geometry, so that a point and a vector become others.',
    solve: ([geometry, from, fromDirection, to, toDirection], context) => {
      const rotation = turn(from, fromDirection, toDirection, context)
      if (!rotation) return []
      const scaling = createUniformScaling(from, length(toDirection) / length(fromDirection))
      const placed = compose(compose(rotation, scaling), createTranslation(subtract(to, from)))
      return createTransformOutputs(geometry, placed, context)
    },
  }),
  defineKind({
    guid: 'f19ee36c-f21f-4e25-be4c-4ca4b30eda0d',
    description: 'Shears geometry, so that the normal of a plane is rotated around both of its axes.',
    solve: ([geometry, plane, aroundX, aroundY], context) => {
      const rise = Math.cos(aroundX) * Math.cos(aroundY)
      if (Math.abs(rise) < FLAT) {
        context.error('The normal of the plane comes to lie in it')
        return []
      }
      const shear = createTransform([
        [1, 0, Math.cos(aroundX) * Math.sin(aroundY), 0],
        [0, 1, -Math.sin(aroundX), 0],
        [0, 0, rise, 0],
      ])
      return createTransformOutputs(geometry, applyInPlane(plane, shear), context)
    },
  }),
]

const FLAT = 1e-12

/** A transformation that is given in the coordinates of a plane. */
function applyInPlane(plane: Plane, transform: Transform): Transform {
  const there = compose(createReorientation(plane, WORLD_XY), transform)
  return compose(there, createReorientation(WORLD_XY, plane))
}

/** The shortest rotation from one direction to another; undefined, with an error, if one has no length. */
function turn(centre: Xyz, from: Xyz, to: Xyz, context: KindContext): Transform | undefined {
  const [a, b] = [findUnit(from), findUnit(to)]
  if (!a || !b) {
    context.error('A direction has no length')
    return undefined
  }
  const axis = cross(a, b)
  if (length(axis) > FLAT) return findRotation(centre, axis, Math.atan2(length(axis), dot(a, b)))
  if (dot(a, b) > 0) return IDENTITY
  context.approximate('Directions are opposite, so that Rhino may rotate around another axis')
  return findRotation(centre, findPerpendicular(a) ?? a, Math.PI)
}

/** The centre of a shape that has only one; undefined for others. */
function findCentre(geometry: Geometry): Xyz | undefined {
  switch (geometry.type) {
    case 'line':
      return interpolate(geometry.from, geometry.to, 0.5)
    case 'point':
    case 'circle':
    case 'rectangle':
    case 'box':
      return toPointValue(geometry)
    default:
      return undefined
  }
}

/** The closest point of a point, a curve, or of the square from -1 to 1 that a plane is drawn as. */
function findClosest(emitter: Geometry, location: Xyz): Xyz | undefined {
  if (emitter.type === 'point') return emitter
  if (emitter.type === 'plane') return findClosestOfPlane(emitter, location)
  return isCurve(emitter) ? findClosestPoint(emitter, location)?.point : undefined
}

function findClosestOfPlane(plane: Plane, location: Xyz): Xyz {
  const { x, y } = toLocal(plane, location)
  const clamp = (coordinate: number) => Math.min(1, Math.max(-1, coordinate))
  return pointAt(plane, clamp(x), clamp(y))
}
