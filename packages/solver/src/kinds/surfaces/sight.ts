import { findCurveHits } from '@meadow/geometry/breps/curve-hits'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findCrossings } from '@meadow/geometry/curve-intersection/intersect-curves'
import { findRayHit } from '@meadow/geometry/meshes/hits'
import { isCurve, line, polyline } from '@meadow/geometry/values/curves'
import { pointAt, toLocal } from '@meadow/geometry/values/planes'
import { type Plane, toPoint, toXyz, type Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { addScaled, distance, findUnit, interpolate, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const SIGHT: readonly Kind[] = [
  defineKind({
    guid: 'cab92254-1c79-4e5a-9972-0a4412b35c88',
    description:
      'What rays from the origin of a plane meet first, evenly around it from its x axis on; -1 and the end of the ray for nothing.',
    solve: ([plane, count, radius, obstacles], context) => {
      if (count < 1 || !(radius > context.tolerance)) {
        context.error('A ray and a radius are needed')
        return []
      }
      context.reserve(count, POINT_BYTES)
      context.approximate('In Rhino, the first ray may point elsewhere')
      const seen = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * i) / count
        const direction = subtract(pointAt(plane, Math.cos(angle), Math.sin(angle)), plane.origin)
        return look(plane.origin, direction, radius, obstacles, context)
      })
      return [seen.map(({ at }) => toPoint(at)), seen.map(({ away }) => away), seen.map(({ index }) => index)]
    },
  }),
  defineKind({
    guid: '93d0dcbc-6207-4745-aaf7-fe57a880f959',
    description: 'What a ray meets first; -1 and the end of the ray for nothing.',
    solve: ([{ from, to }, radius, obstacles], context) => {
      const direction = findUnit(subtract(to, from))
      if (!direction || !(radius > context.tolerance)) {
        context.error('A ray with a length and a radius are needed')
        return []
      }
      const { at, away, index } = look(from, direction, radius, obstacles, context)
      return [toPoint(at), away, index]
    },
  }),
  defineKind({
    guid: '80e3614a-25ae-43e7-bb0a-760e68ade864',
    description: 'The region of a plane around its origin that other planes bound.',
    solve: ([plane, bounds], context) => {
      const sides = present(bounds).flatMap((bound) => findSide(plane, bound) ?? [])
      if (sides.length < 2) {
        context.error('Two bounds are needed that cross the plane beside its origin')
        return []
      }
      const farthest = sides.reduce((most, { reach }) => Math.max(most, reach), 0)
      context.reserve(sides.length + 4, POINT_BYTES)
      // Bounds that are farther away than the usual square have a larger one, which must not show.
      const size = farthest < SQUARE ? SQUARE : 4 * farthest
      const corners = sides.reduce<Xyz[]>(clip, listSquare(size))
      if (size !== SQUARE && corners.some(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) >= size)) {
        context.limit('How far Rhino goes where nothing bounds a region is not published')
        return []
      }
      if (corners.length < 3) return []
      context.approximate('In Rhino, the region can start at another corner')
      return [polyline([...corners, corners[0]!].map(({ x, y }) => toXyz(pointAt(plane, x, y))))]
    },
  }),
]

interface Seen {
  at: Xyz
  away: number
  index: number
}

/** The first obstacle on a ray within the radius; reports a limit where one is not known. */
function look(
  from: Xyz,
  direction: Xyz,
  radius: number,
  obstacles: readonly (Geometry | null)[],
  context: KindContext,
): Seen {
  const end = addScaled(from, direction, radius)
  let seen: Seen = { at: end, away: radius, index: -1 }
  for (const [index, obstacle] of obstacles.entries()) {
    const hits = obstacle ? listHits(obstacle, from, end, context) : []
    for (const at of hits) {
      const away = distance(from, at)
      if (away <= context.tolerance)
        context.limit('What a ray from an obstacle itself meets is not published')
      if (away < seen.away) seen = { at, away, index }
    }
  }
  return seen
}

function listHits(obstacle: Geometry, from: Xyz, end: Xyz, context: KindContext): readonly Xyz[] {
  if (obstacle.type === 'mesh') {
    const hit = findRayHit(obstacle, from, subtract(end, from))
    return hit ? [hit] : []
  }
  if (obstacle.type === 'plane') {
    const [start, last] = [toLocal(obstacle, from).z, toLocal(obstacle, end).z]
    if (Math.abs(start) <= context.tolerance) return [from]
    return start * last < 0 ? [interpolate(from, end, start / (start - last))] : []
  }
  const ray = line(from, end)
  const brep = isCurve(obstacle) ? undefined : toBrep(obstacle)
  if (!isCurve(obstacle) && !brep) return []
  const hits = isCurve(obstacle)
    ? findCrossings(ray, obstacle, context.tolerance)
    : findCurveHits(brep!, ray, context.tolerance)
  if (!hits) context.limit('Rays along a curve or a face, and rays that touch a bent face, are not supported')
  return hits?.map(({ point }) => point) ?? []
}

/** Half the side of the square that a region is cut from. Source: results of Grasshopper's Plane Region in pyhopper. */
const SQUARE = 10

const listSquare = (size: number): Xyz[] => [
  { x: -size, y: -size, z: 0 },
  { x: size, y: -size, z: 0 },
  { x: size, y: size, z: 0 },
  { x: -size, y: size, z: 0 },
]

/** A half of the plane with its origin: the points whose component along `normal` is at most `reach`. */
interface Side {
  readonly normal: Xyz
  readonly reach: number
}

/** Undefined for planes that are parallel, or that go through the origin. */
function findSide(plane: Plane, bound: Plane): Side | undefined {
  const height = toLocal(bound, plane.origin).z
  const across = [plane.xAxis, plane.yAxis].map(
    (axis) => axis.x * bound.zAxis.x + axis.y * bound.zAxis.y + axis.z * bound.zAxis.z,
  )
  const steepness = Math.hypot(...across)
  if (steepness <= 1e-9 || Math.abs(height) <= 1e-9) return undefined
  const outward = { x: across[0]!, y: across[1]!, z: 0 }
  return { normal: scale(outward, -Math.sign(height) / steepness), reach: Math.abs(height) / steepness }
}

/** Cuts a polygon. Source: Sutherland and Hodgman, Reentrant polygon clipping, 1974. */
function clip(corners: readonly Xyz[], { normal, reach }: Side): Xyz[] {
  const beyond = corners.map(({ x, y }) => x * normal.x + y * normal.y - reach)
  return corners.flatMap((corner, i) => {
    const [own, next] = [beyond[i]!, beyond[(i + 1) % corners.length]!]
    const kept = own <= 0 ? [corner] : []
    const isCut = own < 0 !== next < 0 && own !== 0 && next !== 0
    return isCut
      ? [...kept, interpolate(corner, corners[(i + 1) % corners.length]!, own / (own - next))]
      : kept
  })
}
