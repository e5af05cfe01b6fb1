import { fitPlane } from '@meadow/geometry/fit-plane'
import { findRotation } from '@meadow/geometry/transform/create'
import { findTransformedPlane } from '@meadow/geometry/transform/transform-plane'
import { type Line, line } from '@meadow/geometry/values/curves'
import {
  findPlaneAcross,
  findPlaneFromAxes,
  findPlaneFromNormal,
  findPlaneFromPoints,
  plane,
  pointAt,
  toLocal,
} from '@meadow/geometry/values/planes'
import { type Plane, point, toPoint, toVector, type Xyz } from '@meadow/geometry/values/points'
import {
  add,
  cross,
  distance,
  dot,
  findUnit,
  length,
  ORIGIN,
  scale,
  subtract,
  X_AXIS,
  Y_AXIS,
  Z_AXIS,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, present } from '../declaration/ports.ts'

const worldPlane = (guid: string, name: string, xAxis: Xyz, yAxis: Xyz): Kind =>
  defineKind({
    guid,
    description: `A plane parallel to the world's ${name} plane.`,
    inputs: [item.point],
    outputs: [item.plane],
    solve: ([origin]) => [plane(origin, xAxis, yAxis, cross(xAxis, yAxis))],
  })

export const PLANES: readonly Kind[] = [
  defineKind({
    guid: 'd788ad7f-6d68-4106-8b2f-9e55e6e107c0',
    description: 'The plane at the start of a line, along it and parallel to another line.',
    solve: ([a, b], context) => {
      const placed = findPlaneFromAxes(a.from, subtract(a.to, a.from), subtract(b.to, b.from))
      if (!placed) context.error('The lines have one direction')
      return [placed]
    },
  }),
  worldPlane('17b7152b-d30d-4d50-b9ef-c9fe25576fc2', 'XY', X_AXIS, Y_AXIS),
  worldPlane('8cc3a196-f6a0-49ea-9ed9-0cb343a3ae64', 'XZ', X_AXIS, Z_AXIS),
  worldPlane('fad344bc-09b1-4855-a2e6-437ef5715fe3', 'YZ', Y_AXIS, Z_AXIS),
  defineKind({
    guid: 'bc3e379e-7206-4e7b-b63a-ff61f4b38a3e',
    description: 'A plane from its origin and the directions of its x and y axes.',
    solve: ([origin, x, y], context) =>
      createPlaneOutput(findPlaneFromAxes(origin, x, y), 'The axes are parallel or have no length', context),
  }),
  defineKind({
    guid: '3cd2949b-4ea8-4ffb-a70c-5c380f9f46ea',
    description: 'The origin and the three axes of a plane.',
    solve: ([{ origin, xAxis, yAxis, zAxis }]) => [
      toPoint(origin),
      toVector(xAxis),
      toVector(yAxis),
      toVector(zAxis),
    ],
  }),
  defineKind({
    guid: '75eec078-a905-47a1-b0d2-0934182b1e3d',
    description: 'A plane moved to another origin.',
    solve: ([base, origin]) => [{ ...base, origin }],
  }),
  defineKind({
    guid: 'cfb6b17f-ca82-4f5d-b604-d4f69f569de3',
    description: 'The plane perpendicular to a vector.',
    solve: ([origin, normal], context) =>
      createPlaneOutput(findPlaneFromNormal(origin, normal), 'The normal has no length', context),
  }),
  defineKind({
    guid: '3a0c7bda-3d22-4588-8bab-03f57a52a6ea',
    description: 'A plane moved along its normal.',
    solve: ([base, offset]) => [{ ...base, origin: pointAt(base, 0, 0, offset) }],
  }),
  defineKind({
    guid: 'c98a6015-7a2f-423c-bc66-bdc505249b45',
    description:
      'The plane through three points: the first is the origin, the x axis points to the second, the y axis to the side of the third.',
    solve: ([a, b, c], context) =>
      createPlaneOutput(findPlaneFromPoints(a, b, c), 'The points lie on one line', context),
  }),
  defineKind({
    guid: 'ccc3f2ff-c9f6-45f8-aa30-8a924a9bda36',
    description:
      'The plane through a line and a point: the x axis is along the line, the y axis to the side of the point.',
    solve: ([{ from, to }, point], context) =>
      createPlaneOutput(findPlaneFromPoints(from, to, point), 'The point lies on the line', context),
  }),
  defineKind({
    guid: '33bfc73c-19b2-480b-81e6-f3523a012ea6',
    description: 'The plane that fits points best, and the distance of the furthest point.',
    solve: ([points], context) => {
      const fit = fitPlane(present(points))
      if (fit) return [fit.plane, fit.deviation]
      context.error('Points that do not lie on one line are needed, three at least')
      return []
    },
  }),
]

/** The output, or null with an error if there is no plane. */
function createPlaneOutput(
  found: Plane | undefined,
  mistake: string,
  context: KindContext,
): [plane: Plane | undefined] {
  if (!found) context.error(mistake)
  return [found]
}

