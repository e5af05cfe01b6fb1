import { POINT_BYTES } from '../../budget/budget.ts'
import type { Rectangle } from '../../values/curves.ts'
import { pointAt } from '../../values/planes.ts'
import type { Plane, Point } from '../../values/points.ts'
import { domain } from '../../values/value.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, tree } from '../ports.ts'
import { isGrid, layRows } from './grid-rows.ts'

export const GRIDS: readonly Kind[] = [
  defineKind({
    guid: '717a1e25-a075-4530-bc80-d43ecc2500d9',
    description: 'A grid of squares and their corners: a branch for each step along x, in it those along y.',
    inputs: { plane: item.plane, size: item.number, countX: item.integer, countY: item.integer },
    outputs: { cells: tree.rectangle, points: tree.point },
    solve: ({ plane, size, countX, countY }, context) =>
      layRectangles(plane, size, size, countX, countY, context),
  }),
  defineKind({
    guid: '1a25aae0-0b56-497a-85b2-cc5bf7e4b96b',
    description:
      'A grid of rectangles and their corners: a branch for each step along x, in it those along y.',
    inputs: {
      plane: item.plane,
      sizeX: item.number,
      sizeY: item.number,
      countX: item.integer,
      countY: item.integer,
    },
    outputs: { cells: tree.rectangle, points: tree.point },
    solve: ({ plane, sizeX, sizeY, countX, countY }, context) =>
      layRectangles(plane, sizeX, sizeY, countX, countY, context),
  }),
]

function layRectangles(
  plane: Plane,
  sizeX: number,
  sizeY: number,
  countX: number,
  countY: number,
  context: KindContext,
) {
  if (!isGrid(sizeX, sizeY, countX, countY, context)) return {}
  context.reserve(2 * (countX + 1) * (countY + 1), 2 * POINT_BYTES)
  return {
    cells: layRows(
      context,
      countX,
      countY,
      (i, j): Rectangle => ({
        type: 'rectangle',
        plane,
        x: domain(i * sizeX, (i + 1) * sizeX),
        y: domain(j * sizeY, (j + 1) * sizeY),
      }),
    ),
    points: layRows(context, countX + 1, countY + 1, (i, j): Point => pointAt(plane, i * sizeX, j * sizeY)),
  }
}
