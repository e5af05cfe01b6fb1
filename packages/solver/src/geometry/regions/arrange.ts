import { checkpoint } from '../../budget/budget.ts'
import { findBoundsOfPoints } from '../../values/bounding-box.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import { toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { distance, ORIGIN } from '../../values/vector.ts'
import { integrateRegion, samplePoints } from '../breps/region.ts'
import { listBeziers } from '../curve-intersection/bezier.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { getLength } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { splitCurve } from '../curves/split.ts'
import { findMeets, type Shape } from './meets.ts'
import { createVertexIndex } from './vertices.ts'

/** A closed curve in the plane of regions. */
export interface Loop {
  readonly curve: Curve
  /** The set of regions that it belongs to. */
  readonly set: number
  readonly isCounterClockwise: boolean
  readonly bounds: Bounds
}

interface Bounds {
  readonly min: Xyz
  readonly max: Xyz
}

/** The bounding box of the control points, in coordinates of a plane. */
function findControlBounds(curve: Curve, plane: Plane): Bounds {
  const points = listBeziers(curve).flatMap(({ points }) =>
    points.map(({ x, y, z, w }) => toLocal(plane, { x: x / w, y: y / w, z: z / w })),
  )
  return findBoundsOfPoints(points) ?? { min: ORIGIN, max: ORIGIN }
}

/** A part of a loop between two meeting points, in the direction of the loop. */
export interface Edge {
  readonly curve: Shape
  readonly loop: number
  /** The line, arc or NURBS curve of the loop that it is part of; the domain of `curve` is that of the part. */
  readonly source: Shape
  /** Numbers of its ends. */
  readonly from: number
  readonly to: number
}

/** An edge with the loops that run along it. `isAlong` is false for loops of the other direction. */
export interface SharedEdge {
  readonly edge: Edge
  readonly uses: readonly { readonly loop: number; readonly isAlong: boolean }[]
}

/** Why regions cannot be combined. */
export type RegionFault = 'open' | 'bent' | 'flat' | 'crosses itself' | 'nested' | 'unclear'

/** The loop of a curve; a fault if it is not closed or not in the plane, or encloses nothing. */
export function createLoop(curve: Curve, set: number, plane: Plane, tolerance: number): Loop | RegionFault {
  if (distance(getStart(curve), getEnd(curve)) > tolerance) return 'open'
  const points = samplePoints(curve)
  if (points.some((point) => Math.abs(toLocal(plane, point).z) > tolerance)) return 'bent'
  const bounds = findControlBounds(curve, plane)
  const { area } = integrateRegion([curve], plane)
  if (!(Math.abs(area) > tolerance * tolerance)) return 'flat'
  return { curve, set, isCounterClockwise: area > 0, bounds }
}

interface Piece {
  readonly shape: Shape
  readonly loop: number
  readonly bounds: Bounds
  readonly cuts: number[]
}

/** The edges into which loops divide each other; a fault if a loop crosses itself. */
export function arrange(loops: readonly Loop[], plane: Plane, tolerance: number): SharedEdge[] | RegionFault {
  const pieces = loops.flatMap(({ curve }, loop) =>
    listPieces(curve).map(({ shape }): Piece => {
      return { shape, loop, bounds: findControlBounds(shape, plane), cuts: [] }
    }),
  )
  for (const [i, a] of pieces.entries()) {
    for (let j = i + 1; j < pieces.length; j++) {
      checkpoint()
      const b = pieces[j] as Piece
      if (!overlap(a.bounds, b.bounds, tolerance)) continue
      const meets = findMeets(a.shape, b.shape, tolerance)
      if (!meets) return 'unclear'
      for (const meet of meets) {
        if (
          a.loop === b.loop &&
          !(isAtEnd(a.shape, meet.a, tolerance) && isAtEnd(b.shape, meet.b, tolerance))
        ) {
          return 'crosses itself'
        }
        a.cuts.push(meet.a)
        b.cuts.push(meet.b)
      }
    }
  }
  return share(cutAll(pieces, tolerance), tolerance)
}

function overlap(a: Bounds, b: Bounds, tolerance: number): boolean {
  return (['x', 'y'] as const).every(
    (axis) => a.min[axis] - tolerance <= b.max[axis] && b.min[axis] - tolerance <= a.max[axis],
  )
}

function isAtEnd(shape: Shape, t: number, tolerance: number): boolean {
  const point = getPoint(shape, t)
  return Math.min(distance(point, getStart(shape)), distance(point, getEnd(shape))) <= 2 * tolerance
}

function cutAll(pieces: readonly Piece[], tolerance: number): Edge[] {
  const toVertex = createVertexIndex(2 * tolerance)
  const edges: Edge[] = []
  for (const { shape, loop, cuts } of pieces) {
    for (const part of splitCurve(shape, cuts) as Shape[]) {
      checkpoint()
      const [from, to] = [toVertex(getStart(part)), toVertex(getEnd(part))]
      // What is left between points that count as one.
      if (from === to && getLength(part) <= 8 * tolerance) continue
      edges.push({ curve: part, loop, source: shape, from, to })
    }
  }
  return edges
}

/** Unites edges that lie on each other. */
function share(edges: readonly Edge[], tolerance: number): SharedEdge[] {
  const shared = new Map<string, { edge: Edge; uses: { loop: number; isAlong: boolean }[] }[]>()
  for (const edge of edges) {
    const key = edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`
    const known = shared.get(key) ?? []
    const same = known.find((other) => lieOnEachOther(other.edge, edge, tolerance))
    if (same) same.uses.push({ loop: edge.loop, isAlong: runsAlong(same.edge, edge) })
    else known.push({ edge, uses: [{ loop: edge.loop, isAlong: true }] })
    shared.set(key, known)
  }
  return [...shared.values()].flat()
}

function lieOnEachOther(one: Edge, other: Edge, tolerance: number): boolean {
  checkpoint()
  return [0.25, 0.5, 0.75].every((share) => {
    const found = findClosestPoint(one.curve, getPoint(other.curve, at(other.curve, share)))
    return found !== undefined && found.distance <= 2 * tolerance
  })
}

function runsAlong(one: Edge, other: Edge): boolean {
  if (one.from !== one.to) return one.from === other.from
  const [first, second] = [0.25, 0.5].map((share) =>
    findClosestPoint(one.curve, getPoint(other.curve, at(other.curve, share))),
  )
  return (first?.parameter ?? 0) < (second?.parameter ?? 0)
}

function at(curve: Curve, share: number): number {
  const { start, end } = getCurveDomain(curve)
  return start + (end - start) * share
}

/** The middle of an edge, which is inside or outside of each loop that does not run along it. */
export function getMiddle({ curve }: Edge): Xyz {
  return getPoint(curve, at(curve, 0.5))
}

export function isInsideLoop({ curve, bounds }: Loop, plane: Plane, point: Xyz): boolean {
  const { x, y } = toLocal(plane, point)
  if (x < bounds.min.x || x > bounds.max.x || y < bounds.min.y || y > bounds.max.y) return false
  return getWindingNumber(curve, plane, point) !== 0
}
