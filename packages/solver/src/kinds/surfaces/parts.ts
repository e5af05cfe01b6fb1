import { joinBreps } from '@meadow/geometry/breps/join-breps'
import { countUses, listFaces } from '@meadow/geometry/breps/list-faces'
import { samplePoints } from '@meadow/geometry/breps/region'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { capPlanarHoles } from '@meadow/geometry/regions/cap-holes'
import { mergeCoplanarFaces } from '@meadow/geometry/regions/merge-faces'
import { splitFlatFace } from '@meadow/geometry/regions/split-face'
import type { ArcSurface } from '@meadow/geometry/surfaces/arcs'
import { findClosestOnSurface, type SurfaceParameter } from '@meadow/geometry/surfaces/closest-point'
import { listGreville } from '@meadow/geometry/surfaces/coons'
import { findNormalAt, findSurfacePlane, getSurfacePoint } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { findIsotrim } from '@meadow/geometry/surfaces/isotrim'
import { getColumn, transpose } from '@meadow/geometry/surfaces/rows'
import type { Brep } from '@meadow/geometry/values/brep'
import { getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { toLocal } from '@meadow/geometry/values/planes'
import { type Plane, point, toPoint, type Xyz } from '@meadow/geometry/values/points'
import { type Curve, type Domain, domain, type Surface } from '@meadow/geometry/values/value'
import { dot, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const SURFACE_PARTS: readonly Kind[] = [
  defineKind({
    guid: '8d372bdc-9800-45e9-8a26-6e33c5253e21',
    description: 'The faces of a brep as separate surfaces, its edges and its vertices.',
    solve: ([brep], context) => {
      context.reserve(brep.faces.length + brep.edges.length + brep.vertices.length, POINT_BYTES)
      return [listFaces(brep), brep.edges.map(({ curve }) => curve), brep.vertices.map(toPoint)]
    },
  }),
  defineKind({
    guid: '0148a65d-6f42-414a-9db7-9a9b2eb78437',
    description: 'The edges of a brep: with one face, with two faces, and with more than two.',
    solve: ([brep], context) => {
      context.reserve(brep.edges.length)
      const uses = countUses(brep)
      const pick = (isWanted: (count: number) => boolean) =>
        brep.edges.filter((_, i) => isWanted(uses[i] as number)).map(({ curve }) => curve)
      return [pick((count) => count === 1), pick((count) => count === 2), pick((count) => count > 2)]
    },
  }),
  defineKind({
    guid: '6a9ccaab-1b03-484e-bbda-be9c81584a66',
    description: 'The untrimmed part of a surface over a subdomain.',
    solve: ([surface, { u, v }], context) => {
      const part = findIsotrim(getSurface(surface).surface, u, v)
      if (!part) context.error('Domain is not inside of the domain of the surface')
      return [part]
    },
  }),
  defineKind({
    guid: 'd1d57181-d594-41e8-8efb-041e29f8a5ca',
    description: 'The curves along u and along v through the parameters of an untrimmed surface.',
    solve: ([surface, { x, y }], context) => {
      const { surface: whole } = getSurface(surface)
      const { u, v } = getSurfaceDomains(whole)
      if (surface.type === 'brep' && isTrimmed(surface)) {
        context.limit('Curves along trimmed surfaces are not supported')
        return []
      }
      if (x < u.start || x > u.end || y < v.start || y > v.end) {
        context.error('The parameters are outside of the domain of the surface')
        return []
      }
      const { arcs } = whole as ArcSurface
      if (arcs) context.approximate('The curves can have other parameters than in Rhino')
      return [[getColumn(...cutAt(whole, u, v, y))], [getColumn(...cutAt(transpose(whole), v, u, x))]]
    },
  }),
  defineKind({
    guid: '7db14002-c09c-4d7b-9f80-e4e2b00dfa1d',
    description: 'Splits a flat surface along curves in its plane.',
    solve: ([surface, curves], context) => {
      const plane = findSurfacePlane(getSurface(surface).surface, context.tolerance)
      const cutters = present(curves)
      if (!plane || !cutters.every((curve) => isInPlane(curve, plane, context.tolerance))) {
        context.limit('Only flat surfaces are split, along curves in their plane')
        return []
      }
      const parts = splitFlatFace(toBrep(surface) as Brep, cutters, plane, context.tolerance)
      if (!parts) context.limit('It is unclear where the curves divide the surface')
      if (!parts || parts.length < 2) return [[surface]]
      context.approximate(
        'The parts are right, but Rhino may have them in another order, with other parameters',
      )
      return [parts]
    },
  }),
  defineKind({
    guid: 'fa92858a-a180-4545-ad4d-0dc644b3a2a8',
    description: 'The whole of a surface, of which trims showed a part.',
    solve: ([surface], context) => {
      const { surface: whole, isReversed } = getSurface(surface)
      if (isReversed) context.approximate('The normals may be opposite to those in Rhino')
      return [whole]
    },
  }),
  defineKind({
    guid: '15128198-399d-4d6c-9586-1f65db3ce7bf',
    description:
      'The control points of a surface, row by row along u, with their weights and the parameters that belong to them.',
    solve: ([surface], context) => {
      const { points, weights, knotsU, knotsV, degreeU, degreeV } = getSurface(surface).surface
      const countV = points[0]?.length ?? 0
      context.reserve(points.length * countV, 3 * POINT_BYTES)
      const [us, vs] = [listGreville(knotsU, degreeU), listGreville(knotsV, degreeV)]
      return [
        points.flat().map(toPoint),
        weights?.flat() ?? points.flat().map(() => 1),
        us.flatMap((u) => vs.map((v) => point(u, v, 0))),
        points.length,
        countV,
      ]
    },
  }),
  defineKind({
    guid: 'd4bc9653-c770-4bee-a31d-d120cbb75b39',
    description: 'Tests whether a surface is flat, and finds its plane.',
    solve: ([surface, isInterior], context) => {
      const plane = findSurfacePlane(getSurface(surface).surface, context.tolerance)
      if (plane) {
        context.approximate('The plane may have another origin and other axes than in Rhino')
        return [true, plane]
      }
      if (!isInterior || surface.type === 'nurbsSurface') return [false]
      context.limit('Whether a part of a curved surface is flat is not tested')
      return []
    },
  }),
  defineKind({
    guid: 'c3d1f2b8-8596-4e8d-8861-c28ba8ffb4f4',
    description:
      'Flips the normals of a surface; with a guide, only if their normals are opposite at its centre.',
    solve: ([surface, guide]) => {
      const isFlipped = guide === undefined || looksAgainst(surface, guide)
      return [isFlipped ? flipSurface(surface) : surface, isFlipped]
    },
  }),
]

function isInPlane(curve: Curve, plane: Plane, tolerance: number): boolean {
  return samplePoints(curve).every((place) => Math.abs(toLocal(plane, place).z) <= tolerance)
}

/** The part of a surface on one side of a parameter along v, and the column of its control points that is there. */
function cutAt(
  surface: NurbsSurface,
  u: Domain,
  v: Domain,
  at: number,
): [part: NurbsSurface, column: number] {
  const isUpper = at > (v.start + v.end) / 2
  const part = findIsotrim(surface, u, isUpper ? domain(v.start, at) : domain(at, v.end)) as NurbsSurface
  return [part, isUpper ? (part.points[0]?.length ?? 1) - 1 : 0]
}

/** Whether a part of the border of the face is not on the border of its surface. */
function isTrimmed({ faces }: Brep): boolean {
  return faces.some(({ surface, loops }) => {
    const { u, v } = getSurfaceDomains(surface)
    const slack = 1e-9 * (u.end - u.start + v.end - v.start)
    const isAt = (points: readonly Xyz[], axis: 'x' | 'y', ends: Domain) =>
      [ends.start, ends.end].some((end) => points.every((point) => Math.abs(point[axis] - end) <= slack))
    return loops.flat().some(({ curve }) => {
      const points = curve.type === 'polyline' ? curve.vertices : curve.points
      return !isAt(points, 'x', u) && !isAt(points, 'y', v)
    })
  })
}

/**
 * Whether the normal at the middle of a surface is opposite to that of the closest point of another surface.
 */
function looksAgainst(surface: Surface, guide: Surface): boolean {
  const { u, v } = getSurfaceDomains(getSurface(surface).surface)
  const middle = { u: (u.start + u.end) / 2, v: (v.start + v.end) / 2 }
  const centre = getSurfacePoint(getSurface(surface).surface, middle.u, middle.v)
  const normal = findOuterNormal(surface, middle)
  const other = findOuterNormal(guide, findClosestOnSurface(getSurface(guide).surface, centre))
  return normal !== undefined && other !== undefined && dot(normal, other) < 0
}

function findOuterNormal(surface: Surface, { u, v }: SurfaceParameter): Xyz | undefined {
  const { surface: whole, isReversed } = getSurface(surface)
  const normal = findNormalAt(whole, u, v)
  return normal && scale(normal, isReversed ? -1 : 1)
}

/** Swaps u and v of an untrimmed surface; flips the only face of a brep. */
function flipSurface(surface: Surface): Surface {
  if (surface.type === 'brep') {
    return { ...surface, faces: surface.faces.map((face) => ({ ...face, isReversed: !face.isReversed })) }
  }
  const { arcs } = surface as ArcSurface
  const turned: ArcSurface = {
    ...transpose(surface),
    ...(arcs && {
      arcs: { ...(arcs.v !== undefined && { u: arcs.v }), ...(arcs.u !== undefined && { v: arcs.u }) },
    }),
  }
  return turned
}

const UNCLEAR_OPENINGS = 'Openings inside of others, or that cross others or themselves, are not supported'

export const BREP_JOINING: readonly Kind[] = [
  defineKind({
    guid: '1addcc85-b04e-46e6-bd4a-6f6c93bf7efd',
    description: 'Joins breps along coincident open edges, and tests whether each result is closed.',
    solve: ([breps], context) => {
      const known = present(breps)
      context.reserve(known.reduce((sum, { faces }) => sum + faces.length, 0))
      const joined = joinBreps(known, context.tolerance)
      return [joined, joined.map(isClosedBrep)]
    },
  }),
  defineKind({
    guid: 'b648d933-ddea-4e75-834c-8f6f3793e311',
    description: 'Closes the planar openings of a brep with planar faces.',
    solve: ([brep], context) => {
      context.reserve(brep.faces.length)
      const capped = capPlanarHoles(brep, context.tolerance)
      if (!capped) {
        context.limit(UNCLEAR_OPENINGS)
        return []
      }
      if (capped.left > 0) context.warn('Some openings are not planar')
      return [capped.brep]
    },
  }),
  defineKind({
    guid: 'f6409a9c-3d2a-4b14-9f2c-e3c3f2cb72f8',
    description:
      'Closes the planar openings of a brep, as many as there are, with their number and whether it is closed then.',
    solve: ([brep], context) => {
      context.reserve(brep.faces.length)
      const capped = capPlanarHoles(brep, context.tolerance)
      if (capped) return [capped.brep, capped.capped, isClosedBrep(capped.brep)]
      context.limit(UNCLEAR_OPENINGS)
      return []
    },
  }),
  defineKind({
    guid: 'd6b43673-55dd-4e2f-95c4-6c69a14513a6',
    description:
      'Makes neighbouring faces of a brep that are in one plane one face, with the numbers of faces before and after.',
    solve: ([brep], context) => {
      context.reserve(brep.faces.length)
      const merged = mergeCoplanarFaces(brep, context.tolerance, context.angleTolerance)
      if (!merged) {
        context.limit(
          'Faces that are nearly in one plane, and merged faces that touch themselves, are not supported',
        )
        return []
      }
      if (merged !== brep) {
        context.approximate('The shape is right, but its faces and edges may have another order in Rhino')
      }
      return [merged, brep.faces.length, merged.faces.length]
    },
  }),
]
