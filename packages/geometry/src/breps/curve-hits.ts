import { checkpoint } from '../budget/budget.ts'
import { findPlaneCrossings } from '../curve-intersection/intersect-plane.ts'
import { getPoint } from '../curves/evaluate.ts'
import { listPieces } from '../curves/pieces.ts'
import { endsAtSeam } from '../curves/split.ts'
import { findClosestOnSurface } from '../surfaces/closest-point.ts'
import { findSurfacePlane, getSurfacePoint } from '../surfaces/evaluate-surface.ts'
import { findLineHits } from '../surfaces/line-hits.ts'
import { findBounds, overlap } from '../values/bounding-box.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual, distance, dot, subtract } from '../values/vector.ts'
import { locateOnFace } from './brep-hits.ts'

/** A point that a curve and a face of a brep have in common. */
export interface CurveHit {
  /** Of the curve. */
  readonly t: number
  readonly point: Xyz
  readonly face: number
  /** Of the surface of the face. */
  readonly u: number
  readonly v: number
}

/**
 * The points where a curve meets a brep, along the curve; a point on an edge belongs to the first of its faces, and the
 * seam of a closed curve counts once, as its start. Undefined where a part of the curve lies in a face or touches a bent
 * one, and for bent curves near bent faces.
 */
export function findCurveHits(brep: Brep, curve: Curve, tolerance: number): CurveHit[] | undefined {
  const bounds = findBounds(curve)
  const hits: CurveHit[] = []
  for (const [index, face] of brep.faces.entries()) {
    checkpoint()
    const { surface } = face
    const around = findBounds(surface)
    if (!bounds || !around || !overlap(bounds, around, tolerance)) continue
    const plane = findSurfacePlane(surface, tolerance)
    const found = plane ? findFlatHits(face, plane, curve, tolerance) : findBentHits(face, curve, tolerance)
    if (!found) return undefined
    for (const { t, point, u, v } of found) {
      const position = locateOnFace(face, { x: u, y: v, z: 0 }, point, brep, tolerance)
      if (position !== 'outside') hits.push({ t, point, face: index, u, v })
    }
  }
  const ordered = hits.sort((a, b) => a.t - b.t || a.face - b.face)
  const distinct = ordered.filter(
    ({ point }, i) => i === 0 || !areEqual(point, ordered[i - 1]!.point, tolerance),
  )
  const parameters = distinct.map(({ t }) => t)
  return endsAtSeam(curve, parameters) ? distinct.slice(0, -1) : distinct
}

type FaceHit = Omit<CurveHit, 'face'>

/** The parts of a piece at which a bent one is off every plane but its own. */
const LOOKS = [0.13, 0.37, 0.61, 0.89]

/** Undefined where a piece of the curve lies in the plane. */
function findFlatHits(
  { surface }: BrepFace,
  plane: Plane,
  curve: Curve,
  tolerance: number,
): FaceHit[] | undefined {
  const liesThere = listPieces(curve).some(({ shape, start, end }) => {
    const isFlat = LOOKS.every((part) => {
      const { z } = toLocal(plane, getPoint(curve, start + part * (end - start)))
      return Math.abs(z) <= tolerance
    })
    const [own, other] = [findBounds(shape), findBounds(surface)]
    return isFlat && own !== undefined && other !== undefined && overlap(own, other, tolerance)
  })
  if (liesThere) return undefined
  return findPlaneCrossings(curve, plane, tolerance).flatMap((t) => {
    const point = getPoint(curve, t)
    const { u, v } = findClosestOnSurface(surface, point)
    const isThere = distance(getSurfacePoint(surface, u, v), point) <= 2 * tolerance
    return isThere ? [{ t, point, u, v }] : []
  })
}

/** Undefined where a straight piece touches the surface or lies on it, and for bent curves. */
function findBentHits({ surface }: BrepFace, curve: Curve, tolerance: number): FaceHit[] | undefined {
  const hits: FaceHit[] = []
  for (const { shape, start, end } of listPieces(curve)) {
    if (shape.type !== 'line') return undefined
    const { from, to } = shape
    const [along, size] = [subtract(to, from), distance(from, to)]
    if (size <= tolerance) continue
    const found = findLineHits(surface, from, along, tolerance)
    if (!found) return undefined
    for (const { point, u, v, isTouch } of found) {
      const reached = dot(subtract(point, from), along) / size
      if (reached < -tolerance || reached > size + tolerance) continue
      if (isTouch) return undefined
      const part = Math.min(Math.max(reached / size, 0), 1)
      hits.push({ t: start + part * (end - start), point, u, v })
    }
  }
  return hits
}
