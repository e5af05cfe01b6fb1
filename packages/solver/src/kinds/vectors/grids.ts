import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { type Polyline, polyline, type Rectangle } from '@meadow/geometry/values/curves'
import { pointAt } from '@meadow/geometry/values/planes'
import type { Plane, Point } from '@meadow/geometry/values/points'
import { domain } from '@meadow/geometry/values/value'
import type { Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { tree } from '../declaration/ports.ts'

export const GRIDS: readonly Kind[] = [
  defineKind({
    guid: '717a1e25-a075-4530-bc80-d43ecc2500d9',
    description: 'A grid of squares and their corners, with a branch for each column along x.',
    outputs: [tree.rectangle, tree.point],
    solve: ([plane, size, countX, countY], context) =>
      layRectangles(plane, size, size, countX, countY, context),
  }),
  defineKind({
    guid: '1a25aae0-0b56-497a-85b2-cc5bf7e4b96b',
    description: 'A grid of rectangles and their corners, with a branch for each column along x.',
    outputs: [tree.rectangle, tree.point],
    solve: ([plane, sizeX, sizeY, countX, countY], context) =>
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
): [cells: Tree<Rectangle>, points: Tree<Point>] | [] {
  if (!isGrid(sizeX, sizeY, countX, countY, context)) return []
  context.reserve(2 * (countX + 1) * (countY + 1), 2 * POINT_BYTES)
  return [
    layRows(
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
    layRows(context, countX + 1, countY + 1, (i, j): Point => pointAt(plane, i * sizeX, j * sizeY)),
  ]
}

type Uv = readonly [u: number, v: number]

/** Layouts: compared with Grasshopper 8 in github.com/ezzahiranass/pyhopper, tests/golden/components/Vector. */
export const OTHER_GRIDS: readonly Kind[] = [
  defineKind({
    guid: '125dc122-8544-4617-945e-bb9a0c101c50',
    description:
      'A grid of hexagons and their centres, the first at the origin, with a branch for each column along x.',
    solve: ([plane, size, countX, countY], context) => {
      if (!isGrid(size, size, countX, countY, context)) return []
      context.reserve(8 * countX * countY, POINT_BYTES)
      const [width, height] = [1.5 * size, Math.sqrt(3) * size]
      const getCentre = (i: number, j: number) => [i * width, (j + (i % 2) / 2) * height] as const
      return [
        layRows(context, countX, countY, (i, j) => createHexagon(plane, size, getCentre(i, j))),
        layRows(context, countX, countY, (i, j) => createPoint(plane, getCentre(i, j))),
      ]
    },
  }),
  defineKind({
    guid: '86a9944b-dea5-4126-9433-9e95ff07927a',
    description:
      'A grid of triangles, alternately upside down, and their centroids, with a branch for each column.',
    solve: ([plane, size, countX, countY], context) => {
      if (!isGrid(size, size, countX, countY, context)) return []
      context.reserve(5 * countX * countY, POINT_BYTES)
      return [
        layRows(context, countX, countY, (i, j) => createCell(plane, listTriangle(size, i, j))),
        layRows(context, countX, countY, (i, j) => {
          const [a, b, c] = listTriangle(size, i, j)
          return createPoint(plane, [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3])
        }),
      ]
    },
  }),
  defineKind({
    guid: '66eedc35-187d-4dab-b49b-408491b1255f',
    description:
      'A radial grid of cells and their corners, clockwise from the y axis, with a branch for each ring.',
    solve: ([plane, size, rings, sectors], context) => {
      if (!isGrid(size, size, rings, sectors, context)) return []
      context.reserve(6 * (rings + 1) * sectors, POINT_BYTES)
      const at = (ring: number, sector: number): Uv => {
        const angle = Math.PI / 2 - (sector * 2 * Math.PI) / sectors
        return [ring * size * Math.cos(angle), ring * size * Math.sin(angle)]
      }
      return [
        layRows(context, rings, sectors, (ring, sector) => {
          const outer = [at(ring + 1, sector), at(ring + 1, sector + 1)]
          return createCell(plane, [at(ring, sector), ...outer, ...(ring > 0 ? [at(ring, sector + 1)] : [])])
        }),
        layRows(context, rings + 1, sectors, (ring, sector) => createPoint(plane, at(ring, sector))),
      ]
    },
  }),
]

function createPoint(plane: Plane, [u, v]: Uv): Point {
  return pointAt(plane, u, v)
}

function createCell(plane: Plane, corners: readonly Uv[]): Polyline {
  return polyline([...corners, ...corners.slice(0, 1)].map((corner) => createPoint(plane, corner)))
}

/** Creates a hexagon with two corners in the x direction from its centre. */
function createHexagon(plane: Plane, size: number, [x, y]: Uv): Polyline {
  const corners = Array.from({ length: 6 }, (_, i): Uv => {
    const angle = (i * Math.PI) / 3
    return [x + size * Math.cos(angle), y + size * Math.sin(angle)]
  })
  return createCell(plane, corners)
}

/** Lists the corners of a triangle, which is upside down in every other cell of a column and a row. */
function listTriangle(size: number, i: number, j: number): readonly [Uv, Uv, Uv] {
  const [left, middle, right] = [(i * size) / 2, ((i + 1) * size) / 2, ((i + 2) * size) / 2]
  const height = (size * Math.sqrt(3)) / 2
  const [bottom, top] = [j * height, (j + 1) * height]
  return (i + j) % 2 === 0
    ? [
        [left, bottom],
        [right, bottom],
        [middle, top],
      ]
    : [
        [middle, bottom],
        [right, top],
        [left, top],
      ]
}

/** Whether the sizes and counts of a grid are valid; otherwise adds an error. */
function isGrid(sizeX: number, sizeY: number, countX: number, countY: number, context: KindContext): boolean {
  if (!(Number.isFinite(sizeX * sizeY) && sizeX * sizeY !== 0)) context.error('Cells need a size')
  else if (countX < 1 || countY < 1) context.error('A grid needs one cell or more in each direction')
  else return true
  return false
}

/** One branch for each row, below the path of the run. */
function layRows<T>(
  { path }: KindContext,
  countX: number,
  countY: number,
  make: (i: number, j: number) => T,
) {
  const branches = Array.from({ length: countX }, (_, i) => ({
    path: [...path, i],
    values: Array.from({ length: countY }, (__, j) => make(i, j)),
  }))
  return { branches }
}
