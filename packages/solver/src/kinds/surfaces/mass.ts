import { getBrepArea, getBrepVolume } from '@meadow/geometry/breps/brep-mass'
import { findCentroid, type Mass } from '@meadow/geometry/breps/mass'
import { findRegionPlane, integrateRegion } from '@meadow/geometry/breps/region'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { isClosed } from '@meadow/geometry/curves/split'
import { getMeshArea, getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { isCurve } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { pointAt } from '@meadow/geometry/values/planes'
import type { Point } from '@meadow/geometry/values/points'
import type { Curve, Geometry } from '@meadow/geometry/values/value'
import { scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

export const MASS_PROPERTIES: readonly Kind[] = [
  defineKind({
    guid: ['2e205f24-9279-47b2-b414-d06dcd0b21a7', '86b28a7e-94d9-4791-8306-e13e10d5f8d5'],
    description: 'The area of a surface, brep, mesh or planar closed curve, and its centroid.',
    solve: ([geometry], context) => {
      context.reserve()
      const mass = findArea(geometry, context)
      return mass ? [mass.size, orNull(findCentroid(mass))] : []
    },
  }),
  defineKind({
    guid: ['7c0523e8-79c9-45a2-8777-cf0d46bc5432', '224f7648-5956-4b26-80d9-8d771f3dfd5d'],
    description: 'The volume of a closed brep or mesh, and its centroid.',
    solve: ([geometry], context) => {
      context.reserve()
      const mass = findVolume(geometry, context)
      return mass ? [mass.size, orNull(findCentroid(mass))] : []
    },
  }),
]

function findArea(geometry: Geometry, context: KindContext): Mass | undefined {
  if (geometry.type === 'mesh') return getMeshArea(geometry)
  if (isCurve(geometry)) return findCurveArea(geometry, context)
  const brep = toBrep(geometry)
  if (brep) return getBrepArea(brep)
  context.error('Area needs a surface, brep, mesh or closed planar curve')
  return undefined
}

function findCurveArea(curve: Curve, context: KindContext): Mass | undefined {
  if (!isClosed(curve, context.tolerance)) {
    context.error('Area needs a closed curve')
    return undefined
  }
  const plane = findRegionPlane(curve, context.tolerance)
  if (!plane) {
    context.error('Area needs a planar curve')
    return undefined
  }
  const { area, momentX, momentY } = integrateRegion([curve], plane)
  return { size: area, moment: scale(pointAt(plane, momentX / area, momentY / area), area) }
}

function findVolume(geometry: Geometry, context: KindContext): Mass | undefined {
  if (geometry.type === 'mesh') {
    const isOpen = createMeshTopology(geometry).edges.some(({ faces }) => faces.length !== 2)
    if (!isOpen) return getMeshVolume(geometry)
    context.error('Volume needs a closed mesh')
    return undefined
  }
  const brep = toBrep(geometry)
  if (brep && isClosedBrep(brep)) return getBrepVolume(brep)
  context.error(brep ? 'Volume needs a closed brep' : 'Volume needs a closed brep or mesh')
  return undefined
}

function orNull(point: Point | undefined): Point | null {
  return point ?? null
}
