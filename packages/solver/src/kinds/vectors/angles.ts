import { toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import { add, dot, findUnit } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, optional } from '../ports.ts'

const FULL_TURN = 2 * Math.PI

/** From 0 to half a turn; undefined where one has no direction. Source: RhinoCommon `Vector3d.VectorAngle`. */
function findAngle(a: Xyz, b: Xyz): number | undefined {
  const [first, second] = [findUnit(a), findUnit(b)]
  return first && second && Math.acos(Math.min(1, Math.max(-1, dot(first, second))))
}

/**
 * From a to b in a plane, counter-clockwise from 0 to a full turn, by what the plane sees of them.
 * Source: RhinoCommon `Vector3d.VectorAngle` with a plane.
 */
function findAngleInPlane(a: Xyz, b: Xyz, plane: Plane): number | undefined {
  const [first, second] = [lay(a, plane), lay(b, plane)]
  const angle = findAngle(first, second)
  if (angle === undefined) return undefined
  const turnsBack = first.x * second.y - first.y * second.x < 0
  return turnsBack ? FULL_TURN - angle : angle
}

/** A direction in the plane's coordinates, without its part along the normal. */
function lay(direction: Xyz, plane: Plane): Xyz {
  return { ...toLocal(plane, add(plane.origin, direction)), z: 0 }
}

export const ANGLES: readonly Kind[] = [
  defineKind({
    guid: 'b464fccb-50e7-41bd-9789-8438db9bea9f',
    description:
      'The angle between two vectors, and what is left of a full turn. In a plane, from the first to the second.',
    inputs: { a: item.vector, b: item.vector, plane: optional(item.plane) },
    outputs: { angle: item.number, reflex: item.number },
    solve: ({ a, b, plane }, context) => {
      const angle = plane ? findAngleInPlane(a, b, plane) : findAngle(a, b)
      if (angle === undefined) {
        context.error('A vector without length has no angle')
        return {}
      }
      return { angle, reflex: FULL_TURN - angle }
    },
  }),
]
