import { pointAt, toLocal } from '@meadow/geometry/values/planes'
import { point, toPoint } from '@meadow/geometry/values/points'
import { add, distance, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'

/** The number of a fix, which files of components that have it name. How the elevation was measured before is not known. */
const ELEVATION_FIX = 'rH-43143'

export const POINTS: readonly Kind[] = [
  defineKind({
    guid: '3581f42a-9592-4549-bd6b-1c0fc39d067b',
    description: 'A point from its three coordinates.',
    solve: ([x, y, z]) => [point(x, y, z)],
  }),
  defineKind({
    guid: '9abae6b7-fa1d-448c-9209-4a8155345841',
    description: 'The three coordinates of a point.',
    solve: ([{ x, y, z }]) => [x, y, z],
  }),
  defineKind({
    guid: '93b8e93d-f932-402c-b435-84be04d87666',
    description: 'The distance between two points.',
    solve: ([a, b]) => [distance(a, b)],
  }),
  defineKind({
    guid: 'aa333235-5922-424c-9002-1e0b866a854b',
    description: 'A point from coordinates along the axes of a plane.',
    solve: ([plane, u, v, w]) => [pointAt(plane, u, v, w)],
  }),
  defineKind({
    guid: '23603075-be64-4d86-9294-c3c125a12104',
    description: 'A point from an angle and a radius in a plane, and a height above it.',
    solve: ([plane, angle, radius, height]) => [
      pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle), height),
    ],
  }),
  defineKind({
    guid: 'a435f5c8-28a2-43e8-a52a-0b6e73c2e300',
    description: 'A point from an angle in a plane, an elevation angle and a distance from the origin.',
    options: { [ELEVATION_FIX]: [true] },
    solve: ([plane, rotation, rise, offset], context) => {
      if (rise !== 0 && !findOption<boolean>(context.node, ELEVATION_FIX, 'boolean'))
        context.approximate('In files of earlier versions, Rhino may measure the elevation otherwise')
      const flat = offset * Math.cos(rise)
      return [pointAt(plane, flat * Math.cos(rotation), flat * Math.sin(rotation), offset * Math.sin(rise))]
    },
  }),
  defineKind({
    guid: '61647ba2-31eb-4921-9632-df81e3286f7d',
    description: 'The angle of a point in a plane, its elevation angle and its distance from the origin.',
    solve: ([location, system]) => {
      const { x, y, z } = toLocal(system, location)
      // Adding 0 turns -0 into 0, whose angle is 0.
      return [Math.atan2(y + 0, x + 0), Math.atan2(z + 0, Math.hypot(x, y)), Math.hypot(x, y, z)]
    },
  }),
  defineKind({
    guid: '5f127fa4-ca61-418e-bb2d-e3739d900f1f',
    description: 'The coordinates of a point along the axes of a plane.',
    solve: ([location, system]) => {
      const { x, y, z } = toLocal(system, location)
      return [x, y, z]
    },
  }),
  defineKind({
    guid: '9adffd61-f5d1-4e9e-9572-e8d9145730dc',
    description: 'The mean of three points, each with its weight.',
    solve: ([a, b, c, u, v, w], context) => {
      const sum = u + v + w
      if (sum !== 0) return [toPoint(scale(add(add(scale(a, u), scale(b, v)), scale(c, w)), 1 / sum))]
      context.error('Weights must not add up to zero')
      return []
    },
  }),
]
