import { locateInBrep, locateOnFace } from '@meadow/geometry/breps/brep-hits'
import { type CurveHit, findCurveHits } from '@meadow/geometry/breps/curve-hits'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { shatterCurve } from '@meadow/geometry/curve-editing/seam'
import { findTangent, getPoint } from '@meadow/geometry/curves/evaluate'
import { findNormalAt, getSurfacePoint } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { findLineHits } from '@meadow/geometry/surfaces/line-hits'
import type { Brep } from '@meadow/geometry/values/brep'
import { getCurveDomain, getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { point, toPoint, toVector } from '@meadow/geometry/values/points'
import type { Curve, Surface } from '@meadow/geometry/values/value'
import { dot, length, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

const NOT_MET =
  'Only straight curves are intersected with bent faces, and curves that lie in a face or touch a bent one are not supported'

export const CURVE_HITS: readonly Kind[] = [
  defineKind({
    guid: '20ef81e8-df15-4a0c-acf1-993a7607cafb',
    description: 'The points in which a curve meets a brep, along the curve.',
    solve: ([brep, curve], context) => {
      const hits = listHits(brep, curve, context)
      return hits ? [[], hits.map((hit) => toPoint(hit.point))] : []
    },
  }),
  defineKind({
    guid: '68546dd0-aa82-471c-87e9-81cb16ac50ed',
    description:
      'The points in which a curve meets a surface, with their parameters, the normals there, and the tangents of the curve.',
    solve: ([surface, curve], context) => {
      const hits = listHits(toBrep(surface) as Brep, curve, context)
      if (!hits) return []
      return [
        [],
        hits.map((hit) => toPoint(hit.point)),
        hits.map(({ u, v }) => point(u, v, 0)),
        hits.map(({ u, v }) => findNormal(surface, u, v)),
        hits.map(({ t }) => t),
        hits.map(({ t }) => toVector(findTangent(curve, t) ?? { x: 0, y: 0, z: 0 })),
      ]
    },
  }),
  defineKind({
    guid: 'a834e823-ae01-44d8-9066-c138eeb6f391',
    description: 'The points in which an infinite line meets a surface, with their parameters and normals.',
    solve: ([surface, { from, to }], context) => {
      const along = subtract(to, from)
      if (length(along) <= context.tolerance) {
        context.error('The line has no length')
        return []
      }
      const brep = toBrep(surface) as Brep
      const found = findLineHits(getSurface(surface).surface, from, along, context.tolerance)
      if (!found || found.some(({ isTouch }) => isTouch)) {
        context.limit('Lines that touch a surface or lie on it are not supported')
        return []
      }
      const hits = found
        .filter(({ u, v, point }) => isOnFace(brep, u, v, point, context))
        .map((hit) => ({ ...hit, reached: dot(subtract(hit.point, from), along) }))
        .sort((a, b) => a.reached - b.reached)
      return [
        [],
        hits.map((hit) => toPoint(hit.point)),
        hits.map(({ u, v }) => point(u, v, 0)),
        hits.map(({ u, v }) => findNormal(surface, u, v)),
      ]
    },
  }),
  defineKind({
    guid: 'f881810b-96de-4668-a95a-f9a6d683e65c',
    description: 'Whether the parameters of a surface are inside of its trims or on them.',
    solve: ([surface, { x, y }], context) => {
      const { surface: whole } = getSurface(surface)
      const { u, v } = getSurfaceDomains(whole)
      const isInDomain = x >= u.start && x <= u.end && y >= v.start && y <= v.end
      if (!isInDomain || surface.type !== 'brep') return [isInDomain]
      return [isOnFace(surface, x, y, getSurfacePoint(whole, x, y), context)]
    },
  }),
  defineKind({
    guid: '4bdc2eb0-24ed-4c90-a27b-a32db069eaef',
    description: 'Splits a curve where it meets a brep.',
    solve: ([curve, brep], context) => split(curve, [brep], context),
  }),
  defineKind({
    guid: '5b742537-9bcb-4f06-9613-866da5bf845e',
    description: 'Splits a curve where it meets breps.',
    solve: ([curve, breps], context) => split(curve, present(breps), context),
  }),
  defineKind({
    guid: '3eba04bc-00e8-416d-b58f-a3dc8b3e22e2',
    description: 'The parts of a curve that are inside a closed brep, and those outside.',
    solve: ([curve, brep], context) => trim(curve, [brep], context),
  }),
  defineKind({
    guid: '916e7ebc-524c-47ce-8936-e50a09a7b43c',
    description: 'The parts of a curve that are inside of closed breps, and those outside of all.',
    solve: ([curve, breps], context) => trim(curve, present(breps), context),
  }),
]

function listHits(brep: Brep, curve: Curve, context: KindContext): readonly CurveHit[] | undefined {
  context.reserve(brep.faces.length, POINT_BYTES)
  const hits = findCurveHits(brep, curve, context.tolerance)
  if (!hits) context.limit(NOT_MET)
  return hits
}

function findNormal(surface: Surface, u: number, v: number) {
  const { surface: whole, isReversed } = getSurface(surface)
  const normal = findNormalAt(whole, u, v)
  return normal ? toVector(scale(normal, isReversed ? -1 : 1)) : null
}

function isOnFace(
  brep: Brep,
  u: number,
  v: number,
  at: CurveHit['point'],
  { tolerance }: KindContext,
): boolean {
  const [face] = brep.faces
  return face !== undefined && locateOnFace(face, { x: u, y: v, z: 0 }, at, brep, tolerance) !== 'outside'
}

/** The hits of a curve with several breps, along it; undefined, with a limit, where they are not known. */
function listAllHits(curve: Curve, breps: readonly Brep[], context: KindContext): CurveHit[] | undefined {
  const found = breps.map((brep) => listHits(brep, curve, context))
  return found.includes(undefined)
    ? undefined
    : (found as (readonly CurveHit[])[]).flat().sort((a, b) => a.t - b.t)
}

function split(curve: Curve, breps: readonly Brep[], context: KindContext) {
  const hits = listAllHits(curve, breps, context)
  if (!hits) return [] as const
  context.reserve(hits.length, POINT_BYTES)
  const cuts = hits.map(({ t }) => t)
  const parts = cuts.length === 0 ? [curve] : shatterCurve(curve, cuts)
  return [parts, hits.map((hit) => toPoint(hit.point))] as const
}

function trim(curve: Curve, breps: readonly Brep[], context: KindContext) {
  if (!breps.every(isClosedBrep)) {
    context.error('The breps must be closed')
    return [] as const
  }
  const [parts] = split(curve, breps, context)
  if (!parts) return [] as const
  const places = parts.map((part) => {
    const { start, end } = getCurveDomain(part)
    const middle = getPoint(part, (start + end) / 2)
    return breps.map((brep) => locateInBrep(brep, middle, context.tolerance))
  })
  if (places.flat().some((place) => place === undefined || place === 'on')) {
    context.limit('It is unclear on which side of a brep a part of the curve is')
    return [] as const
  }
  const isInside = (_: Curve, i: number) => places[i]!.includes('inside')
  return [parts.filter(isInside), parts.filter((part, i) => !isInside(part, i))] as const
}
