import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import type { Line } from '@meadow/geometry/values/curves'
import { createPointGrid } from '@meadow/geometry/values/point-grid'
import type { Point, Xyz } from '@meadow/geometry/values/points'
import { distance, interpolate } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, list, optional, present } from '../declaration/ports.ts'

/** Kangaroo's clean-up of points and lines. Of values that are combined, the first stays (rule I-8). */
export const DUPLICATES: readonly Kind[] = [
  defineKind({
    guid: '5e2f9e3f-d467-46f6-870c-6fa7cd01e1ed',
    description: 'Points without those that are closer to an earlier one than a tolerance.',
    inputs: [list.point, optional(item.number)],
    solve: ([points, tolerance = DEFAULT_TOLERANCE], context) => [
      listDistinct(present(points), ARE_POINTS, tolerance, context),
    ],
  }),
  defineKind({
    guid: '5b882297-9063-439e-82b9-70961f743c5d',
    description:
      'Lines without those whose ends are closer to the ends of an earlier one, in either direction, than a tolerance.',
    inputs: [list.line, optional(item.number)],
    solve: ([lines, tolerance = DEFAULT_TOLERANCE], context) => [
      listDistinct(present(lines), ARE_LINES, tolerance, context),
    ],
  }),
]

const DEFAULT_TOLERANCE = 0.01

/** How far apart two values of a type are. */
interface Metric<T> {
  /** A place that is no further from that of another value than `measure`. */
  locate(value: T): Xyz
  measure(a: T, b: T): number
}

const ARE_POINTS: Metric<Point> = { locate: (point) => point, measure: distance }

const ARE_LINES: Metric<Line> = {
  locate: ({ from, to }) => interpolate(from, to, 0.5),
  measure: (a, b) =>
    Math.min(
      Math.max(distance(a.from, b.from), distance(a.to, b.to)),
      Math.max(distance(a.from, b.to), distance(a.to, b.from)),
    ),
}

/** Returns the values that are not near an earlier one of the result. */
function listDistinct<T>(
  values: readonly T[],
  { locate, measure }: Metric<T>,
  tolerance: number,
  context: KindContext,
): T[] {
  const grid = createPointGrid<T>(tolerance)
  const distinct: T[] = []
  for (const value of values) {
    context.reserve(1, POINT_BYTES)
    const at = locate(value)
    if (grid.listNear(at).some((earlier) => measure(earlier, value) < tolerance)) continue
    distinct.push(value)
    grid.add(value, at)
  }
  if (distinct.length < values.length) {
    context.approximate('Which of the values that are combined stays, and their order, is not published')
  }
  return distinct
}
