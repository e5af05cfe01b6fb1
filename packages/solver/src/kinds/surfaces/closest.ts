import { findClosestOnBrep } from '../../geometry/breps/closest-on-brep.ts'
import { toBrep } from '../../geometry/breps/to-brep.ts'
import { findClosestPoint } from '../../geometry/curves/closest-point.ts'
import { findClosestOnMesh } from '../../geometry/meshes/closest-point.ts'
import { toPoint, toVector, type Xyz } from '../../values/points.ts'
import type { Geometry } from '../../values/value.ts'
import { distance } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named } from '../ports.ts'

export const CLOSEST_PLACES: readonly Kind[] = [
  defineKind({
    guid: '4beead95-8aa2-4613-8bb9-24758a0f5c4c',
    name: 'Brep Closest Point',
    description:
      'The place on a brep that is nearest to a point, the outer normal there (on an edge the direction of the edge), and how far it is.',
    inputs: { point: named('Point (P)', item.point), brep: named('Brep (B)', item.brep) },
    outputs: {
      place: named('Point (P)', item.point),
      normal: named('Normal (N)', item.vector),
      distance: named('Distance (D)', item.number),
    },
    solve: ({ point, brep }, context) => {
      context.reserve(brep.faces.length + brep.edges.length)
      const found = findClosestOnBrep(brep, point)
      if (!found) return {}
      const { place, direction, distance: away } = found
      return { place: toPoint(place), normal: direction && toVector(direction), distance: away }
    },
  }),
  defineKind({
    guid: '902289da-28dc-454b-98d4-b8f8aa234516',
    name: 'Pull Point',
    description:
      'The place that is nearest to a point on any of several geometries, how far it is, and on which; the first of those as near.',
    inputs: { point: named('Point (P)', item.point), geometry: named('Geometry (G)', list.geometry) },
    outputs: {
      place: named('Closest Point (P)', item.point),
      distance: named('Distance (D)', item.number),
      index: named('Index (I)', item.integer),
    },
    solve: ({ point, geometry }, context) => {
      let [place, least, index]: [Xyz | undefined, number, number] = [undefined, Infinity, -1]
      for (const [i, one] of geometry.entries()) {
        context.reserve()
        const found = one ? findNearest(one, point) : undefined
        const away = found ? distance(found, point) : Infinity
        if (found && away < least - 1e-12) [place, least, index] = [found, away, i]
      }
      if (place) return { place: toPoint(place), distance: least, index }
      context.error('There is no geometry to pull to')
      return {}
    },
  }),
]

function findNearest(geometry: Geometry, target: Xyz): Xyz | undefined {
  switch (geometry.type) {
    case 'point':
      return geometry
    case 'mesh':
      return findClosestOnMesh(geometry, target)?.place
    case 'plane':
    case 'group':
      return undefined
    case 'box':
    case 'nurbsSurface':
    case 'brep': {
      const brep = toBrep(geometry)
      return brep && findClosestOnBrep(brep, target)?.place
    }
    default:
      return findClosestPoint(geometry, target)?.point
  }
}
