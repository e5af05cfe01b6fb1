import type { ArcSurface } from '@meadow/geometry/surfaces/arcs'
import { createFromControlPoints } from '@meadow/geometry/surfaces/from-grid'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { createSphere, revolve } from '@meadow/geometry/surfaces/revolve'
import { getColumn, getRow } from '@meadow/geometry/surfaces/rows'
import { createBetween } from '@meadow/geometry/surfaces/ruled'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { countPoints } from '@meadow/geometry/transform/count-points'
import type { NurbsCurve } from '@meadow/geometry/values/curves'
import { pointAt } from '@meadow/geometry/values/planes'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import { type Domain, domain } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const SURFACE_PRIMITIVES: readonly Kind[] = [
  defineKind({
    guid: 'dabc854d-f50e-408a-b001-d043c7de151d',
    description: "A sphere around the origin of a plane, with its poles on the plane's normal.",
    solve: ([base, radius], context) => {
      if (!(Math.abs(radius) > 0)) {
        context.error('Radius must not be 0')
        return []
      }
      return [createSphere(base, Math.abs(radius))]
    },
  }),
  defineKind({
    guid: '439a55a5-2f9e-4f66-9de2-32f24fec2ef5',
    description: 'A rectangular plane surface; its parameters are the coordinates in the plane.',
    solve: ([plane, x, y], context) => {
      const [across, up] = [sort(x), sort(y)]
      if (across.end === across.start || up.end === up.start) {
        context.error('Sizes must not be 0')
        return []
      }
      return [createRectangle(plane, across, up)]
    },
  }),
  defineKind({
    guid: 'd8698126-0e91-4ae7-ba05-2490258573ea',
    description:
      'A rectangular plane surface over the extent of a shape along a plane, and further by an amount on each side.',
    solve: ([plane, shape, by], context) => {
      context.reserve(countPoints(shape))
      const bounds = findTightBounds(shape, plane)
      if (!bounds) return []
      const { min, max } = bounds
      const [across, up] = [domain(min.x - by, max.x + by), domain(min.y - by, max.y + by)]
      if (!(across.end > across.start && up.end > up.start)) {
        context.error('Along the plane, the shape is a point or a line')
        return []
      }
      return [createRectangle(plane, across, up)]
    },
  }),
  defineKind({
    guid: '03e331ed-c4d1-4a23-afa2-f57b87d2043c',
    description: 'A cone without its base, from a plane, and its tip.',
    solve: ([base, radius, length], context) => {
      if (!(Math.abs(radius) > 0) || !(Math.abs(length) > 0)) {
        context.error('Radius and length must not be 0')
        return []
      }
      const tip = pointAt(base, 0, 0, length)
      const side: NurbsCurve = {
        type: 'nurbsCurve',
        degree: 1,
        points: [pointAt(base, radius, 0), tip].map(({ x, y, z }) => ({ x, y, z })),
        knots: [0, Math.hypot(radius, length)],
      }
      return [revolve(side, base.origin, base.zAxis, domain(0, 2 * Math.PI)), tip]
    },
  }),
  defineKind({
    guid: '0373008a-80ee-45be-887d-ab5a244afc29',
    description: 'A cylinder without its ends, from a plane.',
    solve: ([base, radius, length], context) => {
      if (!(Math.abs(radius) > 0) || !(Math.abs(length) > 0)) {
        context.error('Radius and length must not be 0')
        return []
      }
      // The side runs from the lower to the upper height, like the domain of openNURBS' `ON_Cylinder`.
      const [low, high] = [Math.min(0, length), Math.max(0, length)]
      const side: NurbsCurve = {
        type: 'nurbsCurve',
        degree: 1,
        points: [pointAt(base, radius, 0), pointAt(base, radius, 0, length)].map(({ x, y, z }) => ({
          x,
          y,
          z,
        })),
        knots: [low, high],
      }
      return [revolve(side, base.origin, base.zAxis, domain(0, 2 * Math.PI))]
    },
  }),
]

function createRectangle(plane: Plane, across: Domain, up: Domain) {
  return createBetween(createSide(plane, across, up.start), createSide(plane, across, up.end), up)
}

function sort({ start, end }: Domain): Domain {
  return domain(Math.min(start, end), Math.max(start, end))
}

function createSide(plane: Plane, { start, end }: Domain, height: number): NurbsCurve {
  const points = [start, end].map((at) => pointAt(plane, at, height)).map(({ x, y, z }) => ({ x, y, z }))
  return { type: 'nurbsCurve', degree: 1, points, knots: [start, end] }
}

// Source: recorded outputs of Grasshopper 8, github.com/ezzahiranass/pyhopper.
export const CONTROL_GRIDS: readonly Kind[] = [
  defineKind({
    guid: '4b04a1e1-cddf-405d-a7db-335aaa940541',
    description: 'A surface from a grid of control points; the list runs along v first.',
    solve: ([points, count, interpolate], context) => {
      const locations = present(points).map(({ x, y, z }): Xyz => ({ x, y, z }))
      const countV = locations.length / count
      if (count < 2 || countV < 2 || !Number.isInteger(countV)) {
        context.error('U Count has to divide the number of points, into rows of at least 2')
        return []
      }
      if (interpolate) {
        context.limit('Interpolating points is not supported')
        return []
      }
      const rows = Array.from({ length: count }, (_, i) => locations.slice(i * countV, (i + 1) * countV))
      return [createFromControlPoints(rows)]
    },
  }),
  defineKind({
    guid: 'f241e42e-8983-4ed3-b869-621c07630b00',
    description: 'The size of a surface along u and v: the length of its longest row of control points.',
    solve: ([surface], context) => {
      const { surface: whole } = getSurface(surface)
      if ((whole as ArcSurface).arcs) {
        context.limit('Dimensions of surfaces of revolution are not supported')
        return []
      }
      const columns = (whole.points[0] ?? []).map((_, j) => getColumn(whole, j).points)
      const rows = whole.points.map((_, i) => getRow(whole, i).points)
      return [Math.max(...columns.map(measure)), Math.max(...rows.map(measure))]
    },
  }),
]

function measure(points: readonly Xyz[]): number {
  return points.slice(1).reduce((sum, point, i) => sum + distance(points[i] as Xyz, point), 0)
}
