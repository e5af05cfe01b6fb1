import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import { findPlaneCrossings } from '@meadow/geometry/curve-intersection/intersect-plane'
import { getPoint } from '@meadow/geometry/curves/evaluate'
import { isClosed } from '@meadow/geometry/curves/split'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { pointAt } from '@meadow/geometry/values/planes'
import { type Plane, type Point, toPoint } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { createTree, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { countRun, findContourPlane, listGivenOffsets, listOffsets } from './contour-offsets.ts'

export const CURVE_CONTOURS: readonly Kind[] = [
  defineKind({
    guid: '88cff285-7f5e-41b3-96d5-9588ff9a52b1',
    description: 'The points where a curve meets planes at equal distances, a branch for each plane.',
    solve: ([curve, point, direction, distance], context) => {
      const spaced = findContourPlane(point, direction, distance, context)
      if (!spaced) return []
      const bounds = findTightBounds(curve, spaced.plane)
      const offsets = bounds ? listOffsets(bounds.min.z, bounds.max.z, spaced.step, context) : []
      return cutAll(curve, spaced.plane, offsets, context)
    },
  }),
  defineKind({
    guid: '3e7e4827-6edd-4e10-93ac-cc234414d2b9',
    description: 'The points where a curve meets planes at given distances, a branch for each plane.',
    solve: ([curve, plane, offsets, distances], context) => {
      const all = listGivenOffsets(offsets, distances, context)
      return all ? cutAll(curve, plane, all, context) : []
    },
  }),
]

/** A branch for each plane, at the number of the run and that of the plane. */
function cutAll(
  curve: Curve,
  plane: Plane,
  offsets: readonly number[],
  context: KindContext,
): [contours: Tree<Point>, parameters: Tree<number>] {
  const run = countRun(context)
  context.reserve(2 * offsets.length, BRANCH_BYTES)
  const cuts = offsets.map((offset) =>
    listCrossings(curve, { ...plane, origin: pointAt(plane, 0, 0, offset) }, context),
  )
  return [
    createTree(
      cuts.map((cut, i) => ({ path: [run, i], values: cut.map((t) => toPoint(getPoint(curve, t))) })),
    ),
    createTree(cuts.map((values, i) => ({ path: [run, i], values }))),
  ]
}

/** The seam of a closed curve counts at both ends. Source: as in `contour-offsets.ts`. */
function listCrossings(curve: Curve, plane: Plane, context: KindContext): number[] {
  const found = findPlaneCrossings(curve, plane, context.tolerance)
  const { start, end } = getCurveDomain(curve)
  const meetsSeam = isClosed(curve) && found[0] !== undefined && found[0] - start <= 1e-9 * (end - start)
  return meetsSeam && found.at(-1) !== end ? [...found, end] : found
}
