import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { createReorientation, createTranslation } from '@meadow/geometry/transform/create'
import { compose, createTransform } from '@meadow/geometry/transform/matrix'
import { isCurve } from '@meadow/geometry/values/curves'
import { pointAt, toLocal, WORLD_XY } from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { findUnit, interpolate, ORIGIN, scale, subtract } from '@meadow/geometry/values/vector'
import { toPointValue } from '../../conversions/to-point.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
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
      const there = compose(createReorientation(plane, WORLD_XY), shear)
      return createTransformOutputs(geometry, compose(there, createReorientation(WORLD_XY, plane)), context)
    },
  }),
]

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
