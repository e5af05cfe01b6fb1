import { findCircleThrough } from '@meadow/geometry/curves/circle-through'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { fitPlane } from '@meadow/geometry/fit-plane'
import { arc, type Circle, circle, line, type NurbsCurve } from '@meadow/geometry/values/curves'
import {
  findPlaneFromAxes,
  findPlaneFromPoints,
  pointAt,
  toLocal,
  xyPlane,
} from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import { add, addScaled, cross, dot, findUnit, length, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const CIRCLES_OF_POINTS: readonly Kind[] = [
  defineKind({
    guid: '47886835-e3ff-4516-a3ed-1b419f055464',
    description: 'The circle through three points, from the first of them towards the second.',
    solve: ([a, b, c], context) => {
      const found = findCircleThrough(a, b, c)
      if (found) return [found, found.plane, found.radius]
      context.error('The points are on one line')
      return []
    },
  }),
  defineKind({
    guid: 'be52336f-a2e1-43b1-b5f5-178ba489508a',
    description: 'The circle that is nearest to points, by the squares of their distances from it.',
    solve: ([points], context) => {
      const fit = fitPlane(present(points))
      if (!fit) {
        context.error('Points that do not lie on one line are needed, three at least')
        return []
      }
      if (fit.deviation > context.tolerance) {
        context.limit('How Rhino fits a circle to points that are not in a plane is not published')
        return []
      }
      context.reserve(points.length)
      const flat = present(points).map((point) => toLocal(fit.plane, point))
      const { x, y, radius } = fitCircle(flat)
      const off = flat.map((point) => Math.abs(Math.hypot(point.x - x, point.y - y) - radius))
      const plane = { ...fit.plane, origin: pointAt(fit.plane, x, y) }
      return [circle(plane, radius), radius, off.reduce((most, one) => Math.max(most, one), 0)]
    },
  }),
  defineKind({
    guid: '679a9c6a-ab97-4c20-b02c-680f9a9a1a44',
    description: 'The ellipse that touches the sides of a triangle in their middles.',
    solve: ([a, b, c], context) => {
      const plane = findPlaneFromPoints(a, b, c)
      if (plane) return [createInEllipse(a, b, c), plane]
      context.error('The corners are on one line')
      return []
    },
  }),
]

/** How often the circle is improved; each step squares what is left of the error. */
const STEPS = 100

/** The circle with the least sum of squared distances from points: Newton's method after Gauss. */
function fitCircle(points: readonly Xyz[]) {
  const middle = scale(points.reduce(add), 1 / points.length)
  let [x, y, radius] = [middle.x, middle.y, 0]
  for (let step = 0; step < STEPS; step++) {
    const away = points.map((point) => ({ x: point.x - x, y: point.y - y, z: 0 }))
    const gaps = away.map(length)
    radius = gaps.reduce((sum, gap) => sum + gap, 0) / points.length
    const units = away.map((one, i) => scale(one, 1 / ((gaps[i] as number) || 1)))
    const mean = scale(units.reduce(add), 1 / points.length)
    let [xx, xy, yy, xr, yr] = [0, 0, 0, 0, 0]
    for (const [i, unit] of units.entries()) {
      const [u, v] = [unit.x - mean.x, unit.y - mean.y]
      const rest = (gaps[i] as number) - radius
      xx += u * u
      xy += u * v
      yy += v * v
      xr += u * rest
      yr += v * rest
    }
    const size = xx * yy - xy * xy
    if (!(size > 0)) break
    const [dx, dy] = [(yy * xr - xy * yr) / size, (xx * yr - xy * xr) / size]
    x += dx
    y += dy
    if (Math.hypot(dx, dy) <= 1e-15 * radius) break
  }
  const radii = points.map((point) => Math.hypot(point.x - x, point.y - y))
  return { x, y, radius: radii.reduce((sum, one) => sum + one, 0) / points.length }
}

/**
 * The circle in an equilateral triangle with sides of length 1, moved as the triangle is onto another one.
 * Source: results of Grasshopper's InEllipse in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function createInEllipse(a: Xyz, b: Xyz, c: Xyz): NurbsCurve {
  const inradius = Math.sqrt(3) / 6
  const curve = toNurbs(circle(xyPlane({ x: 0.5, y: inradius, z: 0 }), inradius))
  const points = curve.points.map(({ x, y }) => {
    const [alongB, alongC] = [x - y / Math.sqrt(3), (2 * y) / Math.sqrt(3)]
    return addScaled(addScaled(a, subtract(b, a), alongB), subtract(c, a), alongC)
  })
  return { ...curve, points }
}

export const TANGENTS: readonly Kind[] = [
  defineKind({
    guid: 'd6d68c93-d00f-4cd5-ba89-903c7f6be64c',
    description: 'The two lines that touch two circles, each on the same side of both.',
    solve: ([a, b], context) => createTangentLines(a, b, 1, context),
  }),
  defineKind({
    guid: 'e0168047-c46a-48c6-8595-2fb3d8574f23',
    description: 'The two lines that touch two circles and cross between them.',
    solve: ([a, b], context) => createTangentLines(a, b, -1, context),
  }),
  defineKind({
    guid: 'f1c0783b-60e9-42a7-8081-925bc755494c',
    description: 'The two arcs of a radius that touch two circles from outside, across the gap between them.',
    solve: ([a, b, radius], context) => {
      const between = findBetween(a, b, context)
      if (!between) return []
      const { along, aside, gap } = between
      const [reachA, reachB] = [a.radius + radius, b.radius + radius]
      const forward = (gap * gap + reachA * reachA - reachB * reachB) / (2 * gap)
      const sideways = Math.sqrt(reachA * reachA - forward * forward)
      if (!(radius > 0) || !(sideways > 0)) {
        context.error('No arc of this radius touches both circles')
        return []
      }
      const create = (side: number) => {
        const centre = addScaled(addScaled(a.plane.origin, along, forward), aside, side * sideways)
        const [toA, toB] = [subtract(a.plane.origin, centre), subtract(b.plane.origin, centre)]
        const plane = findPlaneFromAxes(centre, toA, toB)
        return plane && arc(plane, radius, 0, Math.atan2(length(cross(toA, toB)), dot(toA, toB)))
      }
      return [create(-1), create(1)]
    },
  }),
]

/**
 * Lines from one circle to another. `side` is 1 where both are touched on the same side. The first line touches the
 * first circle counter-clockwise of the direction to the second one.
 * Source: results of Grasshopper's Tangent Lines in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function createTangentLines(a: Circle, b: Circle, side: 1 | -1, context: KindContext) {
  const between = findBetween(a, b, context)
  if (!between) return [] as const
  const { along, aside, gap } = between
  const cosine = (a.radius - side * b.radius) / gap
  if (!(Math.abs(cosine) < 1)) {
    context.error(side === 1 ? 'One circle is inside the other' : 'The circles overlap')
    return [] as const
  }
  const create = (turn: number) => {
    const towards = addScaled(scale(along, cosine), aside, turn * Math.sqrt(1 - cosine * cosine))
    const from = addScaled(a.plane.origin, towards, a.radius)
    return line(from, addScaled(b.plane.origin, towards, side * b.radius))
  }
  return [create(1), create(-1)] as const
}

/** The direction from one circle to another in their plane, and the one to its left. */
function findBetween(a: Circle, b: Circle, context: KindContext) {
  const offset = subtract(b.plane.origin, a.plane.origin)
  const along = findUnit(offset)
  if (!along) {
    context.error('The circles have the same centre')
    return undefined
  }
  if (!areCoplanar(a.plane, b.plane, context)) {
    context.limit('Tangents of circles that are not in one plane are not published')
    return undefined
  }
  if (dot(a.plane.zAxis, b.plane.zAxis) < 0)
    context.approximate('The circles face each other, and the two may be exchanged in Rhino')
  return { along, aside: cross(a.plane.zAxis, along), gap: length(offset) }
}

function areCoplanar(a: Plane, b: Plane, context: KindContext): boolean {
  const isParallel = length(cross(a.zAxis, b.zAxis)) <= context.angleTolerance
  return isParallel && Math.abs(toLocal(a, b.origin).z) <= context.tolerance
}
