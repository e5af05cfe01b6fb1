import { getLength } from '../../geometry/curves/length.ts'
import { createPolyCurve } from '../../geometry/curves/segments.ts'
import { arc, line, type Rectangle } from '../../values/curves.ts'
import { plane as createPlane, findPlaneFromAxes, pointAt, toLocal } from '../../values/planes.ts'
import type { Plane } from '../../values/points.ts'
import { type Curve, type Domain, domain } from '../../values/value.ts'
import { areEqual, distance, subtract } from '../../values/vector.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, named } from '../ports.ts'

export const RECTANGLES: readonly Kind[] = [
  defineKind({
    guid: 'd93100b6-d50b-40b2-831a-814659dc38e3',
    description: 'A rectangle in a plane, its corners rounded where a radius is given.',
    inputs: { plane: item.plane, x: item.domain, y: item.domain, radius: item.number },
    outputs: { rectangle: item.curve, length: item.number },
    solve: ({ plane, x, y, radius }, context) => {
      return createRectangle(plane, x, y, radius, context)
    },
  }),
  defineKind({
    guid: '575660b1-8c79-4b8d-9222-7ab4a6ddb359',
    name: 'Rectangle 2Pt',
    description:
      'A rectangle in a plane from one corner to the opposite one, its corners rounded where a radius is given.',
    inputs: {
      plane: named('Plane (P)', item.plane),
      a: named('Point A (A)', item.point),
      b: named('Point B (B)', item.point),
      radius: named('Radius (R)', item.number),
    },
    outputs: { rectangle: named('Rectangle (R)', item.curve), length: named('Length (L)', item.number) },
    solve: ({ plane, a, b, radius }, context) => {
      const [from, to] = [toLocal(plane, a), toLocal(plane, b)]
      const centre = pointAt(plane, (from.x + to.x) / 2, (from.y + to.y) / 2)
      const own = createPlane(centre, plane.xAxis, plane.yAxis, plane.zAxis)
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
      return createRectangle(own, around(width), around(height), radius, context)
    },
  }),
  defineKind({
    guid: '9bc98a1d-2ecc-407e-948a-09a09ed3e69d',
    name: 'Rectangle 3Pt',
    description:
      'A rectangle with one side from a point to another, as wide as a third is away from that side.',
    inputs: {
      a: named('Point A (A)', item.point),
      b: named('Point B (B)', item.point),
      c: named('Point C (C)', item.point),
    },
    outputs: { rectangle: named('Rectangle (R)', item.rectangle), length: named('Length (L)', item.number) },
    solve: ({ a, b, c }, context) => {
      const side = findPlaneFromAxes(a, subtract(b, a), subtract(c, a))
      if (!side) {
        context.error('The three points lie on one line')
        return {}
      }
      const [width, height] = [distance(a, b), toLocal(side, c).y]
      const plane = createPlane(pointAt(side, width / 2, height / 2), side.xAxis, side.yAxis, side.zAxis)
      const rectangle: Rectangle = { type: 'rectangle', plane, x: around(width), y: around(height) }
      return { rectangle, length: 2 * (width + height) }
    },
  }),
]

function createRectangle(plane: Plane, x: Domain, y: Domain, radius: number, context: KindContext) {
  const rectangle: Rectangle = { type: 'rectangle', plane, x, y }
  const shortest = Math.min(getSize(x), getSize(y))
  if (shortest === 0) {
    context.warn('The rectangle has no size')
    return {}
  }
  const curve = radius > 0 ? roundRectangle(rectangle, Math.min(radius, shortest / 2)) : rectangle
  return { rectangle: curve, length: getLength(curve) }
}

function around(size: number): Domain {
  return domain(-size / 2, size / 2)
}

function getSize({ start, end }: Domain): number {
  return Math.abs(end - start)
}

/** From the end of the first rounded corner, along x first, as the rectangle goes. */
function roundRectangle({ plane, x, y }: Rectangle, radius: number): Curve {
  const [minX, maxX] = [Math.min(x.start, x.end), Math.max(x.start, x.end)]
  const [minY, maxY] = [Math.min(y.start, y.end), Math.max(y.start, y.end)]
  const [left, right, bottom, top] = [minX + radius, maxX - radius, minY + radius, maxY - radius]
  const corners = [
    { u: right, v: bottom, from: [left, minY], to: [right, minY] },
    { u: right, v: top, from: [maxX, bottom], to: [maxX, top] },
    { u: left, v: top, from: [right, maxY], to: [left, maxY] },
    { u: left, v: bottom, from: [minX, top], to: [minX, bottom] },
  ] as const
  const segments = corners.flatMap(({ u, v, from, to }, i): Curve[] => {
    const [start, end] = [pointAt(plane, ...from), pointAt(plane, ...to)]
    const centre = createPlane(pointAt(plane, u, v), plane.xAxis, plane.yAxis, plane.zAxis)
    const corner = arc(centre, radius, ((i - 1) * Math.PI) / 2, (i * Math.PI) / 2)
    return areEqual(start, end, 1e-12) ? [corner] : [line(start, end), corner]
  })
  return createPolyCurve(segments)
}
