import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findNearest, type NearPoint } from '@meadow/geometry/point-cloud'
import { line } from '@meadow/geometry/values/curves'
import { toLocal } from '@meadow/geometry/values/planes'
import { type Point, point, toXyz } from '@meadow/geometry/values/points'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { toSubBranches } from '../declaration/sub-branches.ts'

export const PROXIMITY: readonly Kind[] = [
  defineKind({
    guid: 'e504d619-4467-437a-92fa-c6822d16b066',
    description:
      'Lines from each point to its nearest ones, the later one first where they are as near, and their indices.',
    solve: ([points, count, least, most], context) =>
      link(points, (location) => location, { count, least, most }, context),
  }),
  defineKind({
    guid: '458ed0e0-19a3-419b-8ead-f524925b8a35',
    description:
      'Lines from each point to those that are nearest to it in a plane, the later one first where they are as near, and their indices.',
    solve: ([points, plane, count, least, most], context) => {
      const flatten = (location: Point) => {
        const { x, y } = toLocal(plane, location)
        return point(x, y, 0)
      }
      return link(points, flatten, { count, least, most }, context)
    },
  }),
]

interface Reach {
  count: number
  least: number | undefined
  most: number | undefined
}

/** Links points to the nearest ones by the places at which `place` puts them. */
function link(
  points: readonly (Point | null)[],
  place: (location: Point) => Point,
  { count, least, most }: Reach,
  context: KindContext,
) {
  if (points.includes(null) || count < 0) {
    context.limit('What missing points and counts below zero give is not published')
    return [] as const
  }
  // The search gives the first of points that are as near, Grasshopper the last.
  const locations = (points as readonly Point[]).toReversed()
  const cloud = locations.map(place)
  context.reserve(cloud.length * Math.min(count + 1, cloud.length), POINT_BYTES)
  const listLinks = (own: Point, i: number, found: number): readonly NearPoint[] => {
    const near = findNearest(cloud, own, found)
    const linked = near.filter(
      ({ index, away }) => index !== i && away >= (least ?? 0) && away <= (most ?? Infinity),
    )
    const isAll = near.length < found || near.at(-1)!.away > (most ?? Infinity)
    return linked.length >= count || isAll ? linked.slice(0, count) : listLinks(own, i, 2 * found)
  }
  const links = cloud.map((own, i) =>
    listLinks(own, i, Math.min(count, cloud.length) + 1).map(({ index }) => ({
      from: locations[i]!,
      to: locations[index]!,
      index: cloud.length - 1 - index,
    })),
  )
  links.reverse()
  const lines = links.map((own) => own.map(({ from, to }) => line(toXyz(from), toXyz(to))))
  const indices = links.map((own) => own.map(({ index }) => index))
  return [toSubBranches(lines, context), toSubBranches(indices, context)] as const
}
