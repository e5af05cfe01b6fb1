import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { withNormals } from '@meadow/geometry/meshes/vertex-normals'
import { toKnots } from '@meadow/geometry/surfaces/arcs'
import { findNormalAt, getSurfacePoint } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { createReorientation, createScaling } from '@meadow/geometry/transform/create'
import { compose } from '@meadow/geometry/transform/matrix'
import { findParallelepiped, getTwistedPoint } from '@meadow/geometry/transform/twisted-box'
import { getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { pointAt, toLocal, WORLD_XY } from '@meadow/geometry/values/planes'
import {
  type Box,
  type Plane,
  type TwistedBox,
  toPoint,
  toXyz,
  type Xyz,
} from '@meadow/geometry/values/points'
import type { Domain, Domain2, Geometry, Surface } from '@meadow/geometry/values/value'
import { addScaled } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findMoved } from './transform-outputs.ts'

/** Rule I-13: twisted boxes are linear along each of their parameters. */
export const MORPHS: readonly Kind[] = [
  defineKind({
    guid: '124de0f5-65f8-4ae0-8f61-8fb066e2ba02',
    description: 'A twisted box between eight corners: around the bottom, then around the top.',
    solve: (corners) => [createTwistedBox(corners)],
  }),
  defineKind({
    guid: '4f65c681-9331-4818-9d54-6290cae686c3',
    description: 'A twisted box over a part of a surface, with a height along its normals.',
    solve: ([surface, range, height], context) => {
      const corners = listCorners(surface, range, context)
      const raised = corners?.map(({ point, normal }) => addScaled(point, normal, height))
      return corners && raised ? [createTwistedBox([...corners.map(({ point }) => point), ...raised])] : []
    },
  }),
  defineKind({
    guid: '6283fb37-e273-4eb2-8d2a-e347881e3928',
    description: 'A twisted box from a part of a surface to a part of another one.',
    solve: ([a, rangeA, b, rangeB], context) => {
      const [low, high] = [listCorners(a, rangeA, context), listCorners(b, rangeB, context)]
      return low && high ? [createTwistedBox([...low, ...high].map(({ point }) => point))] : []
    },
  }),
  defineKind({
    guid: 'd8940ff0-dd4a-4e74-9361-54df537b50db',
    description: 'Maps points and meshes from a box into a twisted box, and any geometry into a slanted one.',
    solve: ([geometry, reference, target], context) => {
      if ([reference.x, reference.y, reference.z].some(({ start, end }) => start === end)) {
        context.limit('Reference boxes without extent are not supported')
        return []
      }
      const map = (point: Xyz) => morph(point, reference, target)
      context.reserve(1, POINT_BYTES)
      if (geometry.type === 'point') return [toPoint(map(geometry))]
      if (geometry.type === 'mesh') {
        context.reserve(geometry.vertices.length, 2 * POINT_BYTES)
        const { normals: _, ...mesh } = geometry
        return [withNormals({ ...mesh, vertices: geometry.vertices.map(map) })]
      }
      return [morphStraight(geometry, reference, target, context)]
    },
  }),
]

function createTwistedBox(corners: readonly Xyz[]): TwistedBox {
  return { type: 'twistedBox', corners: corners.map(toXyz) }
}

/** The points and outer normals at the corners of a part of a surface, counter-clockwise in its parameters. */
function listCorners(surface: Surface, { u, v }: Domain2, context: KindContext) {
  const { surface: whole, isReversed } = getSurface(surface)
  const own = getSurfaceDomains(whole)
  if (!isWithin(u, own.u) || !isWithin(v, own.v)) {
    context.limit('Domains outside of that of the surface are not supported')
    return undefined
  }
  const places = [
    { u: u.start, v: v.start },
    { u: u.end, v: v.start },
    { u: u.end, v: v.end },
    { u: u.start, v: v.end },
  ].map((place) => toKnots(whole, place))
  const corners = places.map((place) => ({
    point: getSurfacePoint(whole, place.u, place.v),
    normal: findNormalAt(whole, place.u, place.v),
  }))
  const sign = isReversed ? -1 : 1
  const known = corners.flatMap(({ point, normal }) =>
    normal ? [{ point, normal: { x: sign * normal.x, y: sign * normal.y, z: sign * normal.z } }] : [],
  )
  if (known.length === corners.length) return known
  context.error('The surface has no normal at a corner')
  return undefined
}

function isWithin({ start, end }: Domain, whole: Domain): boolean {
  const slack = 1e-9 * Math.abs(whole.end - whole.start)
  return [start, end].every((t) => t >= whole.start - slack && t <= whole.end + slack)
}

function morph(point: Xyz, { plane, x, y, z }: Box, target: TwistedBox): Xyz {
  const local = toLocal(plane, point)
  const share = (value: number, { start, end }: Domain) => (value - start) / (end - start)
  return getTwistedPoint(target, share(local.x, x), share(local.y, y), share(local.z, z))
}

/** The geometry in a target that is a parallelepiped, where the mapping is a transform. */
function morphStraight(
  geometry: Geometry,
  { plane, x, y, z }: Box,
  target: TwistedBox,
  context: KindContext,
): Geometry | undefined {
  const fromUnit = findParallelepiped(target)
  if (!fromUnit) {
    context.limit(
      'Only points and meshes are mapped into twisted boxes: how Rhino fits curves is not published',
    )
    return undefined
  }
  const corner: Plane = { ...plane, origin: pointAt(plane, x.start, y.start, z.start) }
  const [width, depth, height] = [x, y, z].map(({ start, end }) => end - start) as [number, number, number]
  const toUnit = compose(
    createScaling(corner, 1 / width, 1 / depth, 1 / height),
    createReorientation(corner, WORLD_XY),
  )
  context.approximate('The geometry is right, but Rhino may divide it otherwise')
  return findMoved(geometry, compose(toUnit, fromUnit), context)
}
