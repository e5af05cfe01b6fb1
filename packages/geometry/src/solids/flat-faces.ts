import { checkpoint } from '../budget/budget.ts'
import { findVertices } from '../curves/vertices.ts'
import { type Bounds, findBoundsOfPoints } from '../values/bounding-box.ts'
import type { Brep, BrepFace, BrepLoop } from '../values/brep.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromAxes, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { addScaled, areEqual, cross, distance, dot, length, scale, subtract } from '../values/vector.ts'

/** A face whose surface is flat and whose edges are straight. */
export interface FlatFace {
  /** The normal is that of the outside. */
  readonly plane: Plane
  /** The outer loop first; counter-clockwise around the normal, holes clockwise. */
  readonly loops: readonly (readonly Xyz[])[]
  readonly bounds: Bounds
  readonly area: number
  /** The number of its shape among those that are combined. */
  readonly shape: number
  readonly source: BrepFace
}

/** The faces of a brep; undefined if one of them is curved or has a bent edge. */
export function findFlatFaces(brep: Brep, shape: number, tolerance: number): FlatFace[] | undefined {
  const faces: FlatFace[] = []
  for (const source of brep.faces) {
    const loops: Xyz[][] = []
    for (const loop of source.loops) {
      const vertices = findLoop(brep, loop, tolerance)
      if (!vertices) return undefined
      if (vertices.length > 2) loops.push(source.isReversed ? vertices.reverse() : vertices)
    }
    const [outer] = loops
    const bounds = outer && findBoundsOfPoints(outer)
    if (!outer || !bounds) continue
    const { plane, area } = fitPlane(outer)
    if (!plane) continue
    checkpoint(source.surface.points.length)
    if (!isNear(loops, plane, tolerance) || !isFlat(source.surface, plane, loops, tolerance)) return undefined
    faces.push({ plane, loops, bounds, area, shape, source })
  }
  return faces
}

function isNear(rows: readonly (readonly Xyz[])[], plane: Plane, tolerance: number): boolean {
  return rows.every((row) => row.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance))
}

/**
 * Whether a surface is in the plane of its face; or in a plane of its own that the face is near to: that of a narrow
 * face is tilted when its vertices are next to the surface instead of on it, and far from the rest of the surface.
 */
function isFlat(surface: NurbsSurface, plane: Plane, loops: FlatFace['loops'], tolerance: number): boolean {
  const { points } = surface
  if (isNear(points, plane, tolerance)) return true
  const ends = points.slice(1, -1)
  const outline = [
    ...(points[0] ?? []),
    ...ends.map((row) => row.at(-1) as Xyz),
    ...(points.at(-1)?.toReversed() ?? []),
    ...ends.map((row) => row[0] as Xyz).reverse(),
  ]
  const own = fitPlane(outline).plane
  return own !== undefined && isNear([...points, ...loops], own, tolerance)
}

/** The vertices along a loop, each once; undefined if an edge is bent. */
function findLoop({ edges }: Brep, loop: BrepLoop, tolerance: number): Xyz[] | undefined {
  const vertices: Xyz[] = []
  for (const { edge, isReversed } of loop) {
    if (edge === undefined) continue
    const straight = findStraight(edges[edge]?.curve as Curve, tolerance)
    if (!straight) return undefined
    checkpoint(straight.length)
    // The last vertex is the first of the next edge.
    for (const vertex of (isReversed ? straight.toReversed() : straight).slice(0, -1)) {
      const last = vertices.at(-1)
      if (!last || !areEqual(last, vertex, tolerance)) vertices.push(vertex)
    }
  }
  const [first, last] = [vertices[0], vertices.at(-1)]
  if (first && last && vertices.length > 1 && areEqual(first, last, tolerance)) vertices.pop()
  return vertices
}

/** The vertices of an edge; its ends if it is a curve along a straight line. */
function findStraight(curve: Curve, tolerance: number): readonly Xyz[] | undefined {
  const vertices = findVertices(curve)
  if (vertices || curve.type !== 'nurbsCurve') return vertices
  const [from, to] = [curve.points[0], curve.points.at(-1)]
  if (!from || !to) return undefined
  const isNear = (point: Xyz) => findDistanceToSegment(point, from, to) <= tolerance / 10
  return curve.points.every(isNear) ? [from, to] : undefined
}

export function findDistanceToSegment(point: Xyz, from: Xyz, to: Xyz): number {
  const along = subtract(to, from)
  const square = dot(along, along)
  const t = square > 0 ? Math.min(1, Math.max(0, dot(subtract(point, from), along) / square)) : 0
  return distance(point, addScaled(from, along, t))
}

/** The plane of a polygon that runs counter-clockwise around its normal, along its longest side. */
function fitPlane(polygon: readonly Xyz[]): { plane: Plane | undefined; area: number } {
  const origin = polygon[0] as Xyz
  let normal: Xyz = { x: 0, y: 0, z: 0 }
  let side: Xyz = normal
  for (const [i, vertex] of polygon.entries()) {
    const next = polygon[(i + 1) % polygon.length] as Xyz
    normal = addScaled(normal, cross(subtract(vertex, origin), subtract(next, origin)), 0.5)
    const along = subtract(next, vertex)
    if (length(along) > length(side)) side = along
  }
  const area = length(normal)
  const unit = scale(normal, 1 / area)
  return { plane: area > 0 ? findPlaneFromAxes(origin, side, cross(unit, side)) : undefined, area }
}

/**
 * Returns how often closed faces enclose a point that is not on any of them: 1 inside, 0 outside.
 * Source: the solid angle of a triangle, Van Oosterom and Strackee 1983.
 */
export function getWindingAround(faces: readonly FlatFace[], point: Xyz, tolerance: number): number {
  let angle = 0
  for (const { loops, plane } of faces) {
    // A face appears as a line from points of its plane.
    if (Math.abs(toLocal(plane, point).z) <= tolerance * 1e-4) continue
    for (const loop of loops) {
      checkpoint(loop.length)
      const apex = subtract(loop[0] as Xyz, point)
      for (let i = 1; i + 1 < loop.length; i++) {
        angle += getSolidAngle(apex, subtract(loop[i] as Xyz, point), subtract(loop[i + 1] as Xyz, point))
      }
    }
  }
  return angle / (4 * Math.PI)
}

function getSolidAngle(a: Xyz, b: Xyz, c: Xyz): number {
  const [la, lb, lc] = [length(a), length(b), length(c)]
  const volume = dot(a, cross(b, c))
  return 2 * Math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
}
