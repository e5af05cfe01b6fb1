import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import { findPlaneFromNormal } from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import { scale } from '@meadow/geometry/values/vector'
import type { KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

/*
 * Where the planes of contours are. Source: results of Grasshopper's four Contour components in pyhopper
 * (github.com/ezzahiranass/pyhopper).
 */

/** The first of parallel planes and their distance; undefined, with an error, where there are none. */
export function findContourPlane(
  point: Xyz,
  direction: Xyz,
  distance: number,
  context: KindContext,
): { plane: Plane; step: number } | undefined {
  const plane = findPlaneFromNormal(point, distance < 0 ? scale(direction, -1) : direction)
  const step = Math.abs(distance)
  if (plane && step > context.tolerance) return { plane, step }
  context.error(plane ? 'The distance is too small' : 'The direction has no length')
  return undefined
}

/** The multiples of a distance from the lowest height on, below the highest. */
export function listOffsets(lowest: number, highest: number, step: number, context: KindContext): number[] {
  const slack = 1e-9 * (1 + Math.abs(lowest) + Math.abs(highest))
  const first = Math.ceil((lowest - slack) / step)
  const count = Math.max(0, Math.ceil((highest - slack) / step) - first)
  context.reserve(count, BRANCH_BYTES)
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}

/** The given offsets, or the sums of the given distances; undefined, with an error, without both. */
export function listGivenOffsets(
  offsets: readonly (number | null)[],
  distances: readonly (number | null)[],
  context: KindContext,
): readonly number[] | undefined {
  let reached = 0
  const fromDistances = present(distances).map((distance) => {
    reached += distance
    return reached
  })
  const all = offsets.length > 0 ? present(offsets) : fromDistances
  if (all.length > 0) return all
  context.error('You either have to specify Distances or Offsets')
  return undefined
}

/** How many times a node has run. */
const RUNS = new WeakMap<KindContext, number>()

/** The number of this run of a node, from 0 on. */
export function countRun(context: KindContext): number {
  const run = RUNS.get(context) ?? 0
  RUNS.set(context, run + 1)
  return run
}
