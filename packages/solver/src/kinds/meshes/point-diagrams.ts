import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { fitPlane } from '@meadow/geometry/fit-plane'
import { findConvexHull } from '@meadow/geometry/meshes/convex-hull'
import { sortWithoutRepeats, triangulatePoints } from '@meadow/geometry/meshes/delaunay'
import { createPredicates } from '@meadow/geometry/meshes/predicates'
import { findCell, listNeighbours } from '@meadow/geometry/meshes/voronoi'
import { findVoronoiSolids } from '@meadow/geometry/solids/voronoi-solids'
import { line, type Polyline, polyline, type Rectangle } from '@meadow/geometry/values/curves'
import { pointAt, toLocal } from '@meadow/geometry/values/planes'
import { type Plane, type Point, toXyz, type Xyz } from '@meadow/geometry/values/points'
import { dot } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

const UNCLEAR_POINTS = 'Points in one line, and points in the same place, are not supported'

/** Diagrams of points, as seen along the normal of a plane. */
export const POINT_DIAGRAMS: readonly Kind[] = [
  defineKind({
    guid: '9d0c5284-ea24-4f9f-a183-ef57fc48b5b8',
    description:
      'The convex polygon around points, flat in a plane and through the points, and the indices of its corners.',
    solve: ([points, plane], context) => {
      const known = listKnown(points, plane, context)
      const corners = findConvexHull(known.map(({ local }) => local)).map((corner) => known[corner] as Known)
      if (corners.length === 0) {
        context.error('Three points that are not in one line are needed')
        return []
      }
      if (hasRepeats(known)) context.approximate('Of points in one place, Rhino may have another index')
      return [
        close(corners.map(({ local }) => pointAt(plane, local.x, local.y))),
        close(corners.map(({ location }) => location)),
        corners.map(({ index }) => index),
      ]
    },
  }),
  defineKind({
    guid: 'db2a4d25-23fa-4887-8983-ee5293cc82c0',
    description:
      'The edges of the Delaunay triangles between points, and the points that each point is connected to.',
    solve: ([points, plane], context) => {
      const base = plane ?? fitPlane(points.flatMap((location) => location ?? []))?.plane
      const known = base ? listKnown(points, base, context) : []
      const found = findNeighbours(known)
      if (!found || found.areInLine) {
        context.limit(UNCLEAR_POINTS)
        return []
      }
      const { neighbours } = found
      context.approximate(
        'In Rhino, edges may be in another order, and points on one circle connected otherwise',
      )
      const edges = neighbours.flatMap((own, a) => own.filter((b) => b > a).map((b) => [a, b] as const))
      return [
        {
          branches: neighbours.map((own, i) => ({
            path: [...context.path, i],
            values: own.map((other) => (known[other] as Known).index),
          })),
        },
        edges.map(([a, b]) => line((known[a] as Known).location, (known[b] as Known).location)),
      ]
    },
  }),
  defineKind({
    guid: 'a4011be0-1c91-45bd-8280-17dd3a9f46f1',
    description: 'The part of a rectangle that is closest to each point.',
    // Which of two algorithms is used.
    options: { bruteForceOverride: 'boolean' },
    solve: ([points, radius, boundary, plane], context) => {
      if (radius !== undefined || !boundary) {
        context.limit('Voronoi cells are solved inside of a boundary and without a radius')
        return []
      }
      const known = listKnown(points, boundary.plane, context)
      const found = findNeighbours(known)
      // Points on one line are in many planes.
      if (!found || (found.areInLine && !plane)) {
        context.limit(UNCLEAR_POINTS)
        return []
      }
      const isInside = ({ local }: Known) =>
        isWithin(local, boundary) && Math.abs(local.z) <= context.tolerance
      if (!known.every(isInside) || (plane && !areLevel(plane, boundary.plane, context.tolerance))) {
        context.limit('Points and planes outside of the boundary are not supported')
        return []
      }
      context.approximate('In Rhino, the cells may start at another corner and run in the other direction')
      return [
        known.map(({ local }, i) => createCell(local, found.neighbours[i] as number[], known, boundary)),
      ]
    },
  }),
]

