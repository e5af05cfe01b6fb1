import { divideByCount } from '../../geometry/curves/divide.ts'
import { findTangent, getPoint } from '../../geometry/curves/evaluate.ts'
import { findCurvatureFrame } from '../../geometry/curves/frames.ts'
import { findPlaneFromAxes } from '../../values/planes.ts'
import type { Plane } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { cross, X_AXIS, Z_AXIS } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named } from '../ports.ts'

type FindFrame = (curve: Curve, t: number) => Plane | undefined

export const CURVE_FRAMES: readonly Kind[] = [
  defineFrame(
    '6b2a5853-07aa-4329-ba84-0a5d46b51dbd',
    'Curve Frame',
    'The plane along a curve at a parameter, y towards where it bends.',
    findCurvatureFrame,
  ),
  defineFrame(
    'c048ad76-ffcd-43b1-a007-4dd1b2373326',
    'Horizontal Frame',
    'The level plane at a parameter of a curve, x the way that the curve goes as seen from above.',
    findLevelFrame,
  ),
  defineFrames(
    '0e94542a-2e46-4793-9f98-2200b06b28f4',
    'Curve Frames',
    'Planes along a curve at equal distances, y towards where it bends.',
    findCurvatureFrame,
  ),
  defineFrames(
    '8d058945-ce47-4e7c-82af-3269295d7890',
    'Horizontal Frames',
    'Level planes along a curve at equal distances, x the way that the curve goes as seen from above.',
    findLevelFrame,
  ),
]

function defineFrame(guid: string, name: string, description: string, findFrame: FindFrame): Kind {
  return defineKind({
    guid,
    name,
    description,
    inputs: { curve: named('Curve (C)', item.curve), parameter: named('Parameter (t)', item.number) },
    outputs: { frame: named('Frame (F)', item.plane) },
    solve: ({ curve, parameter }) => ({ frame: findFrame(curve, parameter) }),
  })
}

function defineFrames(guid: string, name: string, description: string, findFrame: FindFrame): Kind {
  return defineKind({
    guid,
    name,
    description,
    inputs: { curve: named('Curve (C)', item.curve), count: named('Count (N)', item.integer) },
    outputs: { frames: named('Frames (F)', list.plane), parameters: named('Parameters (t)', list.number) },
    solve: ({ curve, count }, context) => {
      if (count < 1) {
        context.error('The count must be 1 or more')
        return {}
      }
      const parameters = divideByCount(curve, count)
      return { frames: parameters.map((t) => findFrame(curve, t) ?? null), parameters }
    },
  })
}

function findLevelFrame(curve: Curve, t: number): Plane | undefined {
  const { x, y } = findTangent(curve, t) ?? X_AXIS
  const along = Math.hypot(x, y) > 1e-12 ? { x, y, z: 0 } : X_AXIS
  return findPlaneFromAxes(getPoint(curve, t), along, cross(Z_AXIS, along))
}