export const PLANE_CHANGES: readonly Kind[] = [
  defineKind({
    guid: 'f6f14b09-6497-4564-8403-09e4eb5a6b82',
    description: 'Rotates a plane around its normal.',
    solve: ([base, angle], context) => {
      const rotation = findRotation(base.origin, base.zAxis, angle)
      return createPlaneOutput(
        rotation && findTransformedPlane(base, rotation),
        'The angle is not finite',
        context,
      )
    },
  }),
  defineKind({
    guid: '9ce34996-d8c6-40d3-b442-1a7c8c093614',
    description:
      'Turns a plane around its origin on the shortest way to a new normal; to the opposite one around its x axis.',
    solve: ([base, normal], context) =>
      createPlaneOutput(findTurned(base, normal), 'The normal has no length', context),
  }),
  defineKind({
    guid: '2318aee8-01fe-4ea8-9524-6966023fc622',
    description: 'Turns planes around their normals, each in the direction of the one before.',
    solve: ([planes, master], context) => {
      const aligned: (Plane | null)[] = []
      let guide = master
      for (const base of planes) {
        const turned = base && guide ? findAligned(base, guide, context) : base
        if (turned === undefined) return []
        aligned.push(turned)
        guide = turned ?? guide
      }
      return [aligned]
    },
  }),
  defineKind({
    guid: 'c73e1ed0-82a2-40b0-b4df-8f10e445d60b',
    description: 'Reverses or swaps the axes of a plane.',
    solve: ([{ origin, xAxis, yAxis }, reversesX, reversesY, swaps]) => {
      const x = reversesX ? subtract(ORIGIN, xAxis) : xAxis
      const y = reversesY ? subtract(ORIGIN, yAxis) : yAxis
      return [swaps ? plane(origin, y, x, cross(y, x)) : plane(origin, x, y, cross(x, y))]
    },
  }),
  defineKind({
    guid: 'e76040ec-3b91-41e1-8e00-c74c23b89391',
    description:
      'Rotates a plane around its normal to align its x axis with a direction, and returns the angle.',
    solve: ([base, direction], context) => {
      const { origin, xAxis, yAxis, zAxis } = base
      const [x, y] = [dot(direction, xAxis), dot(direction, yAxis)]
      const aligned = findPlaneAcross(origin, zAxis, direction)
      if (aligned) return [aligned, Math.atan2(y, x)]
      context.limit('A direction square to the plane is not supported')
      return []
    },
  }),
  defineKind({
    guid: 'b075c065-efda-4c9f-9cc9-288362b1b4b9',
    description:
      'The closest point on a plane to a point, its coordinates in the plane, and the height of the point above the plane.',
    solve: ([location, base]) => {
      const { x, y, z } = toLocal(base, location)
      return [pointAt(base, x, y), point(x, y, 0), z]
    },
  }),
]

/** A plane turned around its origin on the shortest way to a normal; undefined for a normal without length. */
function findTurned(base: Plane, normal: Xyz): Plane | undefined {
  const across = cross(base.zAxis, normal)
  const angle = Math.atan2(length(across), dot(base.zAxis, normal))
  const rotation = findRotation(base.origin, findUnit(across) ?? base.xAxis, angle)
  return findUnit(normal) && rotation && findTransformedPlane(base, rotation)
}

/** Axes that are closer are the same. */
const SAME_AXIS = 1e-9

/**
 * A plane with the axes of a guide that is turned to its normal. Undefined, with a limit, where the x axis of the guide,
 * projected onto the plane, has another direction: results of Grasshopper 8 tell the two apart nowhere.
 */
function findAligned(base: Plane, guide: Plane, context: KindContext): Plane | undefined {
  const turned = findTurned({ ...guide, origin: base.origin }, base.zAxis)
  const projected = findPlaneAcross(base.origin, base.zAxis, guide.xAxis) ?? turned
  const isOpposite = dot(base.zAxis, guide.zAxis) < SAME_AXIS - 1
  if (turned && projected && !isOpposite && distance(turned.xAxis, projected.xAxis) <= SAME_AXIS)
    return turned
  context.limit('How planes that are tilted to each other are aligned is not published')
  return undefined
}

/** Planes are parallel below this sine of the angle between them. */
const PARALLEL = Number.EPSILON

export const PLANE_INTERSECTIONS: readonly Kind[] = [
  defineKind({
    guid: '290cf9c4-0711-4704-851e-4c99e3343ac5',
    description:
      'The intersection line of two planes. It starts at the projection of the midpoint of their origins.',
    solve: ([a, b]) => [findLine(a, b)],
  }),
  defineKind({
    guid: 'f1ea5a4b-1a4f-4cf4-ad94-1ecfb9302b6e',
    description: 'The intersection point of three planes, and the intersection lines of each pair.',
    solve: ([a, b, c]) => {
      const location = findIntersection([a, b, c])
      return [location && toPoint(location), findLine(a, b), findLine(a, c), findLine(b, c)]
    },
  }),
]

type Side = Pick<Plane, 'origin' | 'zAxis'>

/** Source: openNURBS, `ON_Intersect` of two planes; its length is the sine of the angle between them. */
function findLine(a: Side, b: Side): Line | undefined {
  const along = cross(b.zAxis, a.zAxis)
  const zAxis = findUnit(along)
  const from = zAxis && findIntersection([a, b, { origin: scale(add(a.origin, b.origin), 0.5), zAxis }])
  return from && line(from, add(from, along))
}

/** The intersection of three planes; undefined if it is not a single point. */
function findIntersection([a, b, c]: readonly [Side, Side, Side]): Xyz | undefined {
  const [bc, ca, ab] = [cross(b.zAxis, c.zAxis), cross(c.zAxis, a.zAxis), cross(a.zAxis, b.zAxis)]
  const span = dot(a.zAxis, bc)
  if (!(Math.abs(span) > PARALLEL)) return undefined
  const [toA, toB, toC] = [a, b, c].map(({ origin, zAxis }) => dot(origin, zAxis)) as [number, number, number]
  const sum = add(add(scale(bc, toA), scale(ca, toB)), scale(ab, toC))
  return scale(sum, 1 / span)
}
