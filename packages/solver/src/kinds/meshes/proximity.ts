import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findNearest } from '@meadow/geometry/point-cloud'
import { line } from '@meadow/geometry/values/curves'
import { type Point, toXyz } from '@meadow/geometry/values/points'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const PROXIMITY: readonly Kind[] = [
  defineKind({
    guid: 'e504d619-4467-437a-92fa-c6822d16b066',
    description:
      'Lines from each point to its nearest ones, the later one first where they are as near, and their indices.',
    solve: ([points, count, least, most], context) => {
      if (points.includes(null) || count < 0) {
        context.limit('What missing points and counts below zero give is not published')
        return []
      }
      // The search gives the first of points that are as near, Grasshopper the last.
      const cloud = (points as readonly Point[]).toReversed()
      const found = least === undefined ? Math.min(count + 1, cloud.length) : cloud.length
      context.reserve(cloud.length * found, POINT_BYTES)
      const links = cloud.map((point, own) =>
        findNearest(cloud, point, found)
          .filter(({ index, away }) => index !== own && away >= (least ?? 0) && away <= (most ?? Infinity))
          .slice(0, count)
          .map(({ index }) => ({ from: point, to: cloud[index] as Point, index: cloud.length - 1 - index })),
      )
      links.reverse()
      const toTree = <T>(take: (link: (typeof links)[number][number]) => T) => ({
        branches: links.map((own, i) => ({ path: [...context.path.slice(0, -1), i], values: own.map(take) })),
      })
      return [toTree(({ from, to }) => line(toXyz(from), toXyz(to))), toTree(({ index }) => index)]
    },
  }),
]
