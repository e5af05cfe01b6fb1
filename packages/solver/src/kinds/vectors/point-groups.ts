import { groupWithin } from '@meadow/geometry/meshes/group-within'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { toSubBranches } from '../declaration/sub-branches.ts'

export const POINT_GROUPS: readonly Kind[] = [
  defineKind({
    guid: '81f6afc9-22d9-49f0-8579-1fd7e0df6fa6',
    description:
      'Groups of points that chains of neighbours within a distance connect, the one of the last point first.',
    solve: ([points, distance], context) => {
      if (!(distance >= 0)) {
        context.limit('A distance below zero is not supported')
        return []
      }
      const known = points.flatMap((location, index) => (location ? [{ location, index }] : []))
      context.reserve(3 * known.length)
      const groups = groupWithin(
        known.map(({ location }) => location),
        distance,
      ).map((members) => members.map((member) => known[member] as (typeof known)[number]))
      if (groups.some(({ length }) => length > 2)) {
        context.approximate('The points of a group may be in another order than in Rhino')
      }
      return [
        toSubBranches(
          groups.map((members) => members.map(({ location }) => location)),
          context,
        ),
        toSubBranches(
          groups.map((members) => members.map(({ index }) => index)),
          context,
        ),
      ]
    },
  }),
]
