import { checkpoint } from '../budget/budget.ts'
import { joinCurves } from '../curve-editing/join.ts'
import { findPlaneCrossings } from '../curve-intersection/intersect-plane.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { evaluate, getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { findSubCurve, reverseCurve } from '../curves/split.ts'
import { findNormalAt } from '../surfaces/evaluate-surface.ts'
import { getRow, transpose } from '../surfaces/rows.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { getCurveDomain, getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { plane as createPlane, findPlaneFromNormal, toLocal, WORLD_XY } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import {
  areEqual,
  cross,
  distance,
  dot,
  findUnit,
  interpolate,
  subtract,
  X_AXIS,
  Y_AXIS,
  Z_AXIS,
} from '../values/vector.ts'

/** The curves in which a brep meets a plane, and the points where it only touches it. */
export interface BrepSection {
  readonly curves: readonly Curve[]
  readonly points: readonly Xyz[]
}

/**
 * The section of a brep with a plane, where it is exact: of flat faces, of faces in the plane, and of faces that meet
 * the plane along curves of constant u or v, such as those of a cylinder across or along its axis. Undefined for
 * others.
 */
export function cutBrep(brep: Brep, plane: Plane, tolerance: number): BrepSection | undefined {
  const curves: Curve[] = []
  const touches: Xyz[] = []
  const edgesInPlane = new Set<number>()
  for (const face of brep.faces) {
    checkpoint(face.surface.points.length)
    const heights = face.surface.points.map((row) => row.map((point) => toLocal(plane, point).z))
    const all = heights.flat()
    if (all.every((z) => z > tolerance) || all.every((z) => z < -tolerance)) continue
    if (all.every((z) => Math.abs(z) <= tolerance)) {
      for (const { edge } of face.loops.flat()) {
        if (edge === undefined) continue
        // It is not published whether the edge between two faces in the plane belongs to the section.
        if (edgesInPlane.has(edge)) return undefined
        edgesInPlane.add(edge)
        curves.push((brep.edges[edge] as Brep['edges'][number]).curve)
      }
      continue
    }
    const part = cutFlatFace(brep, face, plane, tolerance) ?? cutAlong(face, heights, plane, tolerance)
    if (!part) return undefined
    curves.push(...part.curves)
    touches.push(...part.points)
  }
  const distinct = withoutRepeats(curves, tolerance)
  const isApart = (point: Xyz) => distinct.every((curve) => getGap(curve, point) > tolerance)
  const points = touches.filter(
    (point, i) => isApart(point) && !touches.slice(0, i).some((other) => areEqual(other, point, tolerance)),
  )
  return { curves: joinCurves(distinct, tolerance), points }
}

function getGap(curve: Curve, point: Xyz): number {
  return findClosestPoint(curve, point)?.distance ?? Infinity
}

/** Faces that meet at an edge in the plane both have it. */
function withoutRepeats(curves: readonly Curve[], tolerance: number): Curve[] {
  const distinct: Curve[] = []
  for (const curve of curves) {
    checkpoint(distinct.length)
    const [start, middle, end] = [getStart(curve), getMiddle(curve), getEnd(curve)]
    const isSame = distinct.some((other) => {
      const [from, to] = [getStart(other), getEnd(other)]
      const sameEnds =
        (areEqual(from, start, tolerance) && areEqual(to, end, tolerance)) ||
        (areEqual(from, end, tolerance) && areEqual(to, start, tolerance))
      return sameEnds && getGap(other, middle) <= tolerance
    })
    if (!isSame) distinct.push(curve)
  }
  return distinct
}

function getMiddle(curve: Curve): Xyz {
  const { start, end } = getCurveDomain(curve)
  return getPoint(curve, (start + end) / 2)
}

/** The section of a face whose surface is flat; undefined for others. */
function cutFlatFace(
  brep: Brep,
  { surface, loops }: BrepFace,
  plane: Plane,
  tolerance: number,
): BrepSection | undefined {
  const own = findSurfacePlane(surface, tolerance)
  const along = own && findUnit(cross(own.zAxis, plane.zAxis))
  if (!own || !along) return undefined
  const outlines = loops.map((loop): Curve => {
    const segments = loop.flatMap(({ edge, isReversed }) => {
      const curve = edge === undefined ? undefined : brep.edges[edge]?.curve
      return curve ? [isReversed ? reverseCurve(curve) : curve] : []
    })
    return { type: 'polyCurve', segments }
  })
  const met = outlines.flatMap((outline) =>
    findPlaneCrossings(outline, plane, tolerance).map((t) => getPoint(outline, t)),
  )
  const isOn = (point: Xyz) =>
    outlines.some((outline) => getGap(outline, point) <= tolerance) ||
    outlines.reduce((sum, outline) => sum + getWindingNumber(outline, own, point), 0) !== 0
  return connect(met, along, tolerance, isOn, (from, to) => ({ type: 'line', from, to }))
}

/** The plane of a flat surface, with its normal. */
function findSurfacePlane(surface: NurbsSurface, tolerance: number): Plane | undefined {
  const { u, v } = getSurfaceDomains(surface)
  const normal = findNormalAt(surface, (u.start + u.end) / 2, (v.start + v.end) / 2)
  const plane = normal && findPlaneFromNormal(surface.points[0]?.[0] as Xyz, normal)
  if (!plane) return undefined
  return surface.points.every((row) => row.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance))
    ? plane
    : undefined
}