/** How much memory a Voronoi solid takes: about 15 faces with 80 corners, each in several places. */
const SOLID_BYTES = 400 * POINT_BYTES

export const POINT_SOLIDS: readonly Kind[] = [
  defineKind({
    guid: 'ba9bb57a-61cf-4207-a1c4-994e371ba4f9',
    description: 'The part of a box that is closest to each point, and whether it is at a side of the box.',
    solve: ([points, box], context) => {
      if (!box) {
        context.limit('Voronoi cells are solved inside of a box')
        return []
      }
      context.reserve(points.length, SOLID_BYTES)
      const cells = findVoronoiSolids(present(points), box)
      if (!cells) {
        context.limit('Points that are not inside of the box, or in the same place, are not supported')
        return []
      }
      context.approximate('In Rhino, the faces of the cells may be in another order')
      return [cells.map(({ brep }) => brep), cells.map(({ isAtBoundary }) => isAtBoundary)]
    },
  }),
  defineKind({
    guid: '7b181be1-30e7-4a97-915a-1b461741aef8',
    description: 'The part of a box that is closer to a point than to others.',
    solve: ([point, neighbours, box], context) => {
      if (!box) {
        context.limit('Voronoi cells are solved inside of a box')
        return []
      }
      context.reserve(neighbours.length + 1, SOLID_BYTES)
      const cells = findVoronoiSolids([point, ...present(neighbours)], box)
      if (cells) context.approximate('In Rhino, the faces of the cell may be in another order')
      else context.limit('Points that are not inside of the box, or in the same place, are not supported')
      return [cells?.[0]?.brep]
    },
  }),
]

/** A point of a list, its index there, and its coordinates in a plane. */
interface Known {
  readonly location: Xyz
  readonly index: number
  readonly local: Xyz
}

function listKnown(points: readonly (Point | null)[], plane: Plane, context: KindContext): Known[] {
  // There are about twice as many triangles as points, each with three half edges.
  context.reserve(3 * points.length, 3 * POINT_BYTES)
  return points.flatMap((location, index) =>
    location ? [{ location: toXyz(location), index, local: toLocal(plane, location) }] : [],
  )
}

function hasRepeats(known: readonly Known[]): boolean {
  const locals = known.map(({ local }) => local)
  return sortWithoutRepeats(known.length, createPredicates(locals)).length < known.length
}

/**
 * The neighbours of each point: the ends of Delaunay edges, or those before and after on one line. Undefined for points
 * in the same place.
 */
function findNeighbours(known: readonly Known[]): { neighbours: number[][]; areInLine: boolean } | undefined {
  const locals = known.map(({ local }) => local)
  const order = sortWithoutRepeats(known.length, createPredicates(locals))
  if (order.length < known.length) return undefined
  const triangles = triangulatePoints(locals)
  if (triangles.length > 0) return { neighbours: listNeighbours(known.length, triangles), areInLine: false }
  const neighbours = known.map((): number[] => [])
  for (const [place, index] of order.entries()) {
    neighbours[index] = [...order.slice(Math.max(0, place - 1), place), ...order.slice(place + 1, place + 2)]
  }
  return { neighbours, areInLine: true }
}

function createCell(
  site: Xyz,
  neighbours: readonly number[],
  known: readonly Known[],
  boundary: Rectangle,
): Polyline {
  const others = neighbours.map((other) => (known[other] as Known).local)
  return close(findCell(site, others, boundary).map(({ x, y }) => pointAt(boundary.plane, x, y)))
}

function isWithin({ x, y }: Xyz, boundary: Rectangle): boolean {
  const isBetween = (value: number, { start, end }: Rectangle['x']) =>
    value > Math.min(start, end) && value < Math.max(start, end)
  return isBetween(x, boundary.x) && isBetween(y, boundary.y)
}

function areLevel(a: Plane, b: Plane, tolerance: number): boolean {
  return Math.abs(toLocal(a, b.origin).z) <= tolerance && Math.abs(dot(a.zAxis, b.zAxis)) > 1 - 1e-12
}

function close(vertices: readonly Xyz[]): Polyline {
  return polyline([...vertices, ...vertices.slice(0, 1)].map(toXyz))
}
