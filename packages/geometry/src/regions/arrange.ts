import { createVertexGrid } from '../breps/brep-builder.ts'
import { integrateRegion, samplePoints } from '../breps/region.ts'
import { checkpoint } from '../budget/budget.ts'
import { halveBezier, listBeziers } from '../curve-intersection/bezier.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import type { Weighted } from '../curves/knots.ts'
import { getLength } from '../curves/length.ts'
import { listPieces } from '../curves/pieces.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { splitCurve } from '../curves/split.ts'
import { type Bounds, findBoundsOfPoints } from '../values/bounding-box.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, findUnit, ORIGIN, subtract } from '../values/vector.ts'
import { findMeets, type Shape } from './meets.ts'
import { listClosePairs } from './pairs.ts'

/** A closed curve in the plane of regions. */
export interface Loop {
  readonly curve: Curve
  /** The set of regions that it belongs to. */
  readonly set: number
  /** Positive for a loop that runs counter-clockwise. */
  readonly area: number
  /** The bounding box of the control points, in coordinates of the plane. */
  readonly bounds: Bounds
}

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

/** An edge, and the edges of all loops that lie on it. `isAlong` is false for those of the other direction. */
export interface SharedEdge {
  readonly edge: Edge
  readonly uses: readonly { readonly edge: Edge; readonly loop: number; readonly isAlong: boolean }[]
}

/** Why regions cannot be combined. */
export type RegionFault = 'open' | 'bent' | 'flat' | 'crosses itself' | 'nested' | 'unclear'

/** The loop of a curve; a fault if it is not closed or not in the plane. */
export function createLoop(curve: Curve, set: number, plane: Plane, tolerance: number): Loop | RegionFault {
  if (distance(getStart(curve), getEnd(curve)) > tolerance) return 'open'
  const points = samplePoints(curve)
  if (points.some((point) => Math.abs(toLocal(plane, point).z) > tolerance)) return 'bent'
  return toLoop(curve, set, plane)
}

/** The loop of a curve that is closed and in the plane. */
export function toLoop(curve: Curve, set: number, plane: Plane): Loop {
  const { area } = integrateRegion([curve], plane)
  return { curve, set, area, bounds: findControlBounds(curve, plane) }
}

interface Piece {
  readonly shape: Shape
  readonly source: Shape
  readonly loop: number
  readonly bounds: Bounds
  readonly cuts: number[]
}

/**
 * The edges into which loops divide each other and themselves, in the order of the loops; those that lie on each other
 * are shared. Undefined where it is unclear how curves lie on each other.
 */
export function arrange(
  loops: readonly Loop[],
  plane: Plane,
  tolerance: number,
): { edges: Edge[]; shared: SharedEdge[] } | undefined {
  const pieces = loops.flatMap(({ curve }, loop) =>
    listPieces(curve).flatMap(({ shape: source }) =>
      cutLoops(source).map((shape): Piece => {
        return { shape, source, loop, bounds: findControlBounds(shape, plane), cuts: [] }
      }),
    ),
  )
  for (const [i, j] of listClosePairs(
    pieces.map(({ bounds }) => bounds),
    tolerance,
  )) {
    checkpoint()
    const [a, b] = [pieces[i] as Piece, pieces[j] as Piece]
    if (a.source === b.source && a.loop === b.loop && j === i + 1) continue
    const meets = findMeets(a.shape, b.shape, tolerance)
    if (!meets) return undefined
    for (const meet of meets) {
      a.cuts.push(meet.a)
      b.cuts.push(meet.b)
    }
  }
  const edges = cutAll(pieces, tolerance)
  return { edges, shared: share(edges, tolerance) }
}

/** A part of a curve whose control polygon turns by less than this does not meet itself, nor the next such part. */
const MOST_TURN = Math.PI / 2

/** Parts of a NURBS curve that do not meet themselves; other shapes never do. */
function cutLoops(shape: Shape): Shape[] {
  if (shape.type !== 'nurbsCurve' || shape.degree === 1) return [shape]
  const cuts: number[] = []
  const halve = (points: readonly Weighted[], from: number, to: number, depth: number): void => {
    checkpoint()
    if (depth === 0 || getTurn(points) < MOST_TURN) return
    const middle = (from + to) / 2
    const [left, right] = halveBezier(points)
    halve(left, from, middle, depth - 1)
    cuts.push(middle)
    halve(right, middle, to, depth - 1)
  }
  for (const { points, start, end } of listBeziers(shape)) {
    cuts.push(start)
    halve(points, start, end, MOST_HALVINGS)
  }
  return splitCurve(shape, cuts) as Shape[]
}

const MOST_HALVINGS = 8

/** The sum of the angles by which a control polygon turns. */
function getTurn(points: readonly Weighted[]): number {
  const places = points.map(({ x, y, z, w }) => ({ x: x / w, y: y / w, z: z / w }))
  const sides = places.slice(1).flatMap((place, i) => findUnit(subtract(place, places[i] as Xyz)) ?? [])
  return sides.slice(1).reduce((sum, side, i) => {
    return sum + Math.acos(Math.max(-1, Math.min(1, dot(side, sides[i] as Xyz))))
  }, 0)
}

function cutAll(pieces: readonly Piece[], tolerance: number): Edge[] {
  const grid = createVertexGrid(2 * tolerance)
  const edges: Edge[] = []
  for (const { shape, source, loop, cuts } of pieces) {
    for (const part of splitCurve(shape, cuts) as Shape[]) {
      checkpoint()
      const [from, to] = [grid.take(getStart(part)), grid.take(getEnd(part))]
      // Such a part is left between points that count as one.
      if (from === to && getLength(part) <= 8 * tolerance) continue
      edges.push({ curve: part, loop, source, from, to })
    }
  }
  return edges
}

/** Unites edges that lie on each other. */
function share(edges: readonly Edge[], tolerance: number): SharedEdge[] {
  const shared = new Map<string, { edge: Edge; uses: { edge: Edge; loop: number; isAlong: boolean }[] }[]>()
  for (const edge of edges) {
    const key = edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`
    const known = shared.get(key) ?? []
    const same = known.find((other) => lieOnEachOther(other.edge, edge, tolerance))
    if (same) same.uses.push({ edge, loop: edge.loop, isAlong: runsAlong(same.edge, edge) })
    else known.push({ edge, uses: [{ edge, loop: edge.loop, isAlong: true }] })
    shared.set(key, known)
  }
  return [...shared.values()].flat()
}

function lieOnEachOther(one: Edge, other: Edge, tolerance: number): boolean {
  checkpoint()
  // Lines and arcs have the same ends.
  if (one.curve.type !== 'nurbsCurve' && other.curve.type !== 'nurbsCurve') {
    return distance(getMiddle(one), getMiddle(other)) <= 2 * tolerance
  }
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

export function isInsideLoop(
  { curve, bounds }: Pick<Loop, 'curve' | 'bounds'>,
  plane: Plane,
  point: Xyz,
): boolean {
  const { x, y } = toLocal(plane, point)
  if (x < bounds.min.x || x > bounds.max.x || y < bounds.min.y || y > bounds.max.y) return false
  return getWindingNumber(curve, plane, point) !== 0
}
