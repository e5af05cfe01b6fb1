import { checkpoint, POINT_BYTES } from '../../budget/budget.ts'
import { type Point, point } from '../../values/points.ts'
import { distance } from '../../values/vector.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, list, named, present } from '../ports.ts'

const AXES = ['x', 'y', 'z'] as const
type Axis = (typeof AXES)[number]

/** Lists of points, as numbers and without those that are double. */
export const POINT_LISTS: readonly Kind[] = [
  defineKind({
    guid: '0ae07da9-951b-4b9b-98ca-d312c252374d',
    name: 'Numbers to Points',
    description: 'Points from a list of their coordinates; a mask such as XY says which, and in which order.',
    inputs: { numbers: named('Numbers (N)', list.number), mask: named('Mask (M)', item.text) },
    outputs: { points: named('Points (P)', list.point) },
    solve: ({ numbers, mask }, context) => {
      const axes = readMask(mask, context)
      const known = present(numbers)
      if (!axes) return {}
      if (known.length % axes.length !== 0) {
        context.error('The numbers do not make whole points')
        return {}
      }
      const points: Point[] = []
      for (let start = 0; start < known.length; start += axes.length) {
        const place = { x: 0, y: 0, z: 0 }
        for (const [i, axis] of axes.entries()) place[axis] = known[start + i] as number
        points.push(point(place.x, place.y, place.z))
      }
      return { points }
    },
  }),
  defineKind({
    guid: 'd24169cc-9922-4923-92bc-b9222efc413f',
    name: 'Points to Numbers',
    description: 'The coordinates of points as a list; a mask such as XY says which, and in which order.',
    inputs: { points: named('Points (P)', list.point), mask: named('Mask (M)', item.text) },
    outputs: { numbers: named('Numbers (N)', list.number) },
    solve: ({ points, mask }, context) => {
      const axes = readMask(mask, context)
      return axes ? { numbers: present(points).flatMap((place) => axes.map((axis) => place[axis])) } : {}
    },
  }),
  defineKind({
    guid: '6eaffbb2-3392-441a-8556-2dc126aa8910',
    name: 'Cull Duplicates',
    description:
      'Points with those that are nearer to an earlier one than a tolerance joined to it: their middle, where it was (-1 for several), and how many they were.',
    inputs: { points: named('Points (P)', list.point), tolerance: named('Tolerance (T)', item.number) },
    outputs: {
      points: named('Points (P)', list.point),
      indices: named('Indices (I)', list.integer),
      valences: named('Valence (V)', list.integer),
    },
    solve: ({ points, tolerance }, context) => {
      const groups = groupNear(points, tolerance, context)
      return {
        points: groups.map(({ sum, count }) => point(sum.x / count, sum.y / count, sum.z / count)),
        indices: groups.map(({ count, index }) => (count > 1 ? -1 : index)),
        valences: groups.map(({ count }) => count),
      }
    },
  }),
]

function readMask(mask: string, context: KindContext): Axis[] | undefined {
  const axes = [...mask.trim().toLowerCase()].map((letter) => AXES.find((axis) => axis === letter))
  if (axes.length > 0 && !axes.includes(undefined)) return axes as Axis[]
  context.error(`The mask ${mask} is not made of X, Y and Z`)
  return undefined
}

interface NearGroup {
  /** The first one, which the others are near to. */
  readonly seed: Point
  readonly index: number
  readonly sum: { x: number; y: number; z: number }
  count: number
}

/** Each point goes to the first group whose first point is near, found through a grid of cells as wide as the tolerance. */
function groupNear(points: readonly (Point | null)[], tolerance: number, context: KindContext): NearGroup[] {
  const groups: NearGroup[] = []
  const cells = new Map<string, NearGroup[]>()
  const size = tolerance > 0 ? tolerance : 1
  const cellOf = (place: Point) => AXES.map((axis) => Math.floor(place[axis] / size))
  for (const [index, place] of points.entries()) {
    context.reserve(1, POINT_BYTES)
    if (!place) continue
    const [x = 0, y = 0, z = 0] = cellOf(place)
    let found: NearGroup | undefined
    for (const key of listAround(x, y, z)) {
      for (const group of cells.get(key) ?? []) {
        checkpoint()
        if (distance(group.seed, place) <= tolerance && (!found || group.index < found.index)) found = group
      }
    }
    if (found) {
      for (const axis of AXES) found.sum[axis] += place[axis]
      found.count++
      continue
    }
    const { x: sumX, y: sumY, z: sumZ } = place
    const group = { seed: place, index, sum: { x: sumX, y: sumY, z: sumZ }, count: 1 }
    groups.push(group)
    const key = `${x} ${y} ${z}`
    cells.set(key, [...(cells.get(key) ?? []), group])
  }
  return groups
}

function* listAround(x: number, y: number, z: number): Generator<string> {
  for (const dx of [-1, 0, 1]) {
    for (const dy of [-1, 0, 1]) for (const dz of [-1, 0, 1]) yield `${x + dx} ${y + dy} ${z + dz}`
  }
}
