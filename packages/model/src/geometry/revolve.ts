import type { NurbsCurve } from '@meadow/geometry/values/curves'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { createArcSpans } from './arc-to-nurbs.ts'
import type { ParameterMap } from './read-surface.ts'
import { pointAt, xyz } from './xyz.ts'

interface Axis {
  from: Xyz
  to: Xyz
}

/**
 * Revolves a curve around an axis: u is the angle, over the parameters `domain`, and v the parameter of the
 * curve.
 */
export function revolve(
  profile: NurbsCurve,
  axis: Axis,
  [startAngle, endAngle]: readonly [number, number],
  [start, end]: readonly [number, number],
): { surface: NurbsSurface; mapAngle: ParameterMap } {
  const { controls, knots, toNurbs } = createArcSpans(endAngle - startAngle, start, end)
  const circles = profile.points.map((point) => createCircle(axis, point))
  const points = controls.map(({ angle, reach }) =>
    circles.map(({ plane, radius }) => {
      const turned = startAngle + angle
      return pointAt(plane, radius * reach * Math.cos(turned), radius * reach * Math.sin(turned))
    }),
  )
  const weights = controls.map(({ weight }) =>
    profile.points.map((_, i) => weight * (profile.weights?.[i] ?? 1)),
  )
  return {
    surface: {
      type: 'nurbsSurface',
      degreeU: 2,
      degreeV: profile.degree,
      points,
      weights,
      knotsU: knots,
      knotsV: profile.knots,
    },
    mapAngle: toNurbs,
  }
}

/**
 * The circle of a point around an axis, with the x axis towards the point; the radius is zero on the axis.
 */
function createCircle({ from, to }: Axis, point: Xyz): { plane: Plane; radius: number } {
  const zAxis = unit(subtract(to, from))
  if (!zAxis) throw new ModelFault('an axis without a direction')
  const height = dot(subtract(point, from), zAxis)
  const origin = xyz(from.x + zAxis.x * height, from.y + zAxis.y * height, from.z + zAxis.z * height)
  const out = subtract(point, origin)
  const radius = Math.hypot(out.x, out.y, out.z)
  const xAxis = unit(out) ?? xyz(0, 0, 0)
  return { plane: { type: 'plane', origin, xAxis, yAxis: cross(zAxis, xAxis), zAxis }, radius }
}

function subtract(a: Xyz, b: Xyz): Xyz {
  return xyz(a.x - b.x, a.y - b.y, a.z - b.z)
}

function dot(a: Xyz, b: Xyz): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

function cross(a: Xyz, b: Xyz): Xyz {
  return xyz(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

function unit(a: Xyz): Xyz | undefined {
  const size = Math.hypot(a.x, a.y, a.z)
  return size > 0 ? xyz(a.x / size, a.y / size, a.z / size) : undefined
}
