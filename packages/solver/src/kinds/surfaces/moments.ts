import { toBrep } from '@meadow/geometry/breps/to-brep'
import {
  findBrepAreaMoments,
  findBrepVolumeMoments,
  findMeshAreaMoments,
  findMeshVolumeMoments,
  type Moments,
} from '@meadow/geometry/meshes/moments'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { createPlanarBreps } from '@meadow/geometry/regions/planar-breps'
import { isCurve } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { type Point, toPoint, toVector, type Vector } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

export const MOMENTS: readonly Kind[] = [
  defineKind({
    guid: '1eb7b856-ec7d-40b6-a76c-f216a11df37c',
    description:
      'The area of a surface, brep, mesh or planar closed curve, and its moments about the centroid along the world axes.',
    solve: ([geometry], context) => {
      context.reserve()
      const moments = findAreaMoments(geometry, context)
      return moments ? listOutputs(moments) : []
    },
  }),
  defineKind({
    guid: '2e685fd9-7b8f-461b-b330-44857b099937',
    description:
      'The volume of a closed brep or mesh, and its moments about the centroid along the world axes.',
    solve: ([geometry], context) => {
      context.reserve()
      const moments = findVolumeMoments(geometry, context)
      return moments ? listOutputs(moments) : []
    },
  }),
]

/** Source: `AreaMassProperties` of RhinoCommon: the moments of inertia are ∫(y² + z²) and so on, not by their axes. */
function listOutputs({ size, centroid, second }: Moments): [number, Point, Vector, Vector, Vector] {
  const { x, y, z } = second
  const inertia = { x: y + z, y: x + z, z: x + y }
  // Rounding errors of a thin shape may be negative.
  const toRadius = (moment: number) => Math.sqrt(Math.max(moment / size, 0))
  const gyration = { x: toRadius(inertia.x), y: toRadius(inertia.y), z: toRadius(inertia.z) }
  return [size, toPoint(centroid), toVector(inertia), toVector(second), toVector(gyration)]
}

function findAreaMoments(geometry: Geometry, context: KindContext): Moments | undefined {
  if (geometry.type === 'mesh') return findMeshAreaMoments(geometry)
  if (isCurve(geometry)) {
    const region = createPlanarBreps([geometry], context.tolerance)
    const [brep] = region.breps
    if (region.fault) context.limit('Area moments of curves that cross themselves are not supported')
    else if (!brep) context.error('Area moments need a closed planar curve')
    return brep && findBrepAreaMoments(brep)
  }
  const brep = toBrep(geometry)
  if (!brep) context.error('Area moments need a surface, brep, mesh or closed planar curve')
  return brep && findBrepAreaMoments(brep)
}

function findVolumeMoments(geometry: Geometry, context: KindContext): Moments | undefined {
  if (geometry.type === 'mesh') {
    const isOpen = createMeshTopology(geometry).edges.some(({ faces }) => faces.length !== 2)
    if (isOpen) context.limit('Volume moments of open meshes are not supported')
    return isOpen ? undefined : findMeshVolumeMoments(geometry)
  }
  const brep = toBrep(geometry)
  if (brep && isClosedBrep(brep)) return findBrepVolumeMoments(brep)
  if (brep) context.limit('Volume moments of open breps are not supported')
  else context.error('Volume moments need a closed brep or mesh')
  return undefined
}
