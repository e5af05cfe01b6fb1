import { createNurbs, listWeighted } from '../../geometry/curves/knots.ts'
import { toNurbs } from '../../geometry/curves/to-nurbs.ts'
import { circle } from '../../values/curves.ts'
import { findPlaneFromNormal, pointAt, toLocal } from '../../values/planes.ts'
import type { Plane } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, named } from '../ports.ts'

export const CIRCLES: readonly Kind[] = [
  defineKind({
    guid: '807b86e3-be8d-4970-92b5-f8cdcb45b06b',
    description: 'A circle in a plane around its origin.',
    inputs: { plane: item.plane, radius: item.number },
    outputs: { circle: item.circle },
    solve: ({ plane, radius }, context) => createCircle(plane, radius, context),
  }),
  defineKind({
    guid: 'd114323a-e6ee-4164-946b-e4ca0ce15efa',
    description: 'A circle around a point, square to a vector.',
    inputs: { centre: item.point, normal: item.vector, radius: item.number },
    outputs: { circle: item.circle },
    solve: ({ centre, normal, radius }, context) => {
      const plane = findPlaneFromNormal(centre, normal)
      if (plane) return createCircle(plane, radius, context)
      context.error('The normal has no length')
      return {}
    },
  }),
  defineKind({
    guid: '46b5564d-d3eb-4bf1-ae16-15ed132cfd88',
    name: 'Ellipse',
    description: 'An ellipse in a plane around its origin, and its two foci.',
    inputs: {
      plane: named('Plane (P)', item.plane),
      radiusX: named('Radius 1 (R1)', item.number),
      radiusY: named('Radius 2 (R2)', item.number),
    },
    outputs: {
      ellipse: named('Ellipse (E)', item.curve),
      focusA: named('Focus 1 (F1)', item.point),
      focusB: named('Focus 2 (F2)', item.point),
    },
    solve: ({ plane, radiusX, radiusY }, context) => {
      if (!(radiusX > 0 && radiusY > 0)) {
        context.error('The radii must be larger than zero')
        return {}
      }
      const reach = Math.sqrt(Math.abs(radiusX ** 2 - radiusY ** 2))
      const [u, v] = radiusX >= radiusY ? [reach, 0] : [0, reach]
      return {
        ellipse: createEllipse(plane, radiusX, radiusY),
        focusA: pointAt(plane, u, v),
        focusB: pointAt(plane, -u, -v),
      }
    },
  }),
]

function createCircle(plane: Plane, radius: number, context: KindContext) {
  if (radius > 0) return { circle: circle(plane, radius) }
  context.error('The radius must be larger than zero')
  return {}
}

/** A circle of radius one, stretched; its parameter runs through the angles. */
function createEllipse(plane: Plane, radiusX: number, radiusY: number): Curve {
  const unit = toNurbs(circle(plane, 1))
  const points = listWeighted(unit).map(({ x, y, z, w }) => {
    const local = toLocal(plane, { x: x / w, y: y / w, z: z / w })
    const place = pointAt(plane, local.x * radiusX, local.y * radiusY)
    return { x: place.x * w, y: place.y * w, z: place.z * w, w }
  })
  return createNurbs(points, unit.degree, unit.knots)
}
