import { findBrepHits } from '@meadow/geometry/breps/brep-hits'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { findRayHit } from '@meadow/geometry/meshes/hits'
import { toLocal } from '@meadow/geometry/values/planes'
import { toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { addScaled, cross, dot, findUnit, length, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

export const PROJECTIONS: readonly Kind[] = [
  defineKind({
    guid: '5184b8cb-b71e-4def-a590-cd2c9bc58906',
    description:
      'The first point that a ray from a point meets on geometries, and the index of that one, or -1.',
    solve: ([from, direction, shapes], context) => {
      const unit = findUnit(direction)
      if (!unit) {
        context.error('The direction has no length')
        return []
      }
      let [nearest, index] = [Infinity, -1]
      for (const [i, shape] of shapes.entries()) {
        const found = shape ? findReach(shape, from, unit, context) : Infinity
        if (found === undefined) {
          context.limit('Projections onto bent curves and groups, and where a ray touches, are not supported')
          return []
        }
        if (found < nearest) [nearest, index] = [found, i]
      }
      return [index < 0 ? null : toPoint(addScaled(from, unit, nearest)), index]
    },
  }),
]

/**
 * How far a ray goes until it meets a geometry; infinite where it misses, undefined where that is not known. A point or
 * a line is met within the tolerance.
 * Source: results of Grasshopper's Project Point in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function findReach(shape: Geometry, from: Xyz, unit: Xyz, { tolerance }: KindContext): number | undefined {
  const reachOf = (place: Xyz | undefined) => (place ? dot(subtract(place, from), unit) : Infinity)
  const forwards = (reach: number) => (reach >= 0 ? reach : Infinity)
  switch (shape.type) {
    case 'point': {
      const offset = subtract(shape, from)
      return length(cross(offset, unit)) <= tolerance ? forwards(dot(offset, unit)) : Infinity
    }
    case 'plane': {
      const slope = dot(unit, shape.zAxis)
      return Math.abs(slope) > 1e-12 ? forwards(-toLocal(shape, from).z / slope) : Infinity
    }
    case 'line': {
      const along = subtract(shape.to, shape.from)
      const across = cross(along, unit)
      const offset = subtract(from, shape.from)
      const size = dot(across, across)
      if (size <= 1e-24 * dot(along, along)) return undefined
      const t = dot(cross(offset, unit), across) / size
      const place = addScaled(shape.from, along, Math.min(1, Math.max(0, t)))
      const gap = subtract(place, from)
      return length(cross(gap, unit)) <= tolerance ? forwards(dot(gap, unit)) : Infinity
    }
    case 'mesh':
      return reachOf(findRayHit(shape, from, unit))
    case 'box':
    case 'nurbsSurface':
    case 'brep': {
      const brep = toBrep(shape)
      const hits = brep && findBrepHits(brep, from, unit, tolerance)
      return hits
        ?.map(({ point }) => forwards(reachOf(point)))
        .reduce((least, one) => Math.min(least, one), Infinity)
    }
    default:
      return undefined
  }
}
