import { checkpoint, POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findNearest } from '@meadow/geometry/point-cloud'
import { type Point, point } from '@meadow/geometry/values/points'
import { distance } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { item, list, optional, present } from '../declaration/ports.ts'

const AXES = ['x', 'y', 'z'] as const
type Axis = (typeof AXES)[number]

/** What Cull Duplicates keeps of near points, as files store it. */
const [LEAVE_ONE, CULL_ALL, AVERAGE] = [1, 2, 3] as const

/** Point lists: numbering and removal of duplicates. */
export const POINT_LISTS: readonly Kind[] = [
  defineKind({
    guid: '0ae07da9-951b-4b9b-98ca-d312c252374d',
    description:
      'Points from a list of coordinates; a mask such as XY defines which coordinates, and their order.',
    inputs: [list.number, optional(item.text)],
    solve: ([numbers, mask], context) => {
      const axes = readMask(mask ?? USUAL_MASK, context)
      const known = present(numbers)
      if (!axes) return []
      if (known.length % axes.length !== 0) {
        context.error('The numbers do not make whole points')
        return []
      }
      const points: Point[] = []
      for (let start = 0; start < known.length; start += axes.length) {
        const location = { x: 0, y: 0, z: 0 }
        for (const [i, axis] of axes.entries()) location[axis] = known[start + i] as number
        points.push(point(location.x, location.y, location.z))
      }
      return [points]
    },
  }),
  defineKind({
    guid: 'd24169cc-9922-4923-92bc-b9222efc413f',
    description:
      'The coordinates of points as a list; a mask such as XY defines which coordinates, and their order.',
    inputs: [list.point, optional(item.text)],
    solve: ([points, mask], context) => {
      const axes = readMask(mask ?? USUAL_MASK, context)
      return axes ? [present(points).flatMap((location) => axes.map((axis) => location[axis]))] : []
    },
  }),
  defineKind({
    guid: '6eaffbb2-3392-441a-8556-2dc126aa8910',
    description:
      'Merges points within a tolerance: their average, the original index (-1 if several were merged), and their number. Menu options keep the first of them, or none.',
    options: { cullMode: [LEAVE_ONE, CULL_ALL, AVERAGE] },
    solve: ([points, tolerance], context) => {
      const mode = findOption<number>(context.node, 'cullMode', 'number') ?? AVERAGE
      const groups = groupNear(points, tolerance, context)
      const kept = mode === CULL_ALL ? groups.filter(({ count }) => count === 1) : groups
      return [
        kept.map(({ seed, sum, count }) =>
          mode === LEAVE_ONE ? seed : point(sum.x / count, sum.y / count, sum.z / count),
        ),
        kept.map(({ count, index }) => (mode === AVERAGE && count > 1 ? -1 : index)),
        kept.map(({ count }) => count),
      ]
    },
  }),
]

/** The mask of a new component, for which a document has no value. */
const USUAL_MASK = 'xyz'

function readMask(mask: string, context: KindContext): Axis[] | undefined {
  const axes = [...mask.trim().toLowerCase()].map((letter) => AXES.find((axis) => axis === letter))
  if (axes.length > 0 && !axes.includes(undefined)) return axes as Axis[]
  context.error(`The mask ${mask} is not made of X, Y and Z`)
  return undefined
}

interface NearGroup {
  /** The first point of the group. */
  readonly seed: Point
  readonly index: number
  readonly sum: { x: number; y: number; z: number }
  count: number
}

/**
 * Adds each point to the first group whose seed is within the tolerance, found with a grid of cells as wide as
 * the tolerance.
 */
function groupNear(points: readonly (Point | null)[], tolerance: number, context: KindContext): NearGroup[] {
  const groups: NearGroup[] = []
  const cells = new Map<string, NearGroup[]>()
  const size = tolerance > 0 ? tolerance : 1
  const cellOf = (location: Point) => AXES.map((axis) => Math.floor(location[axis] / size))
  for (const [index, location] of points.entries()) {
    context.reserve(1, POINT_BYTES)
    if (!location) continue
    const [x = 0, y = 0, z = 0] = cellOf(location)
    let found: NearGroup | undefined
    for (const key of listAround(x, y, z)) {
      for (const group of cells.get(key) ?? []) {
        checkpoint()
        if (distance(group.seed, location) <= tolerance && (!found || group.index < found.index))
          found = group
      }
    }
    if (found) {
      for (const axis of AXES) found.sum[axis] += location[axis]
      found.count++
      continue
    }
    const { x: sumX, y: sumY, z: sumZ } = location
    const group = { seed: location, index, sum: { x: sumX, y: sumY, z: sumZ }, count: 1 }
    groups.push(group)
    const key = `${x} ${y} ${z}`
    const cell = cells.get(key) ?? []
    cells.set(key, cell)
    cell.push(group)
  }
  return groups
}

function* listAround(x: number, y: number, z: number): Generator<string> {
  for (const dx of [-1, 0, 1]) {
    for (const dy of [-1, 0, 1]) for (const dz of [-1, 0, 1]) yield `${x + dx} ${y + dy} ${z + dz}`
  }
}

export const CLOSENESS: readonly Kind[] = [
  defineKind({
    guid: '571ca323-6e55-425a-bf9e-ee103c7ba4b9',
    description: 'The closest point of a cloud, its index and its distance; the first of equally close ones.',
    solve: ([location, cloud], context) => {
      const [nearest] = findNearest(cloud, location, 1)
      if (!nearest) {
        context.error('The cloud has no points')
        return []
      }
      return [cloud[nearest.index] ?? null, nearest.index, nearest.away]
    },
  }),
  defineKind({
    guid: '446014c4-c11c-45a7-8839-c45dc60950d6',
    description: 'The closest points of a cloud, sorted by distance, with their indices and distances.',
    solve: ([location, cloud, count], context) => {
      if (count < 1) {
        context.error('Count must be 1 or more')
        return []
      }
      context.reserve(Math.min(count, cloud.length), POINT_BYTES)
      const nearest = findNearest(cloud, location, count)
      return [
        nearest.map(({ index }) => cloud[index] ?? null),
        nearest.map(({ index }) => index),
        nearest.map(({ away }) => away),
      ]
    },
  }),
  defineKind({
    guid: '4e86ba36-05e2-4cc0-a0f5-3ad57c91f04e',
    description: 'Sorts points by x, then y, then z, and returns their original indices.',
    solve: ([points], context) => {
      context.reserve(points.length)
      const known = points.flatMap((candidate, index) => (candidate ? [{ candidate, index }] : []))
      known.sort(({ candidate: a }, { candidate: b }) => a.x - b.x || a.y - b.y || a.z - b.z)
      return [known.map(({ candidate }) => candidate), known.map(({ index }) => index)]
    },
  }),
]

/** The sorting of points by their closest points on a curve; points with equal parameters keep their order. */
export const ALONG_CURVE: readonly Kind[] = [
  defineKind({
    guid: '59aaebf8-6654-46b7-8386-89223c773978',
    description: 'Sorts points by their closest points along a curve, and returns their original indices.',
    solve: ([points, curve], context) => {
      context.reserve(points.length, POINT_BYTES)
      const known = points.flatMap((candidate, index) => {
        const parameter = candidate && findClosestPoint(curve, candidate)?.parameter
        return candidate && parameter !== undefined && parameter !== null
          ? [{ candidate, index, parameter }]
          : []
      })
      known.sort((a, b) => a.parameter - b.parameter)
      return [known.map(({ candidate }) => candidate), known.map(({ index }) => index)]
    },
  }),
]
