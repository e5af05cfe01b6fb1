import { POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { withDomain } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import type { NurbsCurve } from '../values/curves.ts'
import { arc } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { plane, pointAt } from '../values/planes.ts'
import { type Plane, toXyz, type Xyz } from '../values/points.ts'
import { type Domain, domain } from '../values/value.ts'
import {
  addScaled,
  cross,
  dot,
  findPerpendicular,
  findUnit,
  length,
  subtract,
  X_AXIS,
} from '../values/vector.ts'
import type { ArcSurface } from './arcs.ts'
import { clampNurbs } from './compatible.ts'

/**
 * A surface of revolution: u is the angle, between the ends of `angles` in radians, v the parameter of the
 * curve. `profileArc` is the angle of the knot spans of a curve that is an arc.
 * Exact: each control point moves along arcs of up to a quarter turn. Source: openNURBS,
 * `ON_RevSurface::GetNurbForm`.
 */
export function revolve(
  curve: NurbsCurve,
  origin: Xyz,
  axis: Xyz,
  angles: Domain,
  profileArc?: number,
): ArcSurface {
  const profile = clampNurbs(curve)
  const unit = findUnit(axis) ?? X_AXIS
  const circle = withDomain(
    toNurbs(
      arc(
        plane({ x: 0, y: 0, z: 0 }, X_AXIS, { x: 0, y: 1, z: 0 }, { x: 0, y: 0, z: 1 }),
        1,
        angles.start,
        angles.end,
      ),
    ),
    angles,
  ) as NurbsCurve
  const isFull = Math.abs(angles.end - angles.start - 2 * Math.PI) < 1e-12
  reserveValues(circle.points.length * profile.points.length, POINT_BYTES)
  const columns = profile.points.map((point) => {
    const foot = addScaled(origin, unit, dot(subtract(point, origin), unit))
    const radius = subtract(point, foot)
    const frame = createFrame(foot, radius, unit)
    const size = length(radius)
    const turned = circle.points.map(({ x, y }) => toXyz(pointAt(frame, size * x, size * y)))
    return isFull ? [...turned.slice(0, -1), turned[0] as Xyz] : turned
  })
  return {
    type: 'nurbsSurface',
    degreeU: circle.degree,
    degreeV: profile.degree,
    points: circle.points.map((_, i) => columns.map((column) => column[i] as Xyz)),
    weights: circle.points.map((_, i) =>
      profile.points.map((__, j) => (circle.weights?.[i] ?? 1) * (profile.weights?.[j] ?? 1)),
    ),
    knotsU: circle.knots,
    knotsV: profile.knots,
    arcs: {
      u: (2 * (angles.end - angles.start)) / (circle.points.length - 1),
      ...(profileArc ? { v: profileArc } : {}),
    },
  }
}

/** Creates a plane with x along the radius and z along the axis. A point on the axis does not depend on x. */
function createFrame(origin: Xyz, radius: Xyz, axis: Xyz): Plane {
  const xAxis = findUnit(radius) ?? findPerpendicular(axis) ?? X_AXIS
  return plane(origin, xAxis, cross(axis, xAxis), axis)
}

/**
 * A sphere around the origin of a plane: u around its z axis from the x axis, v from pole to pole, both
 * parameterised by length.
 */
export function createSphere({ origin, xAxis, zAxis }: Plane, radius: number): NurbsSurface {
  const meridian = arc(plane(origin, xAxis, zAxis, cross(xAxis, zAxis)), radius, -Math.PI / 2, Math.PI / 2)
  const half = (Math.PI / 2) * radius
  const profile = withDomain(toNurbs(meridian), domain(-half, half)) as NurbsCurve
  const south = addScaled(origin, zAxis, -radius)
  const north = addScaled(origin, zAxis, radius)
  const onAxis = { ...profile, points: [south, ...profile.points.slice(1, -1), north] }
  const surface = revolve(onAxis, origin, zAxis, domain(0, 2 * Math.PI), Math.PI / 2)
  return { ...surface, knotsU: surface.knotsU.map((knot) => knot * radius) }
}
