import { checkpoint, POINT_BYTES } from '../../budget/budget.ts'
import type { Point } from '../../values/points.ts'
import { distance } from '../../values/vector.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, list, named } from '../ports.ts'

export const CLOSENESS: readonly Kind[] = [
  defineKind({
    guid: '571ca323-6e55-425a-bf9e-ee103c7ba4b9',
    name: 'Closest Point',
    description: 'The nearest point of a cloud, its index, and how far it is; the first of those as near.',
    inputs: { point: named('Point (P)', item.point), cloud: named('Cloud (C)', list.point) },
    outputs: {
      closest: named('Closest Point (P)', item.point),
      index: named('CP Index (i)', item.integer),
      distance: named('Distance (D)', item.number),
    },
    solve: ({ point: place, cloud }, context) => {
      checkpoint(cloud.length)
      let nearest: number | undefined
      let least = Infinity
      for (const [i, candidate] of cloud.entries()) {
        const away = candidate ? distance(place, candidate) : Infinity
        if (away < least) [nearest, least] = [i, away]
      }
      if (nearest === undefined) {
        context.error('The cloud has no points')
        return {}
      }
      return { closest: cloud[nearest] ?? null, index: nearest, distance: least }
    },
  }),
  defineKind({
    guid: '446014c4-c11c-45a7-8839-c45dc60950d6',
    name: 'Closest Points',
    description: 'The nearest points of a cloud from near to far, their indices, and how far they are.',
    inputs: {
      point: named('Point (P)', item.point),
      cloud: named('Cloud (C)', list.point),
      count: named('Count (N)', item.integer),
    },
    outputs: {
      closest: named('Closest Point (P)', list.point),
      indices: named('CP Index (i)', list.integer),
      distances: named('Distance (D)', list.number),
    },
    solve: ({ point: place, cloud, count }, context) => {
      if (count < 1) {
        context.error('Count must be 1 or more')
        return {}
      }
      const nearest = sortByDistance(place, cloud, context).slice(0, count)
      return {
        closest: nearest.map(({ candidate }) => candidate),
        indices: nearest.map(({ index }) => index),
        distances: nearest.map(({ away }) => away),
      }
    },
  }),
  defineKind({
    guid: '4e86ba36-05e2-4cc0-a0f5-3ad57c91f04e',
    name: 'Sort Points',
    description: 'Points by x, where that is the same by y, then by z; and where they were.',
    inputs: { points: named('Points (P)', list.point) },
    outputs: { points: named('Points (P)', list.point), indices: named('Indices (I)', list.integer) },
    solve: ({ points }, context) => {
      context.reserve(points.length)
      const known = points.flatMap((candidate, index) => (candidate ? [{ candidate, index }] : []))
      known.sort(({ candidate: a }, { candidate: b }) => a.x - b.x || a.y - b.y || a.z - b.z)
      return {
        points: known.map(({ candidate }) => candidate),
        indices: known.map(({ index }) => index),
      }
    },
  }),
]

/** Those as far in their order. */
function sortByDistance(place: Point, cloud: readonly (Point | null)[], context: KindContext) {
  context.reserve(cloud.length, POINT_BYTES)
  const known = cloud.flatMap((candidate, index) =>
    candidate ? [{ candidate, index, away: distance(place, candidate) }] : [],
  )
  return known.sort((a, b) => a.away - b.away)
}
