import { findClosestOnBrep } from '@meadow/geometry/breps/closest-on-brep'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findClosestOnMesh } from '@meadow/geometry/meshes/closest-point'
import { fromKnots, toKnots } from '@meadow/geometry/surfaces/arcs'
import { findClosestOnSurface } from '@meadow/geometry/surfaces/closest-point'
import {
  findFrameAt,
  findNormalAt,
  getSurfacePoint,
  touchSurface,
} from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { plane } from '@meadow/geometry/values/planes'
import { type Plane, point, toPoint, toVector, type Vector, type Xyz } from '@meadow/geometry/values/points'
import type { Geometry, Surface } from '@meadow/geometry/values/value'
import { distance, findUnit, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'
import { interpolateDomain } from '../maths/domains.ts'

export const SURFACE_EVALUATION: readonly Kind[] = [
  defineKind({
    guid: '353b206e-bde5-4f02-a913-b3b8a977d4b9',
    description:
      'The point on a surface at parameters, with the normal, the directions of u and v, and a frame.',
    solve: ([surface, uv]) => {
      const { surface: whole } = getSurface(surface)
      const knots = toKnots(whole, { u: uv.x, v: uv.y })
      const { du, dv } = touchSurface(whole, knots.u, knots.v)
      const { point, normal, frame } = lookAt(surface, uv)
      return [point, normal, toDirection(du), toDirection(dv), frame]
    },
  }),
  defineKind({
    guid: 'aa1dc107-70de-473e-9636-836030160fc3',
    description: 'The point on a surface at its parameters, with the normal and a frame.',
    solve: ([surface, uv]) => {
      const { point, normal, frame } = lookAt(surface, uv)
      return [point, normal, frame]
    },
  }),
  defineKind({
    guid: '4a9e9a8e-0943-4438-b360-129c30f2bb0f',
    description: 'The closest point on a surface to a point, its parameters and its distance.',
    solve: ([target, surface], context) => {
      context.reserve()
      const { surface: whole } = getSurface(surface)
      const knots = findClosestOnSurface(whole, target)
      const location = getSurfacePoint(whole, knots.u, knots.v)
      const { u, v } = fromKnots(whole, knots)
      return [toPoint(location), point(u, v, 0), distance(location, target)]
    },
  }),
  defineKind({
    guid: '5106bafc-d5d4-4983-83e7-7be3ed07f502',
    description: 'Points on a surface at equal steps of its parameters, with a branch for each step along u.',
    solve: ([surface, u, v], context) => {
      const grid = listParameters(surface, u, v, context)
      if (!grid) return []
      const looks = grid.map((row) => row.map((uv) => lookAt(surface, uv)))
      return [
        toTree(
          context,
          looks.map((row) => row.map((look) => look.point)),
        ),
        toTree(
          context,
          looks.map((row) => row.map((look) => look.normal)),
        ),
        toTree(context, grid),
      ]
    },
  }),
  defineKind({
    guid: '332378f4-acb2-43fe-8593-ed22bfeb2721',
    description: 'Frames on a surface at equal steps of its parameters, with a branch for each step along u.',
    solve: ([surface, u, v], context) => {
      const grid = listParameters(surface, u, v, context)
      if (!grid) return []
      const frames = grid.map((row) => row.map((uv) => lookAt(surface, uv).frame))
      return [toTree(context, frames), toTree(context, grid)]
    },
  }),
]

function toDirection(derivative: Xyz): Vector | null {
  const unit = findUnit(derivative)
  return unit ? toVector(unit) : null
}

/** The point, normal and frame; the normal points to the outside of the face. */
export function lookAt(surface: Surface, uv: Xyz) {
  const { surface: whole, isReversed } = getSurface(surface)
  const { u, v } = toKnots(whole, { u: uv.x, v: uv.y })
  const normal = findNormalAt(whole, u, v)
  const frame = findFrameAt(whole, u, v)
  return {
    point: toPoint(getSurfacePoint(whole, u, v)),
    normal: normal ? orient(normal, isReversed) : null,
    frame: frame ? orientFrame(frame, isReversed) : null,
  }
}

function orient(normal: Xyz, isReversed: boolean): Vector {
  return toVector(isReversed ? scale(normal, -1) : normal)
}

function orientFrame({ origin, xAxis, yAxis, zAxis }: Plane, isReversed: boolean): Plane {
  return isReversed
    ? plane(origin, xAxis, scale(yAxis, -1), scale(zAxis, -1))
    : plane(origin, xAxis, yAxis, zAxis)
}

/** Lists parameters of a surface. Undefined for counts of 0, for which outputs are empty, as in Grasshopper. */
function listParameters(surface: Surface, countU: number, countV: number, context: KindContext) {
  if (countU < 0 || countV < 0) context.error('Counts must not be less than 0')
  if (countU < 1 || countV < 1) return undefined
  context.reserve(3 * (countU + 1) * (countV + 1), POINT_BYTES)
  const { u, v } = getSurfaceDomains(getSurface(surface).surface)
  return Array.from({ length: countU + 1 }, (_, i) =>
    Array.from({ length: countV + 1 }, (__, j) =>
      point(interpolateDomain(u, i / countU), interpolateDomain(v, j / countV), 0),
    ),
  )
}

function toTree<T>({ path }: KindContext, rows: readonly (readonly T[])[]) {
  return { branches: rows.map((values, i) => ({ path: [...path, i], values })) }
}

export const CLOSEST_POINTS: readonly Kind[] = [
  defineKind({
    guid: '4beead95-8aa2-4613-8bb9-24758a0f5c4c',
    description:
      'The closest point on a brep to a point, the outward normal there (on an edge, the direction of the edge), and the distance.',
    solve: ([point, brep], context) => {
      context.reserve(brep.faces.length + brep.edges.length)
      const found = findClosestOnBrep(brep, point)
      if (!found) return []
      const { point: closest, direction, distance: away } = found
      return [toPoint(closest), direction && toVector(direction), away]
    },
  }),
  defineKind({
    guid: '902289da-28dc-454b-98d4-b8f8aa234516',
    description:
      'The closest point on several geometries to a point, its distance, and the index of the geometry; the first of equally close ones.',
    options: { closestOnly: [true] },
    outputs: [item.point, item.number, item.integer],
    solve: ([point, geometry], context) => {
      let [location, least, index]: [Xyz | undefined, number, number] = [undefined, Infinity, -1]
      for (const [i, one] of geometry.entries()) {
        context.reserve()
        const found = one ? findNearest(one, point) : undefined
        const away = found ? distance(found, point) : Infinity
        if (found && away < least - 1e-12) [location, least, index] = [found, away, i]
      }
      if (location) return [toPoint(location), least, index]
      context.error('There is no geometry to pull to')
      return []
    },
  }),
]

function findNearest(geometry: Geometry, target: Xyz): Xyz | undefined {
  switch (geometry.type) {
    case 'point':
      return geometry
    case 'mesh':
      return findClosestOnMesh(geometry, target)?.point
    case 'plane':
    case 'group':
      return undefined
    case 'box':
    case 'nurbsSurface':
    case 'brep': {
      const brep = toBrep(geometry)
      return brep && findClosestOnBrep(brep, target)?.point
    }
    default:
      return findClosestPoint(geometry, target)?.point
  }
}