/** Curves between neighbouring points on a line, where the middle is on the face; other points only touch. */
function connect(
  met: readonly Xyz[],
  along: Xyz,
  tolerance: number,
  isOn: (point: Xyz) => boolean,
  createCurve: (from: Xyz, to: Xyz) => Curve | undefined,
): BrepSection {
  const sorted = met.toSorted((a, b) => dot(subtract(a, b), along))
  const distinct = sorted.filter((point, i) => i === 0 || distance(point, sorted[i - 1] as Xyz) > tolerance)
  const curves: Curve[] = []
  for (let i = 1; i < distinct.length; i++) {
    checkpoint()
    const [from, to] = [distinct[i - 1] as Xyz, distinct[i] as Xyz]
    const curve = isOn(interpolate(from, to, 0.5)) ? createCurve(from, to) : undefined
    if (curve) curves.push(curve)
  }
  return { curves, points: distinct }
}

/** The section of a face whose height over the plane depends on u or on v only. */
function cutAlong(
  face: BrepFace,
  heights: readonly (readonly number[])[],
  plane: Plane,
  tolerance: number,
): BrepSection | undefined {
  const turned = heights[0]?.map((_, j) => heights.map((row) => row[j] as number)) ?? []
  const isStraight = (rows: readonly (readonly number[])[]) =>
    rows.every((row) =>
      row.every((height, j) => Math.abs(height - (rows[0]?.[j] as number)) <= tolerance * 1e-3),
    )
  if (!hasProductWeights(face.surface)) return undefined
  if (isStraight(heights)) return cutAcrossV(face, plane, tolerance)
  if (!isStraight(turned)) return undefined
  const swap = ({ x, y }: Xyz): Xyz => ({ x: y, y: x, z: 0 })
  const loops = face.loops.map((loop) =>
    loop.map((trim) => {
      const { curve } = trim
      if (curve.type === 'polyline')
        return { ...trim, curve: { ...curve, vertices: curve.vertices.map(swap) } }
      return { ...trim, curve: { ...curve, points: curve.points.map(swap) } }
    }),
  )
  return cutAcrossV({ ...face, surface: transpose(face.surface), loops }, plane, tolerance)
}

/** Weights that are products of one factor for u and one for v. */
function hasProductWeights({ weights }: NurbsSurface): boolean {
  const [first] = weights ?? []
  if (!weights || !first) return true
  const corner = first[0] as number
  return weights.every((row) =>
    row.every(
      (w, j) => Math.abs(w * corner - (row[0] as number) * (first[j] as number)) <= 1e-9 * Math.abs(w),
    ),
  )
}

/** The section of a face whose height depends on v only: curves of constant v. */
function cutAcrossV({ surface, loops }: BrepFace, plane: Plane, tolerance: number): BrepSection {
  const curves: Curve[] = []
  const points: Xyz[] = []
  const outlines = loops.map(
    (loop): Curve => ({ type: 'polyCurve', segments: loop.map(({ curve }) => curve) }),
  )
  const { u: across, v: up } = getSurfaceDomains(surface)
  const slack = 1e-7 * Math.max(across.end - across.start, up.end - up.start)
  for (const v of findPlaneCrossings(getRow(surface, 0), plane, tolerance)) {
    const iso = createIso(surface, v)
    const level = createPlane({ x: 0, y: v, z: 0 }, Z_AXIS, X_AXIS, Y_AXIS)
    const met = outlines.flatMap((outline) =>
      findPlaneCrossings(outline, level, slack).map((t) => getPoint(outline, t)),
    )
    const isOn = (point: Xyz) =>
      outlines.some((outline) => getGap(outline, point) <= slack) ||
      outlines.reduce((sum, outline) => sum + getWindingNumber(outline, WORLD_XY, point), 0) !== 0
    const part = connect(met, X_AXIS, slack, isOn, (from, to) => findSubCurve(iso, from.x, to.x))
    curves.push(...part.curves)
    for (const { x } of part.points) points.push(getPoint(iso, x))
  }
  return { curves: curves.filter((curve) => hasSize(curve, tolerance)), points }
}

/** A curve at a pole is a point. */
function hasSize(curve: Curve, tolerance: number): boolean {
  const { start, end } = getCurveDomain(curve)
  return distance(getPoint(curve, start + (end - start) / 3), getStart(curve)) > tolerance
}

/** The curve of a surface at constant v. */
function createIso(surface: NurbsSurface, v: number): NurbsCurve {
  const rows = surface.points.map((_, i) => getRow(surface, i))
  const points = rows.map((row) => evaluate(row, v)[0] as Xyz)
  const weights = rows.map(({ weights: own, ...row }) => {
    if (!own) return 1
    const asPoints = own.map((w) => ({ x: w, y: 0, z: 0 }))
    return (evaluate({ ...row, points: asPoints }, v)[0] as Xyz).x
  })
  return {
    type: 'nurbsCurve',
    degree: surface.degreeU,
    points,
    ...(surface.weights ? { weights } : {}),
    knots: surface.knotsU,
  }
}
