import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { createMirroring, createTranslation, findRotation } from '@meadow/geometry/transform/create'
import { findBounds } from '@meadow/geometry/values/bounding-box'
import type { Rectangle } from '@meadow/geometry/values/curves'
import { findPlaneFromAxes, pointAt, toLocal } from '@meadow/geometry/values/planes'
import type { Box, Plane } from '@meadow/geometry/values/points'
import type { Domain, Geometry, Transform } from '@meadow/geometry/values/value'
import { interpolate, ORIGIN, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { createTransformOutputs } from './transform-outputs.ts'

export const ARRAYS: readonly Kind[] = [
  defineKind({
    guid: 'e87db220-a0a0-4d67-a405-f97fd14b2d7a',
    description: 'Copies geometry along a vector; the first copy stays in place.',
    solve: ([geometry, direction, count], context) =>
      copy(geometry, count, (i) => createTranslation(scale(direction, i)), context),
  }),
  defineKind({
    guid: 'fca5ad7e-ecac-401d-a357-edda0a251cbc',
    description:
      'Copies geometry around the origin of a plane; the first copy stays in place, the last is one step short of the angle.',
    solve: ([geometry, plane, count, angle], context) =>
      copy(geometry, count, (i) => findRotation(plane.origin, plane.zAxis, (angle * i) / count), context),
  }),
  defineKind({
    guid: 'e521f7c8-92f4-481c-888b-eea109e3d6e9',
    description: 'Copies geometry in rows and columns, a cell apart; the first copy stays in place.',
    solve: ([geometry, cell, countX, countY], context) => {
      if (Math.min(countX, countY) > 1)
        context.approximate('The copies may be in another order than in Rhino')
      const count = countX < 1 || countY < 1 ? 0 : countX * countY
      return copy(geometry, count, (i) => stepBy(cell, i % countX, Math.floor(i / countX)), context)
    },
  }),
  defineKind({
    guid: '9f6f954c-ba7b-4428-bf1e-1768cdff666c',
    description: 'Copies geometry in rows, columns and layers, a box apart; the first copy stays in place.',
    solve: ([geometry, cell, countX, countY, countZ], context) => {
      const counts = [countX, countY, countZ]
      if (counts.filter((count) => count > 1).length > 1)
        context.approximate('The copies may be in another order than in Rhino')
      const count = Math.min(...counts) < 1 ? 0 : countX * countY * countZ
      const layer = countX * countY
      return copy(
        geometry,
        count,
        (i) => stepBy(cell, i % countX, Math.floor((i % layer) / countX), Math.floor(i / layer)),
        context,
      )
    },
  }),
  defineKind({
    guid: 'b90eaa92-6e38-4054-a915-afcf486224b3',
    description:
      'Copies geometry around the origin of a plane, every second copy mirrored as in a kaleidoscope.',
    solve: ([geometry, plane, count], context) => {
      const bounds = geometry && findBounds(geometry as Parameters<typeof findBounds>[0])
      const middle = bounds && toLocal(plane, interpolate(bounds.min, bounds.max, 0.5))
      const own = middle ? Math.atan2(middle.y, middle.x) : 0
      return copy(
        geometry,
        count,
        (i) => reflect(plane, i % 2 === 0 ? undefined : own, (i * Math.PI) / count),
        context,
      )
    },
  }),
]

/**
 * Turns by twice an angle, or mirrors across the direction at that angle from another one.
 * Source: results of Grasshopper's Kaleidoscope in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function reflect(plane: Plane, from: number | undefined, by: number): Transform | undefined {
  if (from === undefined) return findRotation(plane.origin, plane.zAxis, 2 * by)
  const along = pointAt({ ...plane, origin: ORIGIN }, Math.cos(from + by), Math.sin(from + by))
  const upright = findPlaneFromAxes(plane.origin, along, plane.zAxis)
  return upright && createMirroring(upright)
}

/** Moves by a number of cells along each axis of the plane of a cell. */
function stepBy(cell: Rectangle | Box, column: number, row: number, layer = 0): Transform {
  const size = ({ start, end }: Domain) => end - start
  const height = cell.type === 'box' ? layer * size(cell.z) : 0
  const origin = { ...cell.plane, origin: ORIGIN }
  return createTranslation(pointAt(origin, column * size(cell.x), row * size(cell.y), height))
}

function copy(
  geometry: Geometry | undefined,
  count: number,
  find: (index: number) => Transform | undefined,
  context: KindContext,
): [copies: (Geometry | null)[], transforms: (Transform | null)[]] | [] {
  if (count < 1) {
    context.error('Count must be 1 or more')
    return []
  }
  context.reserve(count, 2 * POINT_BYTES)
  const copies = Array.from({ length: count }, (_, i) => {
    const transform = find(i)
    return transform ? createTransformOutputs(geometry, transform, context) : []
  })
  return [
    geometry ? copies.map(([copied]) => copied ?? null) : [],
    copies.map(([, transform]) => transform ?? null),
  ]
}
